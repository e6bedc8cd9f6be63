import Bus
import Contracts
import Primitives
import Sodium
import Synchronization

/// Sends queued deliveries: `DeliveryQueue` and `DeliveryRules` decide, providers send, the store records.
///
/// After a crash between sending and recording, it sends again under the same key.
package final class DeliveryDispatcher: Sendable {
    private struct State {
        var queue: DeliveryQueue
        /// Callers that wait for the first attempt.
        var waiting: [DeliveryID: [CheckedContinuation<Void, Never>]] = [:]
        var delivered = 0
        var failed = 0
        var dead = 0
    }

    /// The pause before a delivery is tried again that could not be read or recorded.
    private static let troublePause = Duration.seconds(1)

    private let store: NoticeStore
    private let providers: [Medium: any Provider]
    private let rules: DeliveryRules
    private let clock: WallClock
    private let random: @Sendable () -> UInt64
    private let state: Mutex<State>
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    package init(
        store: NoticeStore, providers: [Medium: any Provider], rules: DeliveryRules, clock: WallClock,
        random: @escaping @Sendable () -> UInt64 = { Randomness.shared.pair().0 }
    ) {
        self.store = store
        self.providers = providers
        self.rules = rules
        self.clock = clock
        self.random = random
        state = Mutex(State(queue: DeliveryQueue(rules)))
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Queues the deliveries that the store has. Call it once, before any other is queued.
    package func start() async throws(Fault) { enqueue(try await store.queued()) }

    package func enqueue(_ queued: [Queued]) {
        guard !queued.isEmpty else { return }
        state.withLock { state in for one in queued { state.queue.add(one) } }
        signal.yield()
    }

    /// Removes the deliveries of an endpoint that was removed.
    package func forget(_ endpoint: EndpointID) { state.withLock { $0.queue.removeLane(endpoint) } }

    /// Queues a delivery, and returns after its first attempt or after `patience`.
    package func enqueue(_ queued: Queued, waitingAtMost patience: Duration) async {
        var alarm: Task<Void, any Error>?
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.waiting[queued.id, default: []].append(continuation)
                state.queue.add(queued)
            }
            signal.yield()
            alarm = Task { [self] in
                try await Task.sleep(for: patience)
                release(queued.id)
            }
        }
        alarm?.cancel()
    }

    private func release(_ id: DeliveryID) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: id) ?? [] }
        for one in waiting { one.resume() }
    }

    /// Sends until it is cancelled.
    package func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            var news = signals.makeAsyncIterator()
            while true {
                let now = clock.now()
                while let queued = state.withLock({ $0.queue.next(at: now) }) {
                    group.addTask { [self] in await carry(queued) }
                }
                let due = state.withLock { $0.queue.nextDue }
                let alarm = due.map { due in
                    Task { [self] in
                        try await Task.sleep(for: max(.milliseconds(1), due - now))
                        signal.yield()
                    }
                }
                await news.next()
                alarm?.cancel()
                try Task.checkCancellation()
            }
        }
    }

    /// Makes one attempt at one delivery.
    private func carry(_ queued: Queued) async {
        defer {
            release(queued.id)
            signal.yield()
        }
        do throws(Fault) {
            guard let delivery = try await store.deliveryToSend(queued.id) else {
                return state.withLock { $0.queue.left(queued.lane) }
            }
            let now = clock.now()
            if let settlement = try await hold(delivery, queued, at: now) {
                guard case .again(let due, _) = settlement else { return try await settle(settlement, queued) }
                try await store.postpone(queued.id, until: due)
                return state.withLock { $0.queue.postponed(queued, until: due) }
            }
            guard let provider = providers[delivery.channel] else {
                return try await settle(.dead(reason: "no_provider"), queued)
            }
            let attempt = await provider.send(delivery, at: now)
            // The process stops within the attempt: unless it is known to have arrived, it is made again.
            if Task.isCancelled, !attempt.isDelivered { return }
            let settlement = rules.settle(
                attempt, attempts: delivery.attempts + 1, expires: delivery.expires, at: clock.now(), random: random())
            try await settle(settlement, queued)
        } catch {
            // The disk fails, not the endpoint: a delivery that arrived is sent again, under the same key.
            state.withLock { $0.queue.postponed(queued, until: clock.now() + Self.troublePause) }
        }
    }

    /// Why a delivery cannot be sent now; nil if it can.
    private func hold(
        _ delivery: Delivery, _ queued: Queued, at now: Timestamp
    ) async throws(Fault) -> DeliveryRules.Settlement? {
        guard delivery.expires > now else { return .dead(reason: "expired") }
        guard delivery.channel.isPush, let kind = delivery.kind, let account = delivery.account else { return nil }
        switch try await store.settings(of: account).verdict(on: kind, at: now) {
        case .now: return nil
        case .later(let end): return .again(at: end, reason: "quiet_hours")
        case .never(let reason): return .dead(reason: reason)
        }
    }

    private func settle(_ settlement: DeliveryRules.Settlement, _ queued: Queued) async throws(Fault) {
        let now = clock.now()
        try await store.settle(queued.id, settlement, at: now)
        state.withLock { state in
            switch settlement {
            case .delivered:
                state.delivered += 1
                state.queue.succeeded(queued.lane)
            case .again(let due, _):
                state.failed += 1
                state.queue.failed(queued, at: now, again: due)
            case .dead:
                state.dead += 1
                state.queue.left(queued.lane)
            case .gone:
                state.dead += 1
                state.queue.left(queued.lane)
                state.queue.removeLane(queued.lane)
            }
        }
    }

    /// Gauges by name.
    package var figures: [(name: String, value: Int)] {
        state.withLock { [("deliveries_waiting", $0.queue.waitingCount), ("deliveries_in_flight", $0.queue.inFlight)] }
    }

    /// Counters since the process started, by name.
    package var counts: [(name: String, value: Int)] {
        state.withLock { state in
            [
                ("deliveries_delivered_total", state.delivered), ("deliveries_failed_total", state.failed),
                ("deliveries_dead_total", state.dead)
            ]
        }
    }
}

import Bus
import Contracts
import Glibc
import Primitives
import Storage
import Synchronization

/// The wallet: answers all waiting asks with one commit.
///
/// Writes are decided in order and committed together. Then facts are published, the reads of the batch run, and the
/// outcomes are returned: nothing is answered or published before it is durable. The calling thread (the reactor's)
/// waits for the disk; calls from several threads take turns, so that facts are published in order.
package final class WalletAnswering: BatchAnswering {
    private let store: any LedgerStore
    private let facts: any FactPublishing
    private let clock: WallClock
    private let uptime: @Sendable () -> Int64
    private let onStorageFailure: @Sendable (StoreFailure) -> Void
    private let onClock: @Sendable (_ ahead: Duration?) -> Void
    package let checks = LedgerChecks()
    private let state: Mutex<State>
    /// Held from the first decision to the publication of its facts.
    private let turn = Mutex(())

    private struct State {
        /// Set once the state of the storage is unknown. Nothing is read or written from then on.
        var broken = false
        var clock: ClockGuard
    }

    /// - Parameters:
    ///   - uptime: milliseconds since boot.
    ///   - clockGapMax: see `ClockGuard`.
    ///   - onClock: called with how far the clock is ahead, and with nil when it is right again.
    ///   - onStorageFailure: called once when the state of the disk is unknown. The process has to end and start again
    ///     from the disk; until then every ask gets `bus.unavailable`.
    package init(
        store: any LedgerStore, facts: any FactPublishing, clock: WallClock = .system,
        uptime: @escaping @Sendable () -> Int64 = millisecondsSinceBoot, clockGapMax: Duration = .seconds(90 * 86_400),
        onClock: @escaping @Sendable (_ ahead: Duration?) -> Void = { _ in },
        onStorageFailure: @escaping @Sendable (StoreFailure) -> Void
    ) throws {
        self.store = store
        self.facts = facts
        self.clock = clock
        self.uptime = uptime
        self.onClock = onClock
        self.onStorageFailure = onStorageFailure
        let head = try store.read { try $0.head() }
        let clockGuard = ClockGuard(newest: head.fact > 0 ? head.time : nil, gapMax: clockGapMax)
        state = Mutex(State(clock: clockGuard))
    }

    package var types: [MessageType] { WalletPlan.types }

    package func answer(_ batch: [Inbound]) -> [Outcome] {
        turn.withLock { _ in
            let now = clock.now()
            let plans = batch.map { WalletPlan($0, now: now, checks: checks) }
            var answers = commit(plans, now: now)
            guard answers.unread.isEmpty || answers.isConfirmed || confirm() else { return answers.outcomes }
            for place in answers.unread { answers.outcomes[place] = read(plans[place]) }
            return answers.outcomes
        }
    }

    /// Ends expired holds. Call it once a second.
    ///
    /// - Returns: how many ended.
    @discardableResult
    package func expireHolds() -> Int {
        turn.withLock { _ in
            guard !isBroken else { return 0 }
            let now = clock.now()
            guard reasonToRefuse(at: now) == nil else { return 0 }
            do {
                guard try store.read({ try !$0.holdsDue(at: now, limit: 1).isEmpty }) else { return 0 }
                let done = try store.commit(now: now, expecting: 1) { try $0.expireHolds() }
                publish(done.facts)
                return done.value
            } catch {
                fail(error)
                return 0
            }
        }
    }

    /// Tidies the store. Call it five times a second: rarer checkpoints take longer, and payments wait for them.
    package func tidy() {
        turn.withLock { _ in
            guard !isBroken else { return }
            do { try store.tidy() } catch { fail(error) }
        }
    }

    /// Call it when no more asks will come.
    package func settle() {
        turn.withLock { _ in
            guard !isBroken else { return }
            do { try store.settle() } catch { fail(error) }
        }
    }

    // MARK: Writes

    /// The outcomes of writes and refusals, and the indexes of asks that are still to be read.
    private struct Answers {
        var outcomes: [Outcome] = []
        var unread: [Int] = []
        /// Whether nobody else had changed the ledger when the batch came.
        var isConfirmed = false

        init(_ plans: [WalletPlan], _ outcome: (WalletPlan) throws -> Outcome?) rethrows {
            outcomes.reserveCapacity(plans.count)
            for plan in plans {
                let decided = try outcome(plan)
                if decided == nil { unread.append(outcomes.count) }
                outcomes.append(decided ?? .fault(Fault(.unavailable)))
            }
        }
    }

    private func commit(_ plans: [WalletPlan], now: Timestamp) -> Answers {
        let writes = plans.count { $0.writes }
        guard writes > 0 else { return Answers(plans) { $0.refusal } }
        guard !isBroken else { return Answers(plans) { $0.writes ? .fault(Fault(.unavailable)) : $0.refusal } }
        if let reason = reasonToRefuse(at: now) {
            return Answers(plans) { $0.writes ? .fault(Fault(.unavailable, reason)) : $0.refusal }
        }
        do {
            let done = try store.commit(now: now, expecting: writes) { group in
                try group.prefetch(plans.compactMap(\.payment))
                return try Answers(plans) { try $0.decide(in: &group) }
            }
            publish(done.facts)
            var answers = done.value
            answers.isConfirmed = true
            return answers
        } catch let failure as StoreFailure where writes > 1 && failure.mayBeOfOne {
            // A bug in the rules, or damaged data: each ask is run alone, so that the others succeed.
            return Answers(plans) { plan in
                guard plan.writes else { return plan.refusal }
                let alone = commit([plan], now: now)
                return alone.unread.isEmpty ? alone.outcomes[0] : nil
            }
        } catch {
            fail(error)
            // A broken ledger ends this process. The bus may repeat the ask, which the next process answers.
            let fault = isBroken ? Fault(.unavailable) : Fault.ofStore(error)
            return Answers(plans) { $0.writes ? .fault(fault) : $0.refusal }
        }
    }

    private func publish(_ rows: [JournalRow]) {
        if !rows.isEmpty { facts.publish(rows.map(\.published)) }
    }

    // MARK: Reads

    /// Reads that come with a write ride on its group; others need this once a batch.
    private func confirm() -> Bool {
        guard !isBroken else { return false }
        do {
            try store.confirm()
            return true
        } catch {
            fail(error)
            return false
        }
    }

    /// Reads the ledger between two batches: sees all that was answered.
    ///
    /// - Throws: `bus.unavailable`.
    package func read<Value: Sendable>(
        _ body: (any LedgerInspecting) throws -> Value
    ) throws(Fault) -> Value {
        try turn.withLock { _ throws(Fault) in
            guard confirm() else { throw Fault(.unavailable) }
            do { return try store.read(body) } catch {
                fail(error)
                throw Fault(.unavailable)
            }
        }
    }

    private func read(_ plan: WalletPlan) -> Outcome {
        guard !isBroken else { return .fault(Fault(.unavailable)) }
        do {
            switch plan {
            case .change(_, let body), .read(let body): return try store.read(body)
            case .refuse(let fault): return .fault(fault)
            case .pay, .operate: return .fault(Fault(.unavailable))
            }
        } catch {
            fail(error)
            return .fault(Fault(.unavailable))
        }
    }

    // MARK: Trouble

    /// Whether writes are refused because the clock is ahead of what the ledger knows.
    package var isClockAhead: Bool { state.withLock { $0.clock.ahead != nil } }

    /// Why nothing may be written now; nil if it may.
    private func reasonToRefuse(at now: Timestamp) -> String? {
        guard store.anchorProblems.isEmpty else { return Self.refusal(because: "the ledger is not whole") }
        let uptime = uptime()
        let (before, after) = state.withLock { state in
            let before = state.clock.ahead
            return state.clock.believes(now, uptime: uptime) ? (before, nil) : (before, state.clock.ahead)
        }
        if (before == nil) != (after == nil) { onClock(after) }
        return after == nil ? nil : Self.refusal(because: "the wallet's clock cannot be right")
    }

    /// Nothing was looked up: an earlier ask under the same id may have an outcome.
    private static func refusal(because reason: String) -> String {
        "This request moved no money and wrote nothing, as \(reason); an earlier one with the same key may have. Send the same "
            + "request again once an operator has seen to it"
    }

    private var isBroken: Bool { state.withLock { $0.broken } }

    /// After a full disk, a constraint or a damaged row, the ledger is unchanged. Any other error ends the process.
    private func fail(_ error: any Error) {
        let failure = error as? StoreFailure ?? .broken("\(error)")
        guard case .broken = failure else { return }
        let isFirst = state.withLock { state in
            defer { state.broken = true }
            return !state.broken
        }
        if isFirst { onStorageFailure(failure) }
    }
}

extension WalletPlan {
    fileprivate var payment: Wallet.PostPayment? {
        if case .pay(let post, _) = self { post } else { nil }
    }

    fileprivate var refusal: Outcome? {
        if case .refuse(let fault) = self { .fault(fault) } else { nil }
    }

    /// The outcome of a write or a refusal; nil for an ask that is still to be read.
    fileprivate func decide(in group: inout LedgerGroup) throws -> Outcome? {
        switch self {
        case .refuse(let fault): .fault(fault)
        case .pay(let post, let cause): try group.decide(post, cause: cause).outcome(Wallet.PostPayment.Reply.self)
        case .operate(let body): try body(&group)
        case .change(let body, _): try body(&group).map { .fault($0) }
        case .read: nil
        }
    }
}

/// Milliseconds since boot, including sleep: a clock that nobody sets.
package func millisecondsSinceBoot() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

import Contracts
import Primitives
import Sodium
import Synchronization
import Wire

/// Publishes the facts of a source's log in order, publishes the log's head, and answers readers of the log.
///
/// The log is the truth and publication a hint: a subscriber that misses a fact notices the gap and reads the log.
package final class FactPublisher<Source: FactSource>: FactPublishing, Sendable {
    private struct State {
        var log: (any FactLog)?
        /// The newest sequence published; all before it have been, too.
        var head: Int64 = 0
        /// Facts that wait for their predecessors.
        var early: [Int64: PublishedFact] = [:]
        /// The newest head that was published.
        var publishedHead: Int64 = 0
        /// The facts published last, for readers close to the end of the log.
        var recent = RecentFacts()
        /// How many of each type this process has published.
        var counts: [String: Int64] = [:]
        /// The task that publishes heads, while it sleeps.
        var headWaiter: CheckedContinuation<Void, Never>?
        var pumping = false
        var again = false
        /// Whether the last read of the log failed.
        var isBehind = false

        /// Whether `recent` ends with the newest fact that the owner has committed.
        var isUpToDate: Bool { !pumping && !isBehind && early.isEmpty }

        /// Takes facts and returns those that can be published now, in order. Skips facts that were published before:
        /// the pump and the owner may both have them.
        mutating func take(_ facts: [PublishedFact]) -> [PublishedFact] {
            var due: [PublishedFact] = []
            due.reserveCapacity(facts.count)
            for fact in facts {
                guard let sequence = fact.sequence, sequence > head else { continue }
                if sequence == head + 1 {
                    append(fact, to: &due)
                    while let next = early.removeValue(forKey: head + 1) { append(next, to: &due) }
                } else if early.count < RecentFacts.keptMax {
                    early[sequence] = fact
                } else {
                    isBehind = true  // the log has it
                }
            }
            count(due)
            return due
        }

        /// One look-up for each run of facts of the same type.
        private mutating func count(_ facts: [PublishedFact]) {
            var rest = facts[...]
            while let type = rest.first?.type {
                let others = rest.drop { $0.type == type }
                counts[type, default: 0] += Int64(rest.count - others.count)
                rest = others
            }
        }

        private mutating func append(_ fact: PublishedFact, to due: inout [PublishedFact]) {
            head += 1
            recent.append(fact.envelope, as: head)
            due.append(fact)
        }
    }

    /// The least pause between two heads: subscribers read the facts of one pause together. Longer pauses make larger
    /// groups, which delay payments (docs/performance.md).
    private static var headPause: Duration { .milliseconds(20) }
    private let bus: Bus
    private let headInterval: Duration
    private let state: Mutex<State>

    /// - Parameters:
    ///   - log: nil where the log's store needs the publisher first; then `attach` gives it.
    ///   - headInterval: the pause between two heads without new facts.
    package init(
        _ source: Source.Type, on bus: Bus, log: (any FactLog)? = nil, headInterval: Duration = .seconds(1)
    ) {
        self.headInterval = headInterval
        self.bus = bus
        // A counter that exists from the start has a rate at its first fact.
        let types = Catalogue.facts.map { $0.type }.filter { $0.service == Source.service }
        state = Mutex(State(log: log, counts: Dictionary(uniqueKeysWithValues: types.map { ($0.name, 0) })))
    }

    /// Names the log. Call it before `start`.
    package func attach(_ log: any FactLog) { state.withLock { $0.log = log } }

    private func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        guard let log = state.withLock({ $0.log }) else { throw Fault(.unavailable) }
        return try await log.read(after: sequence, limit: limit)
    }

    /// The newest fact published.
    package var head: Int64 { state.withLock { $0.head } }

    /// How many of each type this process has published.
    package var counts: [String: Int64] { state.withLock { $0.counts } }

    /// For owners that have the facts at hand when they commit them. Concurrent commits may call it in any order: facts
    /// leave in the order of the log.
    package func publish(_ facts: [PublishedFact]) {
        let headWaiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            let due = state.take(facts)
            guard !due.isEmpty else { return nil }
            // Inside the lock, so that nobody overtakes; it only hands the facts over.
            bus.transport.publish(due)
            defer { state.headWaiter = nil }
            return state.headWaiter
        }
        headWaiter?.resume()
    }

    /// For owners that only know that there are new facts: reads them from the log and publishes them, one reader at a
    /// time.
    package func committed() {
        let start = state.withLock { state in
            state.again = true
            defer { state.pumping = true }
            return !state.pumping
        }
        if start { Task(executorPreference: bus.transport.executor) { [self] in await pump() } }
    }

    private func pump() async {
        while state.withLock({ state in
            defer { state.again = false }
            if !state.again { state.pumping = false }
            return state.again
        }) {
            do {
                while true {
                    let page = try await read(after: state.withLock { $0.head }, limit: 500)
                    if page.facts.isEmpty { break }
                    publish(
                        try page.facts.map { fact in
                            let envelope = try Envelope(json: fact.bytes)
                            return PublishedFact(
                                type: envelope.type, sequence: envelope.sequence, envelope: fact.bytes)
                        })
                }
                state.withLock { $0.isBehind = false }
            } catch {
                // Nothing is lost: the facts are in the log, and the next commit or head tries again.
                state.withLock { $0.isBehind = true }
            }
        }
    }

    /// Answers `<service>.facts.read.v1` with every fact that was committed before the ask, published or not.
    package var reader: some Answering<ReadFacts<Source>> { Reader(publisher: self) }

    private struct Reader: Answering {
        let publisher: FactPublisher<Source>

        func answer(_ ask: ReadFacts<Source>, in context: AskContext) async throws(Fault) -> FactsPage {
            let recent = publisher.state.withLock { state in
                state.isUpToDate ? state.recent.page(after: ask.after, limit: ask.limit) : nil
            }
            if let recent { return recent }
            do { return try await publisher.read(after: ask.after, limit: ask.limit) } catch {
                throw Fault(.unavailable)
            }
        }
    }

    /// Publishes the head when it has moved, and after `headInterval` when it has not, until cancelled. Call `start`
    /// first.
    package func publishHeads() async throws {
        while true {
            try await awaitNews()
            let (head, isBehind) = state.withLock { state in
                state.publishedHead = state.head
                // A predecessor that has not come by now may never come: the log has it.
                return (state.head, state.isBehind || !state.early.isEmpty)
            }
            if isBehind { committed() }
            let now = bus.clock.now()
            let envelope = Envelope(
                id: (Randomness.shared.identifier(at: now) as MessageID).hex, source: bus.name,
                type: FactsHead<Source>.type.name, time: now, data: FactsHead<Source>(head: head).json)
            bus.transport.publish([PublishedFact(type: envelope.type, sequence: nil, envelope: envelope.json)])
            try await Task.sleep(for: Self.headPause)
        }
    }

    /// Returns when the published head is old, and after `headInterval` in any case.
    private func awaitNews() async throws {
        let alarm = Task { [self] in
            try await Task.sleep(for: headInterval)
            wakeHeadWaiter()
        }
        defer { alarm.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNew = state.withLock { state in
                    if state.head > state.publishedHead || Task.isCancelled { return true }
                    state.headWaiter = continuation
                    return false
                }
                if isNew { continuation.resume() }
            }
        } onCancel: {
            wakeHeadWaiter()
        }
        try Task.checkCancellation()
    }

    private func wakeHeadWaiter() {
        let headWaiter = state.withLock { state in
            defer { state.headWaiter = nil }
            return state.headWaiter
        }
        headWaiter?.resume()
    }

    /// Begins at the log's end: older facts were published by an earlier process, or are read from the log.
    package func start() async throws {
        let head = try await read(after: Int64.max - 1, limit: 1).head
        state.withLock { state in
            state.head = max(state.head, head)
            state.early = state.early.filter { $0.key > state.head }
        }
    }
}

import Contracts
import Primitives
import Sodium
import Synchronization
import Wire

/// Publishes what a source's log holds, in order, tells how far the log has come, and answers who reads it.
///
/// The log is the truth and publication a hint: whoever misses a fact notices the gap and reads the log.
package final class FactPublisher<Source: FactSource>: FactPublishing, Sendable {
    private struct State {
        /// The newest sequence published; all before it have been, too.
        var head: Int64 = 0
        /// Facts whose predecessors have not come yet.
        var early: [Int64: PublishedFact] = [:]
        /// The newest that the head has told of.
        var toldHead: Int64 = 0
        /// What was published last, for readers who are nearly there.
        var recent = RecentFacts()
        /// How many of each type this process has published.
        var counts: [String: Int64] = [:]
        /// Who tells the head, asleep while there is nothing new.
        var teller: CheckedContinuation<Void, Never>?
        var pumping = false
        var again = false
        /// The log could not be read; what it holds is still to be published.
        var isBehind = false

        /// Whether `recent` ends with the newest fact that the owner has told of.
        var isUpToDate: Bool { !pumping && !isBehind && early.isEmpty }

        /// Takes note of facts and gives those that can be published now, in order. What was published before is passed
        /// over: the pump and an owner may both have it.
        mutating func take(_ facts: [PublishedFact]) -> [PublishedFact] {
            var due: [PublishedFact] = []
            due.reserveCapacity(facts.count)
            for fact in facts {
                guard let sequence = fact.sequence, sequence > head else { continue }
                if sequence == head + 1 {
                    append(fact, to: &due)
                    while let next = early.removeValue(forKey: head + 1) { append(next, to: &due) }
                } else {
                    early[sequence] = fact
                }
            }
            count(due)
            return due
        }

        /// One look for all of a type that stand together, as most do.
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

    /// Pause between two heads when there is nothing new.
    package static var headInterval: Duration { .seconds(1) }
    /// The least between two heads: what is published meanwhile is told of, and read, together. Unnoticed by people. Some 100 payments
    /// under load: work on 300 at a time, every 50 ms, made those that met it slower by half (docs/performance.md).
    private static var headPause: Duration { .milliseconds(20) }
    private let bus: Bus
    private let log: any FactLog
    private let state = Mutex(State())

    package init(_ source: Source.Type, on bus: Bus, log: any FactLog) {
        self.bus = bus
        self.log = log
    }

    /// The newest fact published.
    package var head: Int64 { state.withLock { $0.head } }

    /// How many of each type this process has published.
    package var counts: [String: Int64] { state.withLock { $0.counts } }

    /// For owners that have the facts at hand when they commit them. Two that commit at the same time may come here in
    /// either order: facts go out in that of the log.
    package func publish(_ facts: [PublishedFact]) {
        let teller = state.withLock { state -> CheckedContinuation<Void, Never>? in
            let due = state.take(facts)
            guard !due.isEmpty else { return nil }
            // Inside, so that nobody overtakes: it only hands over.
            bus.transport.publish(due)
            defer { state.teller = nil }
            return state.teller
        }
        teller?.resume()
    }

    /// For owners that only know that there are new ones: reads them from the log and sends them, one reader at a time.
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
                    let page = try await log.read(after: state.withLock { $0.head }, limit: 500)
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
                // Nothing is lost: subscribers find it in the log, and the next commit or head tries again.
                state.withLock { $0.isBehind = true }
            }
        }
    }

    /// Answers `<service>.facts.read.v1`: with all that the owner has told of before the ask, though it be published later.
    package var reader: some Answering<ReadFacts<Source>> { Reader(publisher: self) }

    private struct Reader: Answering {
        let publisher: FactPublisher<Source>

        func answer(_ ask: ReadFacts<Source>, in context: AskContext) async throws(Fault) -> FactsPage {
            // Facts tell of everybody: they are for services, and for administrators.
            if let actor = context.actor, actor.role != .administrator { throw Fault(.forbidden) }
            guard ask.after >= 0, (1...1000).contains(ask.limit) else {
                throw Fault(.malformed, "'after' starts at 0 and 'limit' is 1 to 1000")
            }
            let recent = publisher.state.withLock { state in
                state.isUpToDate ? state.recent.page(after: ask.after, limit: ask.limit) : nil
            }
            if let recent { return recent }
            do { return try await publisher.log.read(after: ask.after, limit: ask.limit) } catch {
                throw Fault(.unavailable)
            }
        }
    }

    /// Tells the head when it has moved, and once a second when it has not, until cancelled. Call `start` first.
    package func tellHead() async throws {
        while true {
            try await awaitNews()
            let (head, isBehind) = state.withLock { state in
                state.toldHead = state.head
                // A predecessor that has not come by now may never: the log has it.
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

    /// Returns when something was published of which the head has not told, and after `headInterval` in any case.
    private func awaitNews() async throws {
        let alarm = Task { [self] in
            try await Task.sleep(for: Self.headInterval)
            wakeTeller()
        }
        defer { alarm.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNew = state.withLock { state in
                    if state.head > state.toldHead || Task.isCancelled { return true }
                    state.teller = continuation
                    return false
                }
                if isNew { continuation.resume() }
            }
        } onCancel: {
            wakeTeller()
        }
        try Task.checkCancellation()
    }

    private func wakeTeller() {
        let teller = state.withLock { state in
            defer { state.teller = nil }
            return state.teller
        }
        teller?.resume()
    }

    /// Begins at the log's end: what is older was published by an earlier process, or is read by whoever missed it.
    package func start() async throws {
        let head = try await log.read(after: Int64.max - 1, limit: 1).head
        state.withLock { state in
            state.head = max(state.head, head)
            state.early = state.early.filter { $0.key > state.head }
        }
    }
}

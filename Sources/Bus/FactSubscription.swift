import Contracts
import Primitives
import Synchronization
import Wire

/// A subscriber's view of one source: what it has applied, what it has heard since, and whether something is missing.
///
/// A pure value. Facts may come late, twice, out of order or not at all.
package struct FactWindow: Sendable {
    /// Facts kept while earlier ones are missing. More are let go: the log has them.
    package static let keptMax = 4096

    /// The last fact applied.
    package private(set) var position: Int64
    /// The newest fact known to exist.
    package private(set) var head: Int64
    private var kept: [Int64: Envelope] = [:]

    package init(position: Int64) {
        self.position = position
        head = position
    }

    package mutating func hear(_ fact: Envelope) {
        guard let sequence = fact.sequence, sequence > position else { return }
        head = max(head, sequence)
        if kept.count < Self.keptMax || sequence == position + 1 { kept[sequence] = fact }
    }

    package mutating func hear(head: Int64) { self.head = max(self.head, head) }

    /// The facts that follow the position without a gap, oldest first.
    package func ready(limit: Int) -> [Envelope] {
        var facts: [Envelope] = []
        while facts.count < limit, let next = kept[position + Int64(facts.count) + 1] { facts.append(next) }
        return facts
    }

    /// Whether so many facts are kept, whatever is missing among them.
    package func keeps(_ count: Int) -> Bool { kept.count >= count }

    /// Whether facts exist that have not been heard: the owner has to be asked for those behind `position`.
    package var isMissingFacts: Bool { head > position && kept[position + 1] == nil }

    package mutating func applied(through sequence: Int64) {
        guard sequence > position else { return }
        if sequence - position > Int64(kept.count) {
            kept = kept.filter { $0.key > sequence }
        } else {
            for number in (position + 1)...sequence { kept[number] = nil }
        }
        position = sequence
        head = max(head, position)
    }
}

/// Reads all facts of one source, in order, each exactly once, from a durable cursor.
package final class FactSubscription<Source: FactSource>: Sendable {
    /// Applies facts and moves the cursor to the last of them, in one durable transaction.
    package typealias Apply = @Sendable ([Envelope]) async throws -> Void

    /// Facts applied in one transaction.
    package static var groupMax: Int { 500 }
    /// Facts wait for company at most so many turns of so long. 20 ms: unnoticed by people, some 300 payments under load.
    private static var gatheringTurns: Int { 4 }
    private static var gatheringTurn: Duration { .milliseconds(5) }
    /// Pause after a failed read or application.
    private static var pauseAfterFailure: Duration { .milliseconds(200) }

    private struct State {
        var window: FactWindow
        /// The reader, asleep because there is nothing to do.
        var sleeper: CheckedContinuation<Void, Never>?
        var rung = false
        var waiting: [FactWaiter] = []

        /// Wakes the reader, or sees to it that it does not fall asleep.
        mutating func ring() -> CheckedContinuation<Void, Never>? {
            defer { sleeper = nil }
            if sleeper == nil { rung = true }
            return sleeper
        }
    }

    private let bus: Bus
    private let apply: Apply
    private let failed: @Sendable (any Error) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - position: the durable cursor.
    ///   - failed: told of every failure; the subscription goes on by itself.
    package init(
        to source: Source.Type, on bus: Bus, from position: Int64, failed: @escaping @Sendable (any Error) -> Void,
        apply: @escaping Apply
    ) {
        self.bus = bus
        self.apply = apply
        self.failed = failed
        state = Mutex(State(window: FactWindow(position: position)))
    }

    package var position: Int64 { state.withLock { $0.window.position } }

    /// Listens. What is published from now on is heard, or noticed as a gap.
    package func listen() {
        let headType = FactsHead<Source>.type.name
        bus.transport.listen(to: Source.service + ".") { [self] frames in
            let sleeper = state.withLock { state in
                for frame in frames {
                    // What cannot be read is a gap like any other: the log has the fact.
                    guard let fact = try? Envelope(json: frame), fact.source == Source.service else { continue }
                    if fact.type == headType {
                        if let told = try? FactsHead<Source>(json: fact.data) { state.window.hear(head: told.head) }
                    } else {
                        state.window.hear(fact)
                    }
                }
                return state.ring()
            }
            sleeper?.resume()
        }
    }

    /// Reads and applies until cancelled.
    package func run() async {
        while !Task.isCancelled {
            do {
                if state.withLock({ !$0.window.ready(limit: 1).isEmpty }) {
                    await gather()
                    try await advance(state.withLock { $0.window.ready(limit: Self.groupMax) })
                } else if state.withLock({ $0.window.isMissingFacts }) {
                    let before = position
                    try await readMissing()
                    // Asked again at once, it would answer the same again.
                    if position == before { throw Fault(.unavailable, "\(Source.service)'s log lacks what it told of") }
                } else {
                    await sleep()
                }
            } catch {
                if Task.isCancelled { break }
                failed(error)
                try? await Task.sleep(for: Self.pauseAfterFailure)  // cancelled: the loop ends
            }
        }
    }

    /// Lets facts gather, unless somebody waits for them: one durable transaction for many costs little more than one
    /// for each of them.
    private func gather() async {
        for _ in 0..<Self.gatheringTurns {
            let isDue = state.withLock { !$0.waiting.isEmpty || $0.window.keeps(Self.groupMax) }
            if isDue { return }
            try? await Task.sleep(for: Self.gatheringTurn)  // cancelled: what is there is applied
        }
    }

    /// Asks the owner for everything up to its present end and applies it: before a service says that it is ready.
    package func catchUp(deadline: Timestamp) async throws {
        var head = Int64.max
        while position < head {
            let before = position
            head = try await readMissing(deadline: deadline)
            if position == before, head > before { throw Fault(.unavailable, "\(Source.service)'s log has a hole") }
        }
    }

    /// Returns once the fact of that sequence has been applied: for readers who were told of it already.
    package func reached(_ sequence: Int64, deadline: Timestamp) async throws(Fault) {
        let waiter = FactWaiter(for: sequence)
        let (isReached, sleeper) = state.withLock { state in
            if state.window.position >= sequence { return (true, nil as CheckedContinuation<Void, Never>?) }
            state.window.hear(head: sequence)
            state.waiting.append(waiter)
            return (false, state.ring())
        }
        if isReached { return }
        sleeper?.resume()
        let timeout = Task { [bus] in
            try await Task.sleep(for: deadline - bus.clock.now())
            waiter.end(Fault(.deadlineExceeded))
        }
        defer {
            timeout.cancel()
            state.withLock { $0.waiting.removeAll { $0 === waiter } }
        }
        if let fault = await waiter.wait() { throw fault }
    }

    @discardableResult
    private func readMissing(deadline: Timestamp? = nil) async throws -> Int64 {
        let page = try await bus.ask(
            ReadFacts<Source>(after: position, limit: Self.groupMax),
            in: AskContext(deadline: deadline ?? bus.clock.now() + .seconds(5)))
        let facts = try page.facts.map { try Envelope(json: $0.bytes) }
        var expected = position
        for fact in facts {
            expected += 1
            guard fact.sequence == expected else {
                throw Fault(.unavailable, "\(Source.service) gave fact \(fact.sequence ?? 0) for \(expected)")
            }
        }
        state.withLock { $0.window.hear(head: page.head) }
        if !facts.isEmpty { try await advance(facts) }
        return page.head
    }

    private func advance(_ facts: [Envelope]) async throws {
        try await apply(facts)
        guard let sequence = facts.last?.sequence else { return }
        let done = state.withLock { state in
            state.window.applied(through: sequence)
            return state.waiting.filter { $0.sequence <= sequence }
        }
        for waiter in done { waiter.end(nil) }
    }

    private func sleep() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = state.withLock { state in
                    if state.rung || Task.isCancelled {
                        state.rung = false
                        return true
                    }
                    state.sleeper = continuation
                    return false
                }
                if now { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.ring() }?.resume()
        }
    }
}

/// One who waits for a fact. The first of the fact, the deadline and a cancellation ends it, even before the wait.
private final class FactWaiter: Sendable {
    private enum Phase {
        case new
        case waiting(CheckedContinuation<Fault?, Never>)
        case ended(Fault?)
    }

    let sequence: Int64
    private let phase = Mutex(Phase.new)

    init(for sequence: Int64) { self.sequence = sequence }

    /// Nil when the fact has been applied.
    func wait() async -> Fault? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ended: Fault?? = phase.withLock { phase in
                    if case .ended(let fault) = phase { return .some(fault) }
                    phase = .waiting(continuation)
                    return .none
                }
                if case .some(let fault) = ended { continuation.resume(returning: fault) }
            }
        } onCancel: {
            end(Fault(.cancelled))
        }
    }

    func end(_ fault: Fault?) {
        let waiting: CheckedContinuation<Fault?, Never>? = phase.withLock { phase in
            switch phase {
            case .new:
                phase = .ended(fault)
                return nil
            case .waiting(let continuation):
                phase = .ended(fault)
                return continuation
            case .ended: return nil
            }
        }
        waiting?.resume(returning: fault)
    }
}

import Contracts
import Primitives
import Synchronization
import Wire

/// Reads all facts of one source, in order, each exactly once, from a durable cursor.
///
/// Subscribes to the source's head only and reads the facts themselves from its log, many at a time: one path for new
/// facts, for missed ones and for those from before this process began (ADR 13).
package final class FactSubscription<Source: FactSource>: Sendable {
    /// Applies facts and moves the cursor to the last of them, in one durable transaction.
    package typealias Apply = @Sendable ([Envelope]) async throws -> Void

    /// Facts in one page: as many as fit into one envelope when none is unusually long.
    package static var pageMax: Int { 64 }
    /// Facts applied in one transaction.
    package static var groupMax: Int { 64 * pageMax }
    /// Pause after a failed read or application.
    private static var pauseAfterFailure: Duration { .milliseconds(200) }
    /// How long one page may take.
    private static var pagePatience: Duration { .seconds(5) }

    /// How long a reader may be behind without reading anything.
    package static var stoppedAfter: Duration { .seconds(10) }
    /// How long no head is heard before the source is asked for it: it publishes one every second.
    private static var silenceMax: Duration { .seconds(5) }
    /// Heads that bring nothing new, one a second, after which the last fact is compared again: a source that has
    /// another log of the same length is noticed.
    private static var idleHeadsMax: Int { 30 }

    private struct State {
        /// The last fact applied.
        var position: FactPosition
        /// Since when facts are known that are not applied, and none was applied.
        var waitsSince: Timestamp?
        var idleHeads = 0
        /// Whether to read the log without news of a new fact: once at the start, and after a head below the position.
        var doubts = true
        /// The newest fact known to exist: from the source's head, or from a caller that waits for it.
        var head: Int64
        /// The reading task while it sleeps.
        var sleeper: CheckedContinuation<Void, Never>?
        var isWoken = false
        var waiting: [FactWaiter] = []
        var diverged: FactsDiverged?
        /// Whether the source has published a head yet; before, it may not be running.
        var knowsHead = false
        var isListening = false
        /// Whether a head was heard since that was looked at last.
        var hasHeard = false
        /// Facts asked for in one page: fewer where they are so long that not as many fit.
        var pageFacts = FactSubscription.pageMax
        /// Whether facts gather until the pause is over; only a waiting caller ends it early.
        var isResting = false
        /// Whether facts are being read and applied.
        var isReading = false
        /// When the first of the reads began that have failed since the last success.
        var failsSince: Timestamp?
        /// Whether pages are asked for past the source's queue, until everything has been read.
        var passesQueue = false
        /// Whether an operator moves the cursor: nothing is read meanwhile.
        var isMoving = false
        /// The move that waits for the end of a read.
        var mover: CheckedContinuation<Void, Never>?

        /// Wakes the reader, or keeps it from falling asleep.
        mutating func wake() -> CheckedContinuation<Void, Never>? {
            defer { sleeper = nil }
            if sleeper == nil { isWoken = true }
            return sleeper
        }

        mutating func learn(head newest: Int64, at now: Timestamp) -> CheckedContinuation<Void, Never>? {
            idleHeads += 1
            if newest < position.sequence || idleHeads >= FactSubscription.idleHeadsMax { doubts = true }
            guard newest > head || doubts else { return nil }
            raise(to: newest, at: now)
            return isResting ? nil : wake()
        }

        mutating func wait(_ waiter: FactWaiter, at now: Timestamp) -> CheckedContinuation<Void, Never>? {
            waiting.append(waiter)
            raise(to: waiter.sequence, at: now)
            return wake()
        }

        /// The log ends at `end`, before what was told. Callers wait for facts that were committed.
        mutating func lower(to end: Int64) {
            head = waiting.map(\.sequence).reduce(max(end, position.sequence), max)
            if head == position.sequence { waitsSince = nil }
        }

        private mutating func raise(to newest: Int64, at now: Timestamp) {
            head = max(head, newest)
            if head > position.sequence { waitsSince = waitsSince ?? now }
        }

        /// A read begins. A queue that has kept all reads for long is paused by an operator. A swap's pause is shorter,
        /// and the process that it tries is not to be read before its check.
        mutating func beginRead(at now: Timestamp) {
            isReading = true
            let start = failsSince ?? now
            failsSince = start
            if now - start >= FactSubscription.stoppedAfter { passesQueue = true }
        }

        mutating func move(to last: FactPosition, at now: Timestamp) {
            position = last
            failsSince = nil
            passesQueue = passesQueue && head > last.sequence
            idleHeads = 0
            waitsSince = head > last.sequence ? now : nil
        }

        func isStopped(at now: Timestamp) -> Bool {
            waitsSince.map { now - $0 >= FactSubscription.stoppedAfter } ?? false
        }

        mutating func isFree(for mover: CheckedContinuation<Void, Never>) -> Bool {
            if isReading { self.mover = mover }
            return !isReading
        }
    }

    private let bus: Bus
    /// Reads past the source's queue. An operator who stops payments by a pause keeps no fact from its readers by it.
    private let past: Bus
    private let apply: Apply
    private let pause: Duration
    private let state: Mutex<State>

    /// - Parameters:
    ///   - position: the durable cursor.
    ///   - pause: the least between two reads, in which facts gather. The first fact after a while is read at once, and
    ///     so is one that a caller waits for.
    package init(
        to source: Source.Type, on bus: Bus, from position: FactPosition, pause: Duration = .zero,
        apply: @escaping Apply
    ) {
        self.bus = bus
        past = bus.passingQueues(of: [Source.service])
        self.apply = apply
        self.pause = pause
        state = Mutex(State(position: position, head: position.sequence))
    }

    package var position: Int64 { state.withLock { $0.position.sequence } }

    /// The newest fact known to exist.
    package var head: Int64 { state.withLock { $0.head } }

    /// Why reading has stopped; nil while the log is the one that was read before.
    package var diverged: FactsDiverged? { state.withLock { $0.diverged } }

    /// Whether facts are known to exist that this reader does not get on to.
    package var isStopped: Bool { state.withLock { $0.isStopped(at: bus.clock.now()) } }

    /// Moves the cursor of a reader that does not get on by itself. It reads on behind `end`.
    ///
    /// - Returns: the source's newest fact.
    /// - Throws: `bus.malformed` for a reader that gets on, another `begin` than the cursor's, or an `end` that the log
    ///   does not have; the source's refusal where it does not answer.
    package func move(
        from begin: Int64, to end: Int64, in store: any CursorStore, deadline: Timestamp
    ) async throws(Fault) -> Int64 {
        let isFirst = state.withLock { state in
            defer { state.isMoving = true }
            return !state.isMoving
        }
        guard isFirst else { throw Fault(.unavailable, "the cursor is being moved") }
        defer { state.withLock { $0.isMoving = false } }
        await withCheckedContinuation { mover in
            if state.withLock({ $0.isFree(for: mover) }) { mover.resume() }
        }
        let now = bus.clock.now()
        let (position, isStuck) = state.withLock { ($0.position.sequence, $0.diverged != nil || $0.isStopped(at: now)) }
        guard isStuck else {
            throw Fault(.malformed, "\(Source.service)'s facts are read: there is nothing to cure")
        }
        guard begin == position else { throw Fault(.malformed, "the cursor is at \(position), not at \(begin)") }
        let page = try await past.ask(
            ReadEnvelopes<Source>(after: max(0, end - 1), limit: 1), in: AskContext(deadline: deadline))
        guard end <= page.head else {
            throw Fault(.malformed, "\(Source.service)'s log ends at \(page.head), before \(end)")
        }
        // A log with a gap may lack that fact: then the next one is taken whatever came before it.
        let last = page.facts.first { end > 0 && $0.sequence == end }
        let target = FactPosition(sequence: end, mark: last?.mark ?? [])
        try await store.setPosition(of: Source.service, to: target)
        state.withLock { state in
            state.diverged = nil
            state.head = page.head
            state.doubts = true
            state.move(to: target, at: bus.clock.now())
            return state.wake()
        }?.resume()
        return page.head
    }

    /// Subscribes to the source's head, once.
    package func listen() {
        let isFirst = state.withLock { state in
            defer { state.isListening = true }
            return !state.isListening
        }
        guard isFirst else { return }
        bus.transport.subscribe(to: FactsHead<Source>.type.name + "\0") { [self] frames in
            // A head is published every second: one that cannot be read counts as missed.
            let heads = frames.compactMap { frame -> Int64? in
                guard let fact = try? Envelope(json: frame), fact.source == Source.service else { return nil }
                return (try? FactsHead<Source>(json: fact.data))?.head
            }
            guard let head = heads.max() else { return }
            let now = bus.clock.now()
            state.withLock { state in
                state.knowsHead = true
                state.hasHeard = true
                return state.learn(head: head, at: now)
            }?.resume()
        }
    }

    /// Reads and applies until it is cancelled or the log is found to be another.
    ///
    /// - Parameter failed: called for every failure; the subscription goes on by itself.
    package func run(failed: @Sendable (any Error) -> Void) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watchHeads() }
            await readAll(failed: failed)
            group.cancelAll()
        }
    }

    /// Asks for the source's head while none is heard. Published facts may be lost, and nothing else wakes the reader.
    private func watchHeads() async {
        while (try? await Task.sleep(for: Self.silenceMax)) != nil {
            let (isSilent, position) = state.withLock { state in
                defer { state.hasHeard = false }
                return (state.knowsHead && !state.hasHeard, state.position.sequence)
            }
            guard isSilent else { continue }
            let context = AskContext(deadline: bus.clock.now() + Self.pagePatience)
            guard let page = try? await bus.ask(ReadEnvelopes<Source>(after: position, limit: 1), in: context) else {
                continue
            }
            state.withLock { $0.learn(head: page.head, at: bus.clock.now()) }?.resume()
        }
    }

    private func readAll(failed: @Sendable (any Error) -> Void) async {
        while !Task.isCancelled {
            do {
                if state.withLock({ $0.head > $0.position.sequence || $0.doubts && $0.knowsHead }) {
                    try await readOn(deadline: bus.clock.now() + Self.pagePatience)
                    if pause > .zero { await rest() }
                } else {
                    await sleep()
                }
            } catch is FactsDiverged {
                return
            } catch {
                if Task.isCancelled { break }
                failed(error)
                // Whether the log is still the one that was read has not been found out.
                state.withLock { $0.doubts = true }
                try? await Task.sleep(for: Self.pauseAfterFailure)  // cancelled: the loop ends
            }
        }
    }

    /// Reads everything up to the source's present end and applies it: before a service says that it is ready.
    package func catchUp(deadline: Timestamp) async throws {
        while try await readOn(deadline: deadline) > position {}
    }

    /// Returns once the fact of that number has been applied: for reads that must see what an answer has announced.
    package func reached(_ sequence: Int64, deadline: Timestamp) async throws(Fault) {
        let waiter = FactWaiter(for: sequence)
        let (isReached, sleeper) = state.withLock { state in
            if state.position.sequence >= sequence { return (true, nil as CheckedContinuation<Void, Never>?) }
            return (false, state.wait(waiter, at: bus.clock.now()))
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

    /// Reads the facts after the position, as many as a group has room for, and applies them. The last applied fact is
    /// read again before them: a log that has another one of its number is not the log that was read.
    ///
    /// - Returns: the source's head, as its log has it.
    /// - Throws: `FactsDiverged`.
    @discardableResult
    private func readOn(deadline: Timestamp) async throws -> Int64 {
        let now = bus.clock.now()
        let isMoving = state.withLock { state in
            if !state.isMoving { state.beginRead(at: now) }
            return state.isMoving
        }
        if isMoving { throw Fault(.unavailable, "the cursor is being moved") }
        defer {
            state.withLock { state in
                defer { state.mover = nil }
                state.isReading = false
                return state.mover
            }?.resume()
        }
        let (position, expected) = state.withLock { state in
            state.doubts = false
            return (state.position, state.head)
        }
        let begin = position.sequence
        let known: Int64 = position.mark.isEmpty ? 0 : 1
        var (facts, head) = try await read(after: begin - known, through: max(expected, begin + 1), deadline: deadline)
        if head < begin || known > 0 && facts.first?.isMarked(position.mark) != true {
            throw state.withLock { state in
                let diverged = FactsDiverged(source: Source.service, position: begin, head: head)
                state.diverged = diverged
                state.doubts = true
                return diverged
            }
        }
        facts.removeFirst(Int(known))
        // The page may have had room for the known fact alone.
        if known > 0, facts.isEmpty, head > begin {
            facts = try await read(after: begin, through: head, deadline: deadline).facts
        }
        guard !facts.isEmpty || max(head, expected) <= begin else {
            // An immediate retry would get the same answer. A head that was told wrong is told no more.
            state.withLock { $0.lower(to: head) }
            throw Fault(.unavailable, "\(Source.service)'s log lacks fact \(begin + 1), of which it has told")
        }
        if !facts.isEmpty { try await apply(facts) }
        let last = facts.last.map { FactPosition(sequence: begin + Int64(facts.count), mark: $0.mark) } ?? position
        let done = state.withLock { state in
            state.diverged = nil
            // The pages may know of newer facts. These wait for the next head, and for others: one durable transaction
            // for many costs little more than one for each.
            state.move(to: last, at: bus.clock.now())
            return state.waiting.filter { $0.sequence <= last.sequence }
        }
        for waiter in done { waiter.end(nil) }
        return head
    }

    /// The facts behind `begin`, without a gap, as far as the pages have them; and the source's head.
    private func read(
        after begin: Int64, through end: Int64, deadline: Timestamp
    ) async throws -> (facts: [Envelope], head: Int64) {
        let limit = state.withLock { $0.pageFacts }
        let pages = try await pages(of: limit, after: begin, through: end, deadline: deadline)
        var facts: [Envelope] = []
        for page in pages {
            for fact in page.facts {
                let due = begin + Int64(facts.count) + 1
                guard fact.sequence == due else {
                    throw Fault(.unavailable, "\(Source.service) gave fact \(fact.sequence ?? 0) for \(due)")
                }
                facts.append(fact)
            }
            if page.facts.count < limit {
                // Its facts were too long for the page, or it is the last one. What is behind is read again.
                let isCut = !page.facts.isEmpty && begin + Int64(facts.count) < page.head
                if isCut { state.withLock { $0.pageFacts = max(1, page.facts.count * 3 / 4) } }
                return (facts, pages.map(\.head).max() ?? begin)
            }
        }
        state.withLock { $0.pageFacts = min(Self.pageMax, limit + 1) }
        return (facts, pages.map(\.head).max() ?? begin)
    }

    /// Reads several pages at once: one after the other, each would wait behind the owner's other work.
    private func pages(
        of limit: Int, after begin: Int64, through end: Int64, deadline: Timestamp
    ) async throws -> [EnvelopePage] {
        let wanted = min(max(end - begin, 1), Int64(Self.groupMax / Self.pageMax * limit))
        let starts = Array(stride(from: begin, to: begin + wanted, by: limit))
        let turns = ShortTurns()
        let bus = state.withLock { $0.passesQueue } ? past : bus
        return try await withThrowingTaskGroup(of: (Int, EnvelopePage).self) { group in
            for (index, start) in starts.enumerated() {
                group.addTask {
                    let page = try await bus.ask(
                        ReadEnvelopes<Source>(after: start, limit: limit), in: AskContext(deadline: deadline))
                    // Parsing a page takes a slice; the yield lets waiting asks go first.
                    var turns = turns
                    turns.mayEnd()
                    return (index, page)
                }
            }
            var pages = [EnvelopePage?](repeating: nil, count: starts.count)
            for try await (index, page) in group { pages[index] = page }
            return pages.compactMap(\.self)
        }
    }

    /// Lets facts gather, unless there are enough for a group or a caller waits for one.
    private func rest() async {
        let isDue = state.withLock { state in
            state.isResting = state.waiting.isEmpty && state.head - state.position.sequence < Self.groupMax
            state.isWoken = state.isWoken && !state.isResting
            return !state.isResting
        }
        if isDue { return }
        let alarm = Task { [self] in
            try await Task.sleep(for: pause)
            state.withLock { $0.wake() }?.resume()
        }
        await sleep()
        alarm.cancel()
        state.withLock { $0.isResting = false }
    }

    private func sleep() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = state.withLock { state in
                    if state.isWoken || Task.isCancelled {
                        state.isWoken = false
                        return true
                    }
                    state.sleeper = continuation
                    return false
                }
                if now { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.wake() }?.resume()
        }
    }
}

/// A caller that waits for a fact. The fact, the deadline or a cancellation ends the wait, even before it begins.
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

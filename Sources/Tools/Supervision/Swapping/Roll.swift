/// Replaces processes that do the same work side by side, one after the other: the others serve meanwhile. At the first
/// that fails, those that were replaced go back in the same way.
///
/// A value, as ``Swap`` is: it takes events about the process whose turn it is, and returns orders.
package struct Roll {
    /// How long one may take to answer what it has and end. Then it is killed.
    package static let stopMax = Duration.milliseconds(3000)
    /// How long one may take from its start to its first answer.
    package static let healthyMax = Duration.seconds(10)

    /// How long the figures of both programs may take to come, beside the time for which they are compared.
    package static let judgingMax = Duration.seconds(15)

    /// The first that are replaced serve beside the others for a while, before more are.
    package struct Trial: Sendable, Equatable {
        package let count: Int
        package let time: Duration

        package init(count: Int, time: Duration) { (self.count, self.time) = (count, time) }
    }

    package enum Event: Sendable, Equatable {
        case ended(status: Int32)
        case couldNotStart(String)
        case healthy
        case judged(Canary.Verdict)
        /// The time of the step is over.
        case late
    }

    package enum Order: Sendable, Equatable {
        /// Its turn begins: nobody else starts or ends it.
        case take(String)
        case terminate(String)
        case kill(String)
        case startNew(String)
        case startOld(String)
        /// Its turn is over.
        case giveBack(String)
        /// Compares those that run the new program with those that run the old one.
        case watch(new: [String], old: [String], time: Duration)
        case report(String)
        /// The time of the step that begins; ``Event/late`` when it is over.
        case time(Duration)
        case finished(Outcome)
    }

    package struct Outcome: Sendable, Equatable {
        /// Nil when all have been replaced.
        package let failure: Swap.Failure?
        /// Those that did not go back.
        package let kept: [String]

        package init(failure: Swap.Failure?, kept: [String] = []) { (self.failure, self.kept) = (failure, kept) }
    }

    private enum State { case idle, stopping, starting, watching, done }

    private var waiting: [String]
    private var current = ""
    private var replaced: [String] = []
    private var kept: [String] = []
    private var failure: Swap.Failure?
    private var state = State.idle
    /// Nil when it is over.
    private var trial: Trial?

    /// - Parameters:
    ///   - names: in the order in which they are replaced.
    ///   - trial: of fewer than all.
    package init(_ names: [String], trial: Trial? = nil) { (waiting, self.trial) = (names, trial) }

    /// The process whose turn it is; nil while the new ones are watched, and at the end.
    package var turn: String? { state == .stopping || state == .starting ? current : nil }
    /// Those that are watched.
    package var watched: [String] { state == .watching ? replaced : [] }

    /// The first orders.
    package mutating func begin() -> [Order] { next() }

    package mutating func handle(_ event: Event) -> [Order] {
        switch (state, event) {
        case (.stopping, .ended):
            state = .starting
            return [.time(Self.healthyMax), failure == nil ? .startNew(current) : .startOld(current)]
        case (.stopping, .late):
            return [.report("\(current) does not end: killed"), .time(Self.stopMax), .kill(current)]
        case (.starting, .healthy): return succeeded()
        case (.starting, .ended(let status)): return failed("it ended with status \(status)", isRunning: false)
        case (.starting, .couldNotStart(let reason)): return failed(reason, isRunning: false)
        case (.starting, .late):
            return failed("it had not answered within \(Int(Self.healthyMax / .seconds(1))) s", isRunning: true)
        case (.watching, .judged(.asGood)):
            return [.report("the new one is as good as the old one")] + next()
        case (.watching, .judged(.worse(let reason))), (.watching, .judged(.unknown(let reason))):
            return withdraw(reason)
        case (.watching, .ended(let status)): return withdraw("it ended with status \(status)")
        case (.watching, .late): return withdraw("the requests were not counted in time")
        default: return []
        }
    }

    private mutating func next() -> [Order] {
        guard let name = waiting.first else {
            state = .done
            return [.finished(Outcome(failure: failure, kept: kept))]
        }
        waiting.removeFirst()
        current = name
        return [.report("\(name) ends; the others serve"), .take(name)] + stop()
    }

    private mutating func stop() -> [Order] {
        state = .stopping
        return [.time(Self.stopMax), .terminate(current)]
    }

    private mutating func succeeded() -> [Order] {
        if failure == nil { replaced.append(current) }
        let report = failure == nil ? "\(current): the new one answers" : "\(current): the old one answers again"
        return [.report(report), .giveBack(current)] + (watch() ?? next())
    }

    private mutating func watch() -> [Order]? {
        guard failure == nil, let trial, replaced.count == trial.count else { return nil }
        self.trial = nil
        state = .watching
        let all = replaced.count + waiting.count
        return [
            .report("\(replaced.count) of \(all) run the new one, and are compared for \(trial.time / .seconds(1)) s"),
            .time(trial.time + Self.judgingMax), .watch(new: replaced, old: waiting, time: trial.time)
        ]
    }

    /// After the watch: those that were replaced go back.
    private mutating func withdraw(_ reason: String) -> [Order] {
        failure = Swap.Failure(step: .share, reason: reason)
        waiting = replaced.reversed()
        return [.report("refused: \(reason)")] + next()
    }

    private mutating func failed(_ reason: String, isRunning: Bool) -> [Order] {
        guard failure == nil else {
            // It is started again as any process that ends.
            kept.append(current)
            let report = Order.report("\(current): the old one does not answer: \(reason)")
            return [report, .giveBack(current)] + next()
        }
        failure = Swap.Failure(step: .start, reason: "\(current): \(reason)")
        // The last that was replaced goes back first, after this one.
        waiting = replaced.reversed()
        let report = Order.report("\(current): refused: \(reason); the old one is started again")
        if isRunning { return [report] + stop() }
        state = .starting
        return [report, .time(Self.healthyMax), .startOld(current)]
    }
}

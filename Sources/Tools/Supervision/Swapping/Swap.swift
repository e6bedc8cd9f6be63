/// Puts another process in a service's place while asks wait, and the old one back if anything is wrong with it.
///
/// A value, as ``SetKeeper`` is: it takes events and returns orders. The asks of the service wait in the
/// broker's queue from the pause to the resumption, which has to be well before they expire: each step has its time,
/// and all of them together have less than the ten seconds of a request.
///
/// A new one that takes the state over is put through the conformance kit after the resumption, as that takes longer
/// than asks are to wait. It then has what was done meanwhile, so it keeps the place until it has handed that over.
package struct Swap {
    package enum Step: String, Sendable {
        case takeOver = "take over"
        case pause, stop, start, check, resume
        case goBack = "go back"
        /// The set was stopped.
        case down
        /// The new program serves a share of the gateways.
        case share
    }

    /// How long the new one may take to copy the old one's state; asks are answered meanwhile.
    package static let copyMax = Duration.seconds(600)
    /// How long it may take to read the rest of the state while asks wait.
    package static let tailMax = Duration.milliseconds(2000)
    /// How long the old one may take to finish what it has and end; ours take 1.6 s at most. Then it is killed.
    package static let stopMax = Duration.milliseconds(2000)
    /// How long the new one may take to say READY.
    package static let readyMax = Duration.milliseconds(3000)
    /// How long one that has taken the state over, and runs already, may take to say READY.
    package static let promotionMax = Duration.milliseconds(1500)
    /// How long its check may take.
    package static let checkMax = Duration.milliseconds(2500)
    /// How long the comparison of its log with the old one's may take.
    package static let compareMax = Duration.milliseconds(1000)
    /// How long the check may take of one that serves already.
    package static let servingCheckMax = Duration.seconds(30)
    /// How long a new one that was refused may take to end. It has nothing that anybody waits for.
    package static let discardMax = Duration.milliseconds(300)
    /// How long the old one may take to be back. Then the queue flows again in any case.
    package static let backMax = Duration.milliseconds(1500)

    /// After which the broker resumes by itself: a request's ten seconds.
    package static let pauseMax = Duration.seconds(10)

    package enum Event: Sendable, Equatable {
        /// The new one has copied the old one's state, and follows its changes.
        case followed
        /// It has all of it.
        case completed
        case notTakenOver(String)
        /// The new one has ended while the old one serves. `said`: the reasons in its log, or nothing.
        case endedBeside(status: Int32, said: String = "")
        case paused
        /// The broker has not paused the service.
        case notPaused(String)
        /// The process that runs has ended, on request or by itself. `said`: the reasons in its log, or nothing.
        case ended(status: Int32, said: String = "")
        case couldNotStart(String)
        /// A worker of the service has answered.
        case ready
        case checked(passed: Bool, said: String)
        case resumed
        /// The broker does not answer. Its queues are in its memory: when it is gone, so is the pause.
        case notResumed(String)
        /// The time of the step is over.
        case late
    }

    package enum Order: Sendable, Equatable {
        /// Starts the new one, which takes the state over while the old one serves.
        case startBeside
        /// Has it read the rest of the state.
        case complete
        /// Has it serve: the old one has ended.
        case promote
        case pause
        case resume
        case terminate
        case kill
        case startNew
        case startOld
        case check
        /// Compares its log with the old one's.
        case compare
        /// A step has begun or ended, to be shown.
        case report(String)
        /// The time of the step that begins; ``Event/late`` when it is over.
        case time(Duration)
        case finished(Outcome)
    }

    package struct Outcome: Sendable, Equatable {
        /// Nil when the new one serves.
        package let failure: Failure?
        /// Whether any process serves now.
        package let isRunning: Bool
        /// Whether the new one keeps the place although it failed: it has what was done since the old one ended.
        package let keepsPlace: Bool

        package init(failure: Failure?, isRunning: Bool, keepsPlace: Bool = false) {
            self.failure = failure
            self.isRunning = isRunning
            self.keepsPlace = keepsPlace
        }
    }

    package struct Failure: Sendable, Equatable {
        package let step: Step
        package let reason: String

        package init(step: Step, reason: String) {
            self.step = step
            self.reason = reason
        }
    }

    private enum State: Equatable {
        case copying, completing
        case pausing, stopping, starting, comparing, checking, resuming, checkingServing
        case discarding, goingBack, resumingOld
        case done
    }

    private let service: String
    private let takesOver: Bool
    private var state = State.pausing
    private var failure: Failure?
    private var isRunning = true

    /// - Parameter takesOver: whether the new one reads the old one's state, which it does not have.
    package init(_ service: String, takesOver: Bool = false) {
        self.service = service
        self.takesOver = takesOver
    }

    /// The first orders.
    package mutating func begin() -> [Order] {
        guard takesOver else { return pause() }
        return goOn(
            .copying,
            [
                .report("starting the new one beside the old one, whose state it reads"), .time(Self.copyMax),
                .startBeside
            ])
    }

    private mutating func pause() -> [Order] {
        goOn(.pausing, [.report("pausing the queue of \(service)"), .time(.seconds(2)), .pause])
    }

    package mutating func handle(_ event: Event) -> [Order] {
        if case .ended = event { isRunning = false }
        switch (state, event) {
        case (.copying, .followed): return pause()
        case (.copying, .late): return refuse("it had not copied the state within \(Self.text(Self.copyMax))")
        case (.copying, .ended(let status, _)): return refuse("the old one ended meanwhile, with status \(status)")
        case (.copying, .couldNotStart(let reason)): return refuse("it cannot be started: \(reason)")
        case (.copying, .notTakenOver(let reason)), (.completing, .notTakenOver(let reason)): return refuse(reason)
        case (.copying, .endedBeside(let status, let said)), (.pausing, .endedBeside(let status, let said)),
            (.completing, .endedBeside(let status, let said)):
            return refuse(Self.ended(status, "before it had the state", said))
        case (.completing, .late): return refuse("it had not read the rest within \(Self.text(Self.tailMax))")
        case (.completing, .ended(let status, _)):
            return refuse("the old one ended meanwhile, with status \(status)")
        case (.completing, .completed):
            return goOn(
                .stopping, [.report("it has the whole state; the old one ends"), .time(Self.stopMax), .terminate])

        case (.pausing, .paused) where takesOver:
            return goOn(.completing, [.report("paused; it reads the rest"), .time(Self.tailMax), .complete])
        case (.pausing, .paused):
            state = .stopping
            return [.report("paused; the old one finishes what it has"), .time(Self.stopMax), .terminate]
        case (.pausing, .notPaused(let reason)):
            failure = Failure(step: .pause, reason: reason)
            return finish()
        case (.pausing, .late):
            failure = Failure(step: .pause, reason: Self.silence)
            // It may have paused.
            return goOn(.resumingOld, [.time(.seconds(2)), .resume])
        case (.pausing, .ended(let status, _)):
            // It ended by itself: whoever keeps the set brings it back.
            failure = Failure(step: .pause, reason: "the old one ended meanwhile, with status \(status)")
            return goOn(.resumingOld, [.time(.seconds(2)), .resume])

        case (.stopping, .ended):
            state = .starting
            isRunning = true
            if takesOver {
                return [.report("the old one has ended; the new one serves"), .time(Self.promotionMax), .promote]
            }
            return [.report("the old one has ended; starting the new one"), .time(Self.readyMax), .startNew]
        case (.stopping, .late): return [.report("the old one does not end: killed"), .time(Self.stopMax), .kill]

        case (.starting, .ready) where takesOver:
            return goOn(
                .comparing, [.report("the new one is READY; comparing its log"), .time(Self.compareMax), .compare])
        case (.starting, .ready):
            return goOn(.checking, [.report("the new one is READY; checking it"), .time(Self.checkMax), .check])
        case (.starting, .couldNotStart(let reason)):
            isRunning = false
            failure = Failure(step: .start, reason: "it cannot be started: \(reason)")
            return goBack()
        case (.starting, .ended(let status, let said)):
            failure = Failure(step: .start, reason: Self.ended(status, "before it was READY", said))
            return goBack()
        case (.starting, .late):
            let time = Self.text(takesOver ? Self.promotionMax : Self.readyMax)
            failure = Failure(step: .start, reason: "it was not READY and answering within \(time)")
            return discard()

        case (.checking, .checked(passed: true, _)), (.comparing, .checked(passed: true, _)):
            return goOn(.resuming, [.report("it passed; resuming"), .time(.seconds(2)), .resume])
        case (.checking, .checked(passed: false, let said)), (.comparing, .checked(passed: false, let said)):
            failure = Failure(step: .check, reason: said)
            return discard()
        case (.checking, .ended(let status, let said)), (.comparing, .ended(let status, let said)):
            failure = Failure(step: .check, reason: Self.ended(status, "while it was checked", said))
            return goBack()
        case (.checking, .late), (.comparing, .late):
            let time = Self.text(state == .checking ? Self.checkMax : Self.compareMax)
            failure = Failure(step: .check, reason: "the check took longer than \(time)")
            return discard()

        case (.resuming, .resumed) where takesOver:
            return goOn(
                .checkingServing, [.report("the queue flows to it; checking it"), .time(Self.servingCheckMax), .check])
        case (.checkingServing, .checked(passed: true, _)): return finish()
        case (.checkingServing, .checked(passed: false, let said)):
            failure = Failure(step: .check, reason: said)
            return finish()
        case (.checkingServing, .ended(let status, let said)):
            failure = Failure(step: .check, reason: Self.ended(status, "while it was checked", said))
            return finish()
        case (.checkingServing, .late):
            failure = Failure(
                step: .check, reason: "the check took longer than \(Self.text(Self.servingCheckMax))")
            return finish()

        case (.discarding, .ended): return goBack()
        case (.discarding, .late): return [.kill]

        case (.goingBack, .ready):
            return goOn(.resumingOld, [.report("the old one is READY again"), .time(.seconds(2)), .resume])
        case (.goingBack, .ended), (.goingBack, .couldNotStart):
            isRunning = false
            return goOn(.resumingOld, [.report("THE OLD ONE DOES NOT START"), .time(.seconds(2)), .resume])
        case (.goingBack, .late):
            return goOn(
                .resumingOld,
                [.report("the old one is not READY yet; resuming all the same"), .time(.seconds(2)), .resume])

        case (.resuming, .resumed), (.resumingOld, .resumed): return finish()
        // The new one has the place, and maybe the only state.
        case (.resuming, .notResumed(let reason)): return finishPaused(reason)
        case (.resuming, .late): return finishPaused(Self.silence)
        case (.resumingOld, .notResumed(let reason)):
            failure = failure ?? Failure(step: .resume, reason: reason)
            return finish()
        case (.resumingOld, .late):
            failure = failure ?? Failure(step: .resume, reason: Self.silence)
            return finish()

        // What comes too late, or twice, or tells of a process that is on its way out.
        default: return []
        }
    }

    private mutating func goOn(_ next: State, _ orders: [Order]) -> [Order] {
        state = next
        return orders
    }

    /// The old one goes on; whoever carries this out ends the new one.
    private mutating func refuse(_ reason: String) -> [Order] {
        failure = Failure(step: .takeOver, reason: reason)
        if state == .copying { return finish() }
        return goOn(.resumingOld, [.report("refused: \(reason)"), .time(.seconds(2)), .resume])
    }

    private mutating func discard() -> [Order] {
        goOn(.discarding, [.report("refused: the new one is ended"), .time(Self.discardMax), .terminate])
    }

    private mutating func goBack() -> [Order] {
        isRunning = true
        return goOn(.goingBack, [.report("starting the old one again"), .time(Self.backMax), .startOld])
    }

    private mutating func finishPaused(_ reason: String) -> [Order] {
        let most = Self.text(Self.pauseMax)
        return [.report("the queue was not resumed (\(reason)): it flows by itself \(most) after its pause")] + finish()
    }

    private mutating func finish() -> [Order] {
        let keepsPlace = state == .checkingServing && failure != nil
        return goOn(.done, [.finished(Outcome(failure: failure, isRunning: isRunning, keepsPlace: keepsPlace))])
    }

    private static let silence = "the broker does not answer"

    private static func ended(_ status: Int32, _ when: String, _ said: String) -> String {
        "it ended with status \(status) \(when)" + (said.isEmpty ? "" : "; its log says: \(said)")
    }

    private static func text(_ time: Duration) -> String { "\(Int(time / .milliseconds(1))) ms" }
}

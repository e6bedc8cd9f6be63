import Contracts

/// One thing that a service has to do, by the name that it is refused under.
package struct Case: Sendable {
    /// What a case needs to be allowed.
    package enum Reach: Sendable, Equatable {
        /// Asks only what leaves nothing behind: also for a set that serves people.
        case reading
        /// Makes accounts, cards, charges under ids of its own, which stay.
        case changing
        /// Stops, kills and starts the process.
        case controlling
    }

    /// `wallet.payment.post.v1/again`, or `wallet/drain`.
    package let name: String
    /// What holds for a service that passes, in one sentence.
    package let asserts: String
    package let reach: Reach
    /// The ask that it is about, where it is about one.
    package let type: MessageType?
    let run: @Sendable (Trial) async throws -> Void

    init(
        _ name: String, _ asserts: String, _ reach: Reach, type: MessageType? = nil,
        run: @escaping @Sendable (Trial) async throws -> Void
    ) {
        self.name = name
        self.asserts = asserts
        self.reach = reach
        self.type = type
        self.run = run
    }
}

/// What a case works with.
package struct Trial: Sendable {
    /// Asks the service under test and looks at each answer's form.
    let asker: Asker
    /// People, cards, merchants: made as they are needed, by asking the set.
    let world: World
    /// The process under test; nil where it is not ours to stop.
    let process: (any ControlledProcess)?
    /// The facts of the service under test; nil where it publishes none.
    let log: FactLog?
    /// Asks that the service leaves out, and may.
    let missing: Set<MessageType>

    /// What random sequences follow from.
    let seed: UInt64

    /// The newest fact; 0 where there are none.
    func head() async throws -> Int64 { try await log?.head() ?? 0 }

    /// Returns in a later millisecond, so that what happens next has another time than what was.
    func nextMillisecond() async throws {
        let now = asker.now.milliseconds
        while asker.now.milliseconds <= now { try await Task.sleep(for: .microseconds(200)) }
    }
}

/// A process that the kit may stop, freeze, kill and start again.
package protocol ControlledProcess: Sendable {
    /// Sends a signal to the process and to what it has started.
    func send(_ signal: Int32) async
    /// SIGSTOP; returns when it has taken effect.
    func freeze() async
    /// Returns when the process is gone.
    ///
    /// - Throws: `Wrong` when it still runs after so many seconds.
    func awaitEnd(seconds: Int) async throws
    /// Starts it and returns when it answers.
    func startAgain() async throws
}

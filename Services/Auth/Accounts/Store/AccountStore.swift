import Bus
import Contracts
import Primitives

/// What auth keeps. Each function is one transaction, durable when it returns, the facts it leads to among it.
///
/// Decisions come back as values; the only fault that a store throws of itself is `bus.unavailable` (the disk).
package protocol AccountStore: FactLog {
    func account(_ id: PartyID) async throws(Fault) -> AccountRecord?
    /// Exact, case-sensitive match (001-87).
    func account(named username: String) async throws(Fault) -> AccountRecord?
    /// Fact: `AccountRegistered`.
    func register(_ registration: Registration, passwordHash: String, by cause: Cause) async throws(Fault)
        -> Registering

    // MARK: Passwords

    /// Counts a try at the name as wrong, unless it has to wait. Does the same whether or not the name exists.
    func beginLogin(_ name: LoginName, under policy: AttemptPolicy, at now: Timestamp) async throws(Fault) -> LoginTry
    /// Gives back a try that was never checked.
    func refundLogin(_ name: LoginName, ticket: Int, under policy: AttemptPolicy) async throws(Fault)
    /// Forgets wrong tries after a right one.
    func clearLogin(_ name: LoginName) async throws(Fault)

    // MARK: Sessions

    /// Opens a session and clears the name's count; ends the account's oldest sessions beyond `sessionsMax`.
    /// Facts: `SessionClosed` for each of those.
    func openSession(_ session: NewSession, sessionsMax: Int, by cause: Cause) async throws(Fault) -> Auth.SessionView
    /// Nil for an ended or expired session.
    func session(digest: [UInt8], at now: Timestamp) async throws(Fault) -> Auth.SessionView?
    /// Whether the account had this session. Fact if so: `SessionClosed`.
    func closeSession(_ id: SessionID, of account: PartyID, by cause: Cause) async throws(Fault) -> Bool

    // MARK: PINs

    /// Sets the PIN, clears its failures and lock, and the password's count. What the old PIN had opened is closed: the
    /// account's sessions count as without PIN.
    func setPIN(_ hash: String, of account: PartyID, provedAs name: LoginName) async throws(Fault)
    /// Counts a try as wrong, unless it may not be made. Fact: `PINLocked` where a lock is found missing (the process
    /// ended between the last try and its lock).
    func beginPIN(_ at: PINTarget, under policy: AttemptPolicy, by cause: Cause) async throws(Fault) -> PINTry
    /// Gives back a try that was never checked.
    func refundPIN(of account: PartyID, ticket: Int, under policy: AttemptPolicy) async throws(Fault)
    /// Settles a wrong try. Returns when the next is accepted, if that is later than now. Fact: `PINLocked`, once.
    func rejectPIN(of account: PartyID, under policy: AttemptPolicy, by cause: Cause) async throws(Fault) -> Timestamp?
    /// Settles a right try: clears the count and marks the session.
    func confirmPIN(_ proof: PINProof, by cause: Cause) async throws(Fault) -> PINConfirming

    // MARK: Upkeep

    /// Deletes expired sessions and forgotten login names, at most `AccountSweep.rowsMax` of each.
    func sweep(_ sweep: AccountSweep) async throws(Fault) -> AccountSweep.Swept
}

/// What leads to a change: when, and which ask.
package struct Cause: Sendable {
    package let time: Timestamp
    package let context: AskContext

    package init(time: Timestamp, context: AskContext) {
        self.time = time
        self.context = context
    }
}

package struct AccountRecord: Sendable {
    package let view: Auth.AccountView
    package let passwordHash: String
    /// `Registration.fingerprint`.
    package let fingerprint: [UInt8]
}

package enum Registering: Sendable {
    case registered(Auth.AccountView)
    /// The id is in use; whether for the same registration is still to be found out.
    case exists(AccountRecord)
    case usernameTaken
}

package enum LoginTry: Sendable {
    /// To be checked. Without an account: against the decoy. `ticket` is for `refundLogin`.
    case check(AccountRecord?, ticket: Int)
    case wait(seconds: Int)
}

package struct NewSession: Sendable {
    package let id: SessionID
    /// `SessionToken.digest`.
    package let digest: [UInt8]
    package let account: Auth.AccountView
    package let expires: Timestamp
    package let loginName: LoginName
    /// The hash that the password was right for, and the one to put in its place where its cost is outdated.
    package let passwordHash: String
    package let newPasswordHash: String?
}

package struct PINTarget: Sendable {
    package let account: PartyID
    package let session: SessionID
}

package enum PINTry: Sendable {
    case check(hash: String, ticket: Int)
    case wait(seconds: Int)
    case locked
    case notSet
    /// No such session of this account.
    case noSession
}

package struct PINProof: Sendable {
    package let target: PINTarget
    /// The hash that the PIN was right for: nothing is proved if another was set meanwhile.
    package let hash: String
    /// To be stored in its place, where its cost is outdated.
    package let newHash: String?
    package let verifiedUntil: Timestamp
}

package enum PINConfirming: Sendable, Equatable {
    case verified(until: Timestamp)
    /// Another PIN was set while this one was being checked.
    case replaced
    /// Another try locked the PIN while this one was being checked.
    case locked
    case noSession
}

/// One round of forgetting.
package struct AccountSweep: Sendable {
    /// Rows of one kind deleted by one round, so that it never holds up the log-ins for long.
    package static let rowsMax = 1000

    package let now: Timestamp
    /// Names last tried before this are forgotten.
    package let loginsBefore: Timestamp
    /// Of more than this many names the longest untried are forgotten.
    package let loginNamesMax: Int

    package struct Swept: Sendable, Equatable {
        package var sessions: Int
        package var loginNames: Int

        package init(sessions: Int, loginNames: Int) {
            self.sessions = sessions
            self.loginNames = loginNames
        }

        /// Whether another round would find more.
        package var isFull: Bool { max(sessions, loginNames) >= AccountSweep.rowsMax }
    }
}

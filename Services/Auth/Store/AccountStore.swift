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

    /// Opens a session and clears the name's count; ends the account's oldest sessions beyond `sessionsMax`. Nil, and
    /// nothing done, where the account has another password hash by now than the one that was checked.
    /// Facts: `SessionClosed` for each of those.
    func openSession(_ session: NewSession, sessionsMax: Int, by cause: Cause) async throws(Fault) -> Auth.SessionView?
    /// Nil for an ended or expired session.
    func session(digest: [UInt8], at now: Timestamp) async throws(Fault) -> Auth.SessionView?
    /// Whether the account had this session. Fact if so: `SessionClosed`.
    func closeSession(_ id: SessionID, of account: PartyID, by cause: Cause) async throws(Fault) -> Bool

    // MARK: PINs

    func pinStanding(of account: PartyID, in session: SessionID?, at now: Timestamp) async throws(Fault) -> PINStanding
    /// Sets the PIN, clears its failures and lock, and the password's count. What the old PIN had opened is closed: the
    /// account's sessions count as without PIN. The sessions that this changed; nil, and nothing done, where the account has
    /// another password hash by now. Facts: `SessionChanged` for each; `CredentialChanged` and `LetterQueued` where
    /// there was a PIN before.
    func setPIN(_ change: PINChange, by cause: Cause) async throws(Fault) -> [SessionID]?
    /// Counts a try as wrong, unless it may not be made. Fact: `PINLocked` where a lock is found missing (the process
    /// ended between the last try and its lock).
    func beginPIN(_ at: PINTarget, under policy: AttemptPolicy, by cause: Cause) async throws(Fault) -> PINTry
    /// Gives back a try that was never checked.
    func refundPIN(of account: PartyID, ticket: Int, under policy: AttemptPolicy) async throws(Fault)
    /// Settles a wrong try. Returns when the next is accepted, if that is later than now. Fact: `PINLocked`, once.
    func rejectPIN(of account: PartyID, under policy: AttemptPolicy, by cause: Cause) async throws(Fault) -> Timestamp?
    /// Settles a right try: clears the count and marks the session.
    func confirmPIN(_ proof: PINProof, by cause: Cause) async throws(Fault) -> PINConfirming

    // MARK: Profiles

    /// Nil where there is no such account.
    func profile(of account: PartyID) async throws(Fault) -> Auth.ProfileView?
    /// Changes fields of a profile; the name too, where one is given. Facts: `ProfileChanged` where that changed anything;
    /// `CredentialChanged`, `LetterQueued` and `SessionChanged` for each session where it changed the address.
    func updateProfile(_ update: ProfileUpdate, by cause: Cause) async throws(Fault) -> ProfileUpdating

    // MARK: Merchants

    /// Nil where there is no such merchant. Fact, where that changed anything: `MerchantDecided`.
    func decide(
        _ merchant: PartyID, _ status: Auth.MerchantStatus, reason: String?, by cause: Cause
    ) async throws(Fault) -> Auth.MerchantView?
    /// In the order of their ids.
    func merchants(
        _ status: Auth.MerchantStatus?, after: PartyID?, limit: Int
    ) async throws(Fault) -> [Auth.MerchantView]

    // MARK: New passwords

    /// Sets the password, clears the name's count, ends the other sessions and takes a mailed code back. The sessions that
    /// this ended; nil, and nothing done, where the account has another password hash by now than the one that was
    /// checked. Facts: `CredentialChanged`, `LetterQueued`, `SessionClosed` for each.
    func changePassword(_ change: PasswordChange, by cause: Cause) async throws(Fault) -> [SessionID]?
    /// Counts a request under the name and, where name and address are of one account, writes down a letter to be sent,
    /// in the place of an earlier one. Seconds to wait, and nothing done, where there were too many. Counts and commits
    /// the same whether or not they are. Fact: `LetterQueued` where they are.
    func requestReset(
        _ request: ResetRequest, under policy: AttemptPolicy, by cause: Cause
    ) async throws(Fault) -> Int?
    /// Counts a try at a code as wrong, unless it has to wait. Does the same whether or not there is a code.
    func beginReset(
        _ name: LoginName, _ kind: MailedCode, under policy: AttemptPolicy, at now: Timestamp
    ) async throws(Fault) -> ResetTry
    /// Sets the password, clears the counts, ends all sessions and spends the code; puts the address back where the code
    /// is for that, and spends the codes of later changes. The sessions that this ended; nil, and nothing done, where the
    /// code is spent or expired by now. Facts: `CredentialChanged`, `LetterQueued`, `SessionClosed` for each.
    func useReset(_ use: ResetUse, by cause: Cause) async throws(Fault) -> [SessionID]?

    // MARK: Letters

    /// A letter that waits to be sent; nil once it was confirmed, or its time is up.
    func letter(_ id: LetterID, at now: Timestamp) async throws(Fault) -> OwnerLetter?
    /// Whether the letter still waited. It does not any more.
    func confirmLetter(_ id: LetterID) async throws(Fault) -> Bool

    // MARK: Administrators

    /// In the order of their ids.
    func administrators(after: PartyID?, limit: Int) async throws(Fault) -> [Auth.AdministratorView]
    /// Removes an administrator's account with all that there is of it. Facts: `SessionClosed` for each of its sessions.
    func removeAdministrator(
        named username: String, evenLast: Bool, by cause: Cause
    ) async throws(Fault) -> Removing

    // MARK: Upkeep

    /// Deletes expired sessions, codes and letters, holds that are over and forgotten login names, at most `AccountSweep.rowsMax` of each.
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

package struct PasswordChange: Sendable {
    package let account: PartyID
    package let loginName: LoginName
    /// The hash that the password was right for; nil where none was asked for.
    package let passwordHash: String?
    package let newPasswordHash: String
    /// The session that does not end.
    package let staying: SessionID?
    package let letter: LetterOrder
}

/// What a letter to an account's owner is written with.
package struct LetterOrder: Sendable {
    package let id: LetterID
    /// Under which letters to this account are counted.
    package let name: LoginName
    package let policy: AttemptPolicy
    package let expires: Timestamp
}

/// What a mailed code is for.
package enum MailedCode: Sendable {
    case newPassword
    /// To put back the address that an account had before.
    case oldAddress
}

package struct ResetRequest: Sendable {
    package let id: ResetID
    package let name: LoginName
    package let email: String
    package let expires: Timestamp
}

package enum ResetTry: Sendable {
    /// To be checked; nil where there is no code for that name. `ticket` is for `refundLogin`.
    case check((ids: [ResetID], account: PartyID)?, ticket: Int)
    case wait(seconds: Int)
}

package struct ResetUse: Sendable {
    package let reset: ResetID
    package let kind: MailedCode
    package let account: PartyID
    package let codeName: LoginName
    package let loginName: LoginName
    package let newPasswordHash: String
    package let heldUntil: Timestamp
    package let letter: LetterOrder
}

package struct ProfileUpdate: Sendable {
    package let account: PartyID
    package let name: String?
    package let profile: Auth.Profile
    /// Those of `profile` that are written.
    package let fields: Set<Auth.ProfileField>
    /// That the owner asks for another address.
    package let proof: AddressProof?
}

package struct AddressProof: Sendable {
    package let loginName: LoginName
    /// The hash that the password was right for.
    package let passwordHash: String
    package let heldUntil: Timestamp
    package let letter: LetterOrder
}

package enum ProfileUpdating: Sendable {
    case updated(Auth.ProfileView)
    case unknown
    /// The account has another password or another address by now than the ones that were looked at.
    case overtaken
    case wait(seconds: Int)
}

package enum Removing: Sendable {
    case removed(PartyID, closed: [SessionID])
    case unknown
    /// There is no other administrator.
    case last
}

package struct PINStanding: Sendable, Equatable {
    package let isSet: Bool
    /// Whether it was entered in the session lately.
    package let isProved: Bool
    /// Whether the password alone replaces it: it is locked, or transfers are held anyway.
    package let isReplaceable: Bool
    /// When the account was made.
    package let registered: Timestamp
}

package struct PINChange: Sendable {
    package let account: PartyID
    package let hash: String
    package let loginName: LoginName
    /// The hash that the password was right for.
    package let passwordHash: String
    /// Where the PIN before was not proved, or an account that is not new gets its first one.
    package let heldUntil: Timestamp?
    package let letter: LetterOrder
}

package struct PINTarget: Sendable {
    package let account: PartyID
    /// The one to mark; none where the PIN proves one ask only.
    package let session: SessionID?
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

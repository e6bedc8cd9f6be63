import Bus
import Contracts
import Primitives

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
    /// What the client says that it is.
    package let client: String?
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

/// Somebody asks which usernames an address has.
package struct UsernamesRequest: Sendable {
    package let id: LetterID
    /// Under which letters to this address are counted.
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
    /// To be settled under the same policy.
    case check(hash: String, ticket: Int, AttemptPolicy)
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

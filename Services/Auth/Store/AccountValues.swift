import Bus
import Contracts
import Primitives

package struct AccountRecord: Sendable {
    package let view: Auth.AccountView
    /// The administrator's words with the decision about a merchant.
    package let reason: String?
    package let passwordHash: String
    /// `Registration.fingerprint`.
    package let fingerprint: [UInt8]
}

package enum Registering: Sendable {
    case registered(Auth.AccountView)
    /// The id is in use. The caller compares the registrations.
    case exists(AccountRecord)
    case usernameTaken
}

package enum LoginTry: Sendable {
    /// The password has to be checked; without an account, against the decoy. `ticket` is for `refundLogin`.
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
    /// The hash that the password was checked against, and its replacement if its cost is outdated.
    package let passwordHash: String
    package let newPasswordHash: String?
    /// What the client says that it is.
    package let client: String?
}

package struct PasswordChange: Sendable {
    package let account: PartyID
    package let loginName: LoginName
    /// The hash that the password was checked against; nil if none was required.
    package let passwordHash: String?
    package let newPasswordHash: String
    /// The session that stays open.
    package let staying: SessionID?
    package let letter: LetterOrder
}

/// The id, count, limit and expiry of a letter to an account's owner.
package struct LetterOrder: Sendable {
    package let id: LetterID
    /// The name under which letters to this account are counted.
    package let name: LoginName
    package let policy: AttemptPolicy
    package let expires: Timestamp
}

/// The purpose of a mailed code.
package enum MailedCode: Sendable {
    case newPassword
    /// Restores the old address of an account.
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
    /// The fields of `profile` that are written.
    package let fields: Set<Auth.ProfileField>
    /// The owner's proof, for a new address.
    package let proof: AddressProof?
}

package struct AddressProof: Sendable {
    package let loginName: LoginName
    /// The hash that the password was checked against.
    package let passwordHash: String
    package let heldUntil: Timestamp
    package let letter: LetterOrder
}

package enum ProfileUpdating: Sendable {
    case updated(Auth.ProfileView)
    case unknown
    /// The account's password or address has changed since it was checked.
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
    /// Whether the PIN was verified in the session lately.
    package let isProved: Bool
    /// Whether the password alone replaces the PIN: it is locked, or transfers are held anyway.
    package let isReplaceable: Bool
    /// When the account was registered.
    package let registered: Timestamp
}

package struct PINChange: Sendable {
    package let account: PartyID
    package let hash: String
    package let loginName: LoginName
    /// The hash that the password was checked against.
    package let passwordHash: String
    /// The end of the hold on transfers, if the old PIN was not proved or an older account gets its first PIN.
    package let heldUntil: Timestamp?
    package let letter: LetterOrder
}

package struct PINTarget: Sendable {
    package let account: PartyID
    /// The session to mark; nil if the PIN proves one ask only.
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
    /// The hash that the PIN was checked against. Nothing is proved if another PIN was set in the meantime.
    package let hash: String
    /// Its replacement, if its cost is outdated.
    package let newHash: String?
    package let verifiedUntil: Timestamp
}

package enum PINConfirming: Sendable, Equatable {
    case verified(until: Timestamp)
    /// Another PIN was set during the check.
    case replaced
    /// Another try locked the PIN during the check.
    case locked
    case noSession
}

/// One round of the sweep.
package struct AccountSweep: Sendable {
    /// Rows of one kind that a round deletes at most, so that log-ins do not wait long.
    package static let rowsMax = 1000

    package let now: Timestamp
    /// Names whose last try is older are deleted.
    package let loginsBefore: Timestamp
    /// If there are more names, those with the oldest tries are deleted.
    package let loginNamesMax: Int

    package struct Swept: Sendable, Equatable {
        package var sessions: Int
        package var loginNames: Int

        package init(sessions: Int, loginNames: Int) {
            self.sessions = sessions
            self.loginNames = loginNames
        }

        /// Whether another round would delete more.
        package var isFull: Bool { max(sessions, loginNames) >= AccountSweep.rowsMax }
    }
}

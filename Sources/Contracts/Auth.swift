import Primitives
import Wire

/// All that one may ask of auth, or hear from it: who is who, and who has proved it.
package enum Auth: FactSource {
    package static let service = "auth"

    package enum Role: String, Codable, Sendable, CaseIterable {
        case customer, merchant, administrator
    }

    /// Makes an account. Usernames are unique over all roles and case-sensitive (A41). Keyed on `account`.
    package struct RegisterAccount: Ask, Equatable {
        package static let type: MessageType = "auth.account.register.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .usernameTaken, .usernameInvalid, .passwordInvalid, .nameInvalid, .emailInvalid, .birthdateInvalid,
            .profileInvalid, .registrationReused, .tooManyAttempts, .busy
        ]

        package struct Reply: WireMessage, Equatable {
            package let account: AccountView
            package let replayed: Bool

            package init(account: AccountView, replayed: Bool) {
                self.account = account
                self.replayed = replayed
            }
        }

        package let account: PartyID
        package let role: Role
        /// 1 to 64 characters of letters, digits and `._@+-`.
        package let username: String
        /// 8 to 128 bytes of UTF-8.
        package let password: String
        /// What others see: a merchant's name on receipts. Where none is given, a merchant's business name, or else the
        /// username; at most 100 bytes.
        package let name: String?
        package let profile: Profile?
        /// A merchant's: whether it may charge from the start (A36). Of services only; where it is absent, auth's setting
        /// says.
        package let approved: Bool?

        package init(
            account: PartyID, role: Role, username: String, password: String, name: String?, profile: Profile? = nil,
            approved: Bool? = nil
        ) {
            self.account = account
            self.role = role
            self.username = username
            self.password = password
            self.name = name
            self.profile = profile
            self.approved = approved
        }
    }

    package struct AccountView: WireMessage, Equatable {
        package let account: PartyID
        package let role: Role
        package let username: String
        package let name: String
        /// A merchant's: only an approved one may charge (A36).
        package let status: MerchantStatus?

        package init(account: PartyID, role: Role, username: String, name: String, status: MerchantStatus? = nil) {
            self.account = account
            self.role = role
            self.username = username
            self.name = name
            self.status = status
        }
    }

    /// What an account shows of itself, by its id or by its username (exactly one of the two).
    package struct ReadAccount: Ask, Equatable {
        package static let type: MessageType = "auth.account.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.partyNotFound]
        package typealias Reply = AccountView

        package let account: PartyID?
        package let username: String?

        package init(account: PartyID? = nil, username: String? = nil) {
            self.account = account
            self.username = username
        }
    }

    /// Logs in. Every try counts; an unknown username costs the same time as a wrong password.
    package struct OpenSession: Ask, Equatable {
        package static let type: MessageType = "auth.session.open.v1"
        package static let retry = RetryClass.once
        package static let faults: [FaultCode] = [.wrongCredentials, .tooManyAttempts, .busy]

        package struct Reply: WireMessage, Equatable {
            /// 256 random bits; shown this once and stored as a digest only.
            package let token: String
            package let session: SessionView

            package init(token: String, session: SessionView) {
                self.token = token
                self.session = session
            }
        }

        package let username: String
        package let password: String

        package init(username: String, password: String) {
            self.username = username
            self.password = password
        }
    }

    package struct SessionView: WireMessage, Equatable {
        package let session: SessionID
        package let account: PartyID
        package let role: Role
        package let expires: Timestamp
        /// Until when the PIN counts as entered; absent when it does not.
        package let pinVerifiedUntil: Timestamp?
        /// Until when the account may transfer no money to others, as it was recovered or its e-mail address changed;
        /// absent when it may.
        package let transfersHeldUntil: Timestamp?

        package init(
            session: SessionID, account: PartyID, role: Role, expires: Timestamp, pinVerifiedUntil: Timestamp?,
            transfersHeldUntil: Timestamp? = nil
        ) {
            self.session = session
            self.account = account
            self.role = role
            self.expires = expires
            self.pinVerifiedUntil = pinVerifiedUntil
            self.transfersHeldUntil = transfersHeldUntil
        }
    }

    /// Whose token this is. The bus carries the token's SHA-256 only.
    package struct ReadSession: Ask, Equatable {
        package static let type: MessageType = "auth.session.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.sessionNotFound]
        package typealias Reply = SessionView

        /// SHA-256 of the token's text, 64 lowercase hex digits.
        package let tokenDigest: String

        package init(tokenDigest: String) { self.tokenDigest = tokenDigest }
    }

    /// Logs out. Ending an ended session is no error.
    package struct CloseSession: Ask, Equatable {
        package static let type: MessageType = "auth.session.close.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            /// Whether there was a session to end.
            package let closed: Bool
            package init(closed: Bool) { self.closed = closed }
        }

        package let session: SessionID
        package let account: PartyID

        package init(session: SessionID, account: PartyID) {
            self.session = session
            self.account = account
        }
    }

    /// Sets the account's PIN; the password proves who asks. Clears failures and lock.
    ///
    /// An account that has a PIN also proves that one: entered in the session lately, or given. A PIN that is locked,
    /// and that of an account whose transfers are held, is replaced without it; then transfers are held for a day.
    package struct SetPIN: Ask, Equatable {
        package static let type: MessageType = "auth.pin.set.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [
            .partyNotFound, .pinInvalid, .wrongCredentials, .tooManyAttempts, .pinRequired, .pinWrong, .pinDelayed,
            .busy
        ]

        package struct Reply: WireMessage, Equatable {
            package let set: Bool
            /// The sessions in which the old PIN was entered: they count as without PIN now. Absent without any.
            package let changed: [SessionID]?

            package init(set: Bool, changed: [SessionID]? = nil) {
                self.set = set
                self.changed = changed
            }
        }

        package let account: PartyID
        package let password: String
        /// Four digits.
        package let pin: String
        /// The session that asks.
        package let session: SessionID?
        /// The PIN that is replaced, where it was not entered in the session lately. Counts as a try at it.
        package let currentPin: String?

        package init(
            account: PartyID, password: String, pin: String, session: SessionID? = nil, currentPin: String? = nil
        ) {
            self.account = account
            self.password = password
            self.pin = pin
            self.session = session
            self.currentPin = currentPin
        }
    }

    /// Checks a PIN and, when it is right, marks the session for a quarter of an hour. Every wrong one counts.
    package struct VerifyPIN: Ask, Equatable {
        package static let type: MessageType = "auth.pin.verify.v1"
        package static let retry = RetryClass.once
        package static let faults: [FaultCode] = [
            .pinWrong, .pinDelayed, .pinLocked, .pinNotSet, .pinInvalid, .sessionNotFound, .busy
        ]

        package struct Reply: WireMessage, Equatable {
            package let verifiedUntil: Timestamp
            package init(verifiedUntil: Timestamp) { self.verifiedUntil = verifiedUntil }
        }

        package let account: PartyID
        package let session: SessionID
        package let pin: String

        package init(account: PartyID, session: SessionID, pin: String) {
            self.account = account
            self.session = session
            self.pin = pin
        }
    }

    // MARK: Facts

    package struct PINLocked: Fact, Equatable {
        package static let type: MessageType = "auth.pin.locked.v1"
        package let account: PartyID
        package let time: Timestamp

        package init(account: PartyID, time: Timestamp) {
            self.account = account
            self.time = time
        }
    }

    /// What a session may do has changed: another PIN was set, or transfers are held. Copies have to be read again.
    package struct SessionChanged: Fact, Equatable {
        package static let type: MessageType = "auth.session.changed.v1"
        package let session: SessionID
        package let account: PartyID
        package let time: Timestamp

        package init(session: SessionID, account: PartyID, time: Timestamp) {
            self.session = session
            self.account = account
            self.time = time
        }
    }

    package struct SessionClosed: Fact, Equatable {
        package static let type: MessageType = "auth.session.closed.v1"
        package let session: SessionID
        package let account: PartyID
        package let time: Timestamp

        package init(session: SessionID, account: PartyID, time: Timestamp) {
            self.session = session
            self.account = account
            self.time = time
        }
    }
}

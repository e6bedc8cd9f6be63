import Primitives
import Wire

/// Accounts, passwords, PINs and sessions: who is who, and who has proved it.
package enum Auth: StateOwner, TableSource {
    package static let service = "auth"
    package static var sample: any Fact { PINLocked.examples.fact }
    package static var sampleTable: PrintedTable { .merchants }
    package static var key: ServiceKey? { ServiceKey(file: "auth.key", setting: "BILLFOLD_AUTH_KEY_FILE") }

    package enum Role: String, Codable, Sendable, CaseIterable {
        case customer, merchant, administrator
    }

    /// Makes an account. Usernames are unique over all roles and case-sensitive. Keyed on `account`.
    package struct RegisterAccount: Ask, Equatable {
        package static let type: MessageType = "auth.account.register.v1"
        package static let effect: Effect<Self> = .keyed(by: \.account)
        package static let access: Access<Self> = .anyone.onlyServices {
            $0.role == .administrator || $0.approved != nil || $0.simulated != nil
        }
        package static let limits: [Limit<Self>] = [
            .text(\.username, of: .username, 1...64, or: .usernameInvalid, example: "ada"),
            .text(\.password, 8...128, or: .passwordInvalid, example: "correct horse battery staple"),
            .text(\.name, 1...100, or: .nameInvalid, example: "Ada Lovelace")
        ]
        package static let faults: [FaultCode] = [
            .usernameTaken, .usernameInvalid, .passwordInvalid, .nameInvalid, .emailInvalid, .birthdateInvalid,
            .profileInvalid, .registrationReused, .tooManyAttempts, .busy
        ]
        package static var examples: Examples<Self> {
            Examples(
                Auth.RegisterAccount(
                    account: Samples.merchant, role: .merchant, username: "corner.cafe", password: "correct horse",
                    name: "Corner \"Café\"", profile: Samples.profile, approved: true, simulated: true),
                bare: Auth.RegisterAccount(
                    account: Samples.customer, role: .customer, username: "alice@example.com",
                    password: "correct horse", name: nil),
                reply: Auth.RegisterAccount.Reply(account: Samples.account, replayed: false),
                bareReply: Auth.RegisterAccount.Reply(account: Samples.cafe, replayed: true))
        }

        package struct Reply: WireMessage, Equatable {
            package let account: AccountView
            package let replayed: Bool
        }

        package let account: PartyID
        package let role: Role
        /// 1 to 64 characters of letters, digits and `._@+-`.
        package let username: String
        /// 8 to 128 bytes of UTF-8.
        package let password: String
        /// The name that others see, such as a merchant's on receipts. Where none is given, a merchant's business name,
        /// or else the username; at most 100 bytes.
        package let name: String?
        package let profile: Profile?
        /// A merchant's: whether it may charge from the start. Of services only; where it is absent, auth's setting
        /// says.
        package let approved: Bool?
        /// Whether wrong PINs of this account cost no delay and no lock, as a demo has them. Of services only.
        package let simulated: Bool?
    }

    package struct AccountView: WireMessage, Equatable {
        package let account: PartyID
        package let role: Role
        package let username: String
        package let name: String
        /// A merchant's: only an approved one may charge.
        package let status: MerchantStatus?
    }

    /// What an account shows of itself, by its id or by its username (exactly one of the two).
    package struct ReadAccount: Ask, Equatable {
        package static let type: MessageType = "auth.account.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .anyone
        package static let limits: [Limit<Self>] = [.example(\.username, .text("ada"))]
        package static let faults: [FaultCode] = [.partyNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Auth.ReadAccount(account: Samples.customer),
                bare: Auth.ReadAccount(username: "alice@example.com"),
                reply: Samples.account)
        }
        package typealias Reply = AccountView

        package let account: PartyID?
        package let username: String?
    }

    /// Logs in. Every try counts; an unknown username costs the same time as a wrong password.
    package struct OpenSession: Ask, Equatable {
        package static let type: MessageType = "auth.session.open.v1"
        package static let effect: Effect<Self> = .once
        package static let access: Access<Self> = .anyone
        package static let limits: [Limit<Self>] = [
            .example(\.username, .text("ada")),
            .text(\.client, 1...200, or: .malformed, example: "Firefox on Linux")
        ]
        package static let faults: [FaultCode] = [.wrongCredentials, .tooManyAttempts, .busy]
        package static var examples: Examples<Self> {
            Examples(
                Auth.OpenSession(
                    username: "alice@example.com", password: "correct horse", client: "Firefox on Linux"),
                bare: Auth.OpenSession(username: "alice@example.com", password: "correct horse"),
                reply: Auth.OpenSession.Reply(
                    token: "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k", session: Samples.sessionView(isVerified: true)
                ),
                bareReply: Auth.OpenSession.Reply(
                    token: "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k",
                    session: Samples.sessionView(isVerified: false)))
        }

        package struct Reply: WireMessage, Equatable {
            /// 256 random bits; shown this once and stored as a digest only.
            package let token: String
            package let session: SessionView
        }

        package let username: String
        package let password: String
        /// The client's name for itself, for the list of sessions: at most 200 bytes of UTF-8.
        package let client: String?
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
    }

    /// Whose token this is. The bus carries the token's SHA-256 only.
    package struct ReadSession: Ask, Equatable {
        package static let type: MessageType = "auth.session.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .anyone
        package static let limits: [Limit<Self>] = [
            .text(
                \.tokenDigest, of: .hexDigits, 64...64, or: .malformed,
                example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
        ]
        package static let faults: [FaultCode] = [.sessionNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Auth.ReadSession(tokenDigest: Samples.digest),
                reply: Samples.sessionView(isVerified: true),
                bareReply: Samples.sessionView(isVerified: false))
        }
        package typealias Reply = SessionView

        /// SHA-256 of the token's text, 64 lowercase hex digits.
        package let tokenDigest: String
    }

    /// The sessions of an account that have not ended, newest first.
    package struct ReadSessions: Ask, Equatable {
        package static let type: MessageType = "auth.sessions.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.account, .customer, .merchant, .administrator)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Auth.ReadSessions(account: Samples.customer),
                reply: Auth.ReadSessions.Reply(sessions: [
                    Auth.SessionSummary(
                        session: Samples.session, opened: Samples.time, expires: Samples.later,
                        client: "Firefox on Linux")
                ]),
                bareReply: Auth.ReadSessions.Reply(sessions: [
                    Auth.SessionSummary(session: Samples.session, opened: Samples.time, expires: Samples.later)
                ]))
        }

        package struct Reply: WireMessage, Equatable {
            /// At most as many as an account may have.
            package let sessions: [SessionSummary]
        }

        package let account: PartyID
    }

    /// One session in the list of an account's sessions.
    package struct SessionSummary: Codable, Sendable, Equatable {
        package let session: SessionID
        package let opened: Timestamp
        package let expires: Timestamp
        /// The client's name for itself; absent where it gave none.
        package let client: String?
    }

    /// Logs out. Ending an ended session is no error.
    package struct CloseSession: Ask, Equatable {
        package static let type: MessageType = "auth.session.close.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.account, .customer, .merchant, .administrator)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Auth.CloseSession(session: Samples.session, account: Samples.customer),
                reply: Auth.CloseSession.Reply(closed: true))
        }

        package struct Reply: WireMessage, Equatable {
            /// Whether there was a session to end.
            package let closed: Bool
        }

        package let session: SessionID
        package let account: PartyID
    }

    /// Sets the account's PIN; the password proves who asks. Clears failures and lock.
    ///
    /// An account that has a PIN also proves that one: entered in the session lately, or given. A PIN that is locked,
    /// and that of an account whose transfers are held, is replaced without it; then transfers are held for a time,
    /// a day by default.
    package struct SetPIN: Ask, Equatable {
        package static let type: MessageType = "auth.pin.set.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.account, .customer, .merchant, .administrator)
        package static let limits: [Limit<Self>] = [
            .text(\.pin, of: .digits, 4...4, or: .pinInvalid, example: "4711"),
            .text(\.currentPin, of: .digits, 4...4, or: .pinInvalid, example: "0815")
        ]
        package static let faults: [FaultCode] = [
            .partyNotFound, .pinInvalid, .wrongCredentials, .tooManyAttempts, .pinRequired, .pinWrong, .pinDelayed,
            .busy
        ]
        package static var examples: Examples<Self> {
            Examples(
                Auth.SetPIN(
                    account: Samples.customer, password: "correct horse", pin: "0427", session: Samples.session,
                    currentPin: "4711"),
                bare: Auth.SetPIN(account: Samples.customer, password: "correct horse", pin: "0427"),
                reply: Auth.SetPIN.Reply(set: true, changed: [Samples.session]),
                bareReply: Auth.SetPIN.Reply(set: true))
        }

        package struct Reply: WireMessage, Equatable {
            package let set: Bool
            /// The sessions in which the old PIN was entered: they count as without PIN now. Absent without any.
            package let changed: [SessionID]?
        }

        package let account: PartyID
        package let password: String
        /// Four digits.
        package let pin: String
        /// The session that asks.
        package let session: SessionID?
        /// The PIN that is replaced, where it was not entered in the session lately. Counts as a try at it.
        package let currentPin: String?
    }

    /// Checks a PIN and, when it is right, marks the session for a quarter of an hour. Every wrong one counts.
    package struct VerifyPIN: Ask, Equatable {
        package static let type: MessageType = "auth.pin.verify.v1"
        package static let effect: Effect<Self> = .once
        package static let access: Access<Self> = .only(\.account, .customer, .merchant, .administrator)
        package static let limits: [Limit<Self>] = [.text(\.pin, of: .digits, 4...4, or: .pinInvalid, example: "4711")]
        package static let faults: [FaultCode] = [
            .pinWrong, .pinDelayed, .pinLocked, .pinNotSet, .pinInvalid, .sessionNotFound, .busy
        ]
        package static var examples: Examples<Self> {
            Examples(
                Auth.VerifyPIN(account: Samples.customer, session: Samples.session, pin: "0427"),
                reply: Auth.VerifyPIN.Reply(verifiedUntil: Samples.later))
        }

        package struct Reply: WireMessage, Equatable {
            package let verifiedUntil: Timestamp
        }

        package let account: PartyID
        package let session: SessionID
        package let pin: String
    }

    // MARK: Facts

    package struct PINLocked: Fact, Equatable {
        package static let type: MessageType = "auth.pin.locked.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Auth.PINLocked(account: Samples.customer, time: Samples.time))
        }
        package let account: PartyID
        package let time: Timestamp
    }

    /// What a session may do has changed: another PIN was set, or transfers are held. Copies have to be read again.
    package struct SessionChanged: Fact, Equatable {
        package static let type: MessageType = "auth.session.changed.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Auth.SessionChanged(session: Samples.session, account: Samples.customer, time: Samples.time))
        }
        package let session: SessionID
        package let account: PartyID
        package let time: Timestamp
    }

    package struct SessionClosed: Fact, Equatable {
        package static let type: MessageType = "auth.session.closed.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Auth.SessionClosed(session: Samples.session, account: Samples.customer, time: Samples.time))
        }
        package let session: SessionID
        package let account: PartyID
        package let time: Timestamp
    }
}

// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Auth {
    package static var summary: String { "Accounts, passwords, PINs and sessions: who is who, and who has proved it." }
}

extension Auth.Role: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [:]
    }
}

extension Auth.RegisterAccount {
    package init(
        account: PartyID,
        role: Auth.Role,
        username: String,
        password: String,
        name: String? = nil,
        profile: Auth.Profile? = nil,
        approved: Bool? = nil,
        simulated: Bool? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.role = role
        self.username = username
        self.password = password
        self.name = name
        self.profile = profile
        self.approved = approved
        self.simulated = simulated
    }

    package static var summary: String { "Makes an account. Usernames are unique over all roles and case-sensitive. Keyed on `account`." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("role", \.role),
            Field("username", \.username, "1 to 64 characters of letters, digits and `._@+-`."),
            Field("password", \.password, "8 to 128 bytes of UTF-8."),
            Field("name", \.name, "The name that others see, such as a merchant's on receipts. Where none is given, a merchant's business name, or else the username; at most 100 bytes."),
            Field("profile", \.profile),
            Field("approved", \.approved, "A merchant's: whether it may charge from the start. Of services only; where it is absent, auth's setting says."),
            Field("simulated", \.simulated, "Whether wrong PINs of this account cost no delay and no lock, as a demo has them. Of services only."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.profile),
    ]
}

extension Auth.RegisterAccount.Reply: Shape {
    package init(
        account: Auth.AccountView,
        replayed: Bool,
        _: Void = ()
    ) {
        self.account = account
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("replayed", \.replayed),
        ]
    }
}

extension Auth.AccountView: Shape {
    package init(
        account: PartyID,
        role: Auth.Role,
        username: String,
        name: String,
        status: Auth.MerchantStatus? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.role = role
        self.username = username
        self.name = name
        self.status = status
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("role", \.role),
            Field("username", \.username),
            Field("name", \.name),
            Field("status", \.status, "A merchant's: only an approved one may charge."),
        ]
    }
}

extension Auth.ReadAccount {
    package init(
        account: PartyID? = nil,
        username: String? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.username = username
    }

    package static var summary: String { "What an account shows of itself, by its id or by its username (exactly one of the two)." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("username", \.username),
        ]
    }
}

extension Auth.OpenSession {
    package init(
        username: String,
        password: String,
        client: String? = nil,
        _: Void = ()
    ) {
        self.username = username
        self.password = password
        self.client = client
    }

    package static var summary: String { "Logs in. Every try counts; an unknown username costs the same time as a wrong password." }
    package static var fields: [Field<Self>] {
        [
            Field("username", \.username),
            Field("password", \.password),
            Field("client", \.client, "The client's name for itself, for the list of sessions: at most 200 bytes of UTF-8."),
        ]
    }
}

extension Auth.OpenSession.Reply: Shape {
    package init(
        token: String,
        session: Auth.SessionView,
        _: Void = ()
    ) {
        self.token = token
        self.session = session
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("token", \.token, "256 random bits; shown this once and stored as a digest only."),
            Field("session", \.session),
        ]
    }
}

extension Auth.SessionView: Shape {
    package init(
        session: SessionID,
        account: PartyID,
        role: Auth.Role,
        expires: Timestamp,
        pinVerifiedUntil: Timestamp? = nil,
        transfersHeldUntil: Timestamp? = nil,
        _: Void = ()
    ) {
        self.session = session
        self.account = account
        self.role = role
        self.expires = expires
        self.pinVerifiedUntil = pinVerifiedUntil
        self.transfersHeldUntil = transfersHeldUntil
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("session", \.session),
            Field("account", \.account),
            Field("role", \.role),
            Field("expires", \.expires),
            Field("pinVerifiedUntil", \.pinVerifiedUntil, "Until when the PIN counts as entered; absent when it does not."),
            Field("transfersHeldUntil", \.transfersHeldUntil, "Until when the account may transfer no money to others, as it was recovered or its e-mail address changed; absent when it may."),
        ]
    }
}

extension Auth.ReadSession {
    package init(
        tokenDigest: String,
        _: Void = ()
    ) {
        self.tokenDigest = tokenDigest
    }

    package static var summary: String { "Whose token this is. The bus carries the token's SHA-256 only." }
    package static var fields: [Field<Self>] {
        [
            Field("tokenDigest", \.tokenDigest, "SHA-256 of the token's text, 64 lowercase hex digits."),
        ]
    }
}

extension Auth.ReadSessions {
    package init(
        account: PartyID,
        _: Void = ()
    ) {
        self.account = account
    }

    package static var summary: String { "The sessions of an account that have not ended, newest first." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
        ]
    }
}

extension Auth.ReadSessions.Reply: Shape {
    package init(
        sessions: [Auth.SessionSummary],
        _: Void = ()
    ) {
        self.sessions = sessions
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("sessions", \.sessions, "At most as many as an account may have."),
        ]
    }
}

extension Auth.SessionSummary: Shape {
    package init(
        session: SessionID,
        opened: Timestamp,
        expires: Timestamp,
        client: String? = nil,
        _: Void = ()
    ) {
        self.session = session
        self.opened = opened
        self.expires = expires
        self.client = client
    }

    package static var summary: String { "One session in the list of an account's sessions." }
    package static var fields: [Field<Self>] {
        [
            Field("session", \.session),
            Field("opened", \.opened),
            Field("expires", \.expires),
            Field("client", \.client, "The client's name for itself; absent where it gave none."),
        ]
    }
}

extension Auth.CloseSession {
    package init(
        session: SessionID,
        account: PartyID,
        _: Void = ()
    ) {
        self.session = session
        self.account = account
    }

    package static var summary: String { "Logs out. Ending an ended session is no error." }
    package static var fields: [Field<Self>] {
        [
            Field("session", \.session),
            Field("account", \.account),
        ]
    }
}

extension Auth.CloseSession.Reply: Shape {
    package init(
        closed: Bool,
        _: Void = ()
    ) {
        self.closed = closed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("closed", \.closed, "Whether there was a session to end."),
        ]
    }
}

extension Auth.SetPIN {
    package init(
        account: PartyID,
        password: String,
        pin: String,
        session: SessionID? = nil,
        currentPin: String? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.password = password
        self.pin = pin
        self.session = session
        self.currentPin = currentPin
    }

    package static var summary: String { "Sets the account's PIN; the password proves who asks. Clears failures and lock. An account that has a PIN also proves that one: entered in the session lately, or given. A PIN that is locked, and that of an account whose transfers are held, is replaced without it; then transfers are held for a time, a day by default." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("password", \.password),
            Field("pin", \.pin, "Four digits."),
            Field("session", \.session, "The session that asks."),
            Field("currentPin", \.currentPin, "The PIN that is replaced, where it was not entered in the session lately. Counts as a try at it."),
        ]
    }
}

extension Auth.SetPIN.Reply: Shape {
    package init(
        set: Bool,
        changed: [SessionID]? = nil,
        _: Void = ()
    ) {
        self.set = set
        self.changed = changed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("set", \.set),
            Field("changed", \.changed, "The sessions in which the old PIN was entered: they count as without PIN now. Absent without any."),
        ]
    }
}

extension Auth.VerifyPIN {
    package init(
        account: PartyID,
        session: SessionID,
        pin: String,
        _: Void = ()
    ) {
        self.account = account
        self.session = session
        self.pin = pin
    }

    package static var summary: String { "Checks a PIN and, when it is right, marks the session for a quarter of an hour. Every wrong one counts." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("session", \.session),
            Field("pin", \.pin),
        ]
    }
}

extension Auth.VerifyPIN.Reply: Shape {
    package init(
        verifiedUntil: Timestamp,
        _: Void = ()
    ) {
        self.verifiedUntil = verifiedUntil
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("verifiedUntil", \.verifiedUntil),
        ]
    }
}

extension Auth.PINLocked {
    package init(
        account: PartyID,
        time: Timestamp,
        _: Void = ()
    ) {
        self.account = account
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("time", \.time),
        ]
    }
}

extension Auth.SessionChanged {
    package init(
        session: SessionID,
        account: PartyID,
        time: Timestamp,
        _: Void = ()
    ) {
        self.session = session
        self.account = account
        self.time = time
    }

    package static var summary: String { "What a session may do has changed: another PIN was set, or transfers are held. Copies have to be read again." }
    package static var fields: [Field<Self>] {
        [
            Field("session", \.session),
            Field("account", \.account),
            Field("time", \.time),
        ]
    }
}

extension Auth.SessionClosed {
    package init(
        session: SessionID,
        account: PartyID,
        time: Timestamp,
        _: Void = ()
    ) {
        self.session = session
        self.account = account
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("session", \.session),
            Field("account", \.account),
            Field("time", \.time),
        ]
    }
}

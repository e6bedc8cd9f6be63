import Contracts
import Primitives
import Schemas
import Wire

package struct Credentials: RequestBody, Equatable {
    package let username: String
    package let password: String
    package let cookie: Bool?
    package let role: Auth.Role?

    static let notes: [String: SchemaNote] = [
        "username": .username, "password": .password,
        "cookie": SchemaNote(
            "`true`, of pages: the token comes in a cookie that scripts cannot read, and not in the body.",
            example: false),
        "role": SchemaNote("Logs in to an account of this role only.", example: "customer")
    ]
}

package struct OpenedSession: WireMessage, Equatable {
    /// The bearer token, shown this once; absent where it is in a cookie.
    package let token: String?
    package let session: Auth.SessionView
}

package struct SessionList: WireMessage, Equatable {
    package struct Session: Codable, Sendable, Equatable {
        package let session: SessionID
        /// Whether it is the one that asks.
        package let current: Bool
        package let opened: Timestamp
        package let expires: Timestamp
        /// What the client said that it was, its `User-Agent`.
        package let client: String?

        init(_ session: Auth.SessionSummary, current: SessionID) {
            self.session = session.session
            self.current = session.session == current
            opened = session.opened
            expires = session.expires
            client = session.client
        }
    }

    package let sessions: [Session]
}

extension RouteTable {
    static let sessions = [
        Route(
            .post, "/v1/sessions", "openSession", "Logs in", for: .everyone, rate: .login, status: 201,
            asks: [Auth.OpenSession.self, Auth.CloseSession.self], faults: [.crossSite, .otherRole]
        ) { (call: Call, body: Credentials) async throws(Fault) -> Given<OpenedSession> in
            let isForPage = body.cookie ?? false
            // Another site must not log its visitor in as somebody else.
            if isForPage { try call.edge.requireOwnPage(call.fields) }
            try call.spend(body.username)
            let opened = try await call.ask(
                Auth.OpenSession(
                    username: body.username, password: body.password, client: call.fields.userAgent.flatMap(shown)))
            if let role = body.role, role != opened.session.role {
                // Nobody has its token, so it only ends sooner.
                _ = try? await call.ask(
                    Auth.CloseSession(session: opened.session.session, account: opened.session.account))
                throw Fault(.otherRole)
            }
            guard isForPage else { return Given(OpenedSession(token: opened.token, session: opened.session)) }
            var given = Given(OpenedSession(token: nil, session: opened.session))
            given.cookie = SessionCookie.opening(
                opened.token, opened.session, at: call.now, isSecure: call.fields.forwardedScheme == "https")
            return given
        },
        Route(
            .get, "/v1/sessions/current", "readSession", "Tells whose token this is", for: .loggedIn, asks: []
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Auth.SessionView> in
            Given(call.login.view)
        },
        Route(
            .get, "/v1/sessions", "readSessions", "The account's sessions, newest first", for: .loggedIn,
            asks: [Auth.ReadSessions.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<SessionList> in
            let list = try await call.ask(Auth.ReadSessions(account: call.account))
            return Given(
                SessionList(
                    sessions: list.sessions.map { SessionList.Session($0, current: call.login.view.session) }))
        },
        Route(
            .delete, "/v1/sessions", "closeOtherSessions", "Logs out everywhere else", for: .loggedIn, status: 204,
            asks: [Auth.ReadSessions.self, Auth.CloseSession.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Nothing> in
            let current = call.login.view.session
            for one in try await call.ask(Auth.ReadSessions(account: call.account)).sessions
            where one.session != current {
                try await close(one.session, call)
            }
            return Given(Nothing())
        },
        Route(
            .delete, "/v1/sessions/{session}", "closeAnySession", "Logs out on another device", for: .loggedIn,
            status: 204, asks: [Auth.CloseSession.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Nothing> in
            try await close(call.id(), call)
            return Given(Nothing())
        },
        Route(
            .delete, "/v1/sessions/current", "closeSession", "Logs out", for: .loggedIn, status: 204,
            asks: [Auth.CloseSession.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Nothing> in
            try await close(call.login.view.session, call)
            var given = Given(Nothing())
            if call.fields.authorization == nil { given.cookie = SessionCookie.ending(call.login.view.role) }
            return given
        }
    ]

    private static func close(_ session: SessionID, _ call: Call) async throws(Fault) {
        let closed = try await call.ask(Auth.CloseSession(session: session, account: call.account))
        // Only the account's own sessions are forgotten here.
        if closed.closed { call.edge.sessionEnded(session, of: call.account) }
    }

    /// What a browser says of itself, as far as it can be shown; nil where nothing is left.
    private static func shown(_ userAgent: String) -> String? {
        let text = String(
            userAgent.unicodeScalars.filter { $0.isASCII && $0.value >= 0x20 && $0.value < 0x7F }.prefix(200).map(
                Character.init))
        return text.isShownAndVisible ? text : nil
    }
}

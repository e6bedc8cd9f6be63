import Contracts
import Schemas
import Wire

package struct Credentials: RequestBody, Equatable {
    package let username: String
    package let password: String
    package let cookie: Bool?

    static let notes: [String: SchemaNote] = [
        "username": .username, "password": .password,
        "cookie": SchemaNote(
            "`true`, of pages: the token comes in a cookie that scripts cannot read, and not in the body.",
            example: false)
    ]
}

package struct OpenedSession: WireMessage, Equatable {
    /// The bearer token, shown this once; absent where it is in a cookie.
    package let token: String?
    package let session: Auth.SessionView
}

extension RouteTable {
    static let sessions = [
        Route(
            .post, "/v1/sessions", "openSession", "Logs in", for: .everyone, rate: .login, status: 201,
            asks: [Auth.OpenSession.self], faults: [.crossSite]
        ) { (call: Call, body: Credentials) async throws(Fault) -> Given<OpenedSession> in
            let isForPage = body.cookie ?? false
            // Another site must not log its visitor in as somebody else.
            if isForPage { try call.edge.requireOwnPage(call.fields) }
            try call.spend(body.username)
            let opened = try await call.ask(Auth.OpenSession(username: body.username, password: body.password))
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
            .delete, "/v1/sessions/current", "closeSession", "Logs out", for: .loggedIn, status: 204,
            asks: [Auth.CloseSession.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Nothing> in
            let session = call.login.view.session
            _ = try await call.ask(Auth.CloseSession(session: session, account: call.account))
            call.edge.sessionEnded(session, of: call.account)
            var given = Given(Nothing())
            if call.fields.authorization == nil { given.cookie = SessionCookie.ending(call.login.view.role) }
            return given
        }
    ]
}

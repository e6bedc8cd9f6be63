import Contracts
import Schemas

package struct Credentials: RequestBody, Equatable {
    package let username: String
    package let password: String

    static let notes: [String: SchemaNote] = ["username": .username, "password": .password]
}

extension RouteTable {
    static let sessions = [
        Route(
            .post, "/v1/sessions", "openSession", "Logs in", for: .everyone, rate: .login, status: 201,
            asks: [Auth.OpenSession.self]
        ) { (call: Call, body: Credentials) async throws(Fault) -> Given<Auth.OpenSession.Reply> in
            try call.spend(body.username)
            return Given(
                try await call.ask(Auth.OpenSession(username: body.username, password: body.password)))
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
            return Given(Nothing())
        }
    ]
}

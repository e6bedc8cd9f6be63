import Contracts
import Schemas
import Wire

/// Who has forgotten the password, or without a username that.
package struct PasswordReset: RequestBody, Equatable {
    package let username: String?
    package let email: String

    static let notes: [String: SchemaNote] = [
        "username": SchemaNote(
            "Whose password is forgotten. Where it is absent, the address's usernames are mailed.",
            pattern: "^[A-Za-z0-9._@+-]{1,64}$", example: "ada"),
        "email": SchemaNote("As the account has it.", lengths: 1...254, example: "ada@example.com")
    ]
}

/// What makes a new one: a code, and the password.
package struct PasswordResetUse: RequestBody, Equatable {
    package let username: String
    package let code: String
    package let password: String
    package let confirmPassword: String?

    static let notes: [String: SchemaNote] = [
        "username": .username,
        "code": SchemaNote("As it was mailed.", lengths: 1...64, example: "7K3M-9QXT-R0V2-HB4C-WZ81-N6FJ-D5PA"),
        "password": .password, "confirmPassword": .confirmation("correct horse battery staple")
    ]
}

extension RouteTable {
    /// A forgotten password, and an address that somebody else has changed. All are without a session.
    static let passwordResets = [
        Route(
            .post, "/v1/password-resets", "requestPasswordReset",
            "Mails a code for a new password, if username and address belong together, or the usernames of an address; "
                + "the answer does not tell",
            for: .everyone,
            rate: .reset, status: 202, asks: [Auth.RequestReset.self, Auth.RequestUsernames.self]
        ) { (call: Call, body: PasswordReset) async throws(Fault) -> Given<Auth.RequestReset.Reply> in
            try call.spend(body.username ?? body.email)
            guard let username = body.username else {
                let asked = try await call.ask(Auth.RequestUsernames(email: body.email))
                return Given(Auth.RequestReset.Reply(expires: asked.expires))
            }
            return Given(try await call.ask(Auth.RequestReset(username: username, email: body.email)))
        },
        Route(
            .post, "/v1/password-resets/use", "usePasswordReset", "Sets a new password and ends all sessions",
            for: .everyone, rate: .reset, status: 204, asks: [Auth.UseReset.self], faults: [.passwordsDiffer]
        ) { (call: Call, body: PasswordResetUse) async throws(Fault) -> Given<Nothing> in
            try call.spend(body.username)
            try requireSame(body.password, body.confirmPassword)
            let used = try await call.ask(
                Auth.UseReset(username: body.username, code: body.code, newPassword: body.password))
            for session in used.closed { call.edge.sessionEnded(session, of: used.account) }
            return Given(Nothing())
        },
        Route(
            .post, "/v1/address-restorations", "restoreAddress",
            "Puts an account's old e-mail address back by the code that was mailed there, sets a new password and ends all "
                + "sessions",
            for: .everyone, rate: .reset, status: 204, asks: [Auth.RestoreAddress.self], faults: [.passwordsDiffer]
        ) { (call: Call, body: PasswordResetUse) async throws(Fault) -> Given<Nothing> in
            try call.spend(body.username)
            try requireSame(body.password, body.confirmPassword)
            let used = try await call.ask(
                Auth.RestoreAddress(username: body.username, code: body.code, newPassword: body.password))
            for session in used.closed { call.edge.sessionEnded(session, of: used.account) }
            return Given(Nothing())
        }
    ]
}

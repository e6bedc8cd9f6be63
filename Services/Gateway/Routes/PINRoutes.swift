import Contracts
import Schemas

package struct NewPIN: RequestBody, Equatable {
    package let password: String
    package let pin: String
    package let currentPin: String?

    static let notes: [String: SchemaNote] = [
        "password": .password, "pin": .pin,
        "currentPin": SchemaNote(
            "The PIN that is replaced, where it was not entered in this session lately. One that is locked is not needed.",
            pattern: "^[0-9]{4}$", example: "0815")
    ]
}

package struct EnteredPIN: RequestBody, Equatable {
    package let pin: String

    static let notes: [String: SchemaNote] = ["pin": .pin]
}

extension RouteTable {
    static let pins = [
        Route(
            .put, "/v1/pin", "setPIN", "Sets the PIN; the password and the PIN before prove who asks", for: .loggedIn,
            rate: .pin, status: 204, asks: [Auth.SetPIN.self]
        ) { (call: Call, body: NewPIN) async throws(Fault) -> Given<Nothing> in
            try call.spend(call.account.hex)
            let session = call.login.view.session
            let set = try await call.ask(
                Auth.SetPIN(
                    account: call.account, password: body.password, pin: body.pin, session: session,
                    currentPin: body.currentPin))
            // Before auth's facts arrive: what was proved with the PIN before is worth nothing from here on.
            for changed in [session] + (set.changed ?? []) { call.edge.sessionChanged(changed) }
            return Given(Nothing())
        },
        Route(
            .post, "/v1/pin/verifications", "verifyPIN", "Enters the PIN, which is then good for a while",
            for: .loggedIn, rate: .pin, asks: [Auth.VerifyPIN.self]
        ) { (call: Call, body: EnteredPIN) async throws(Fault) -> Given<Auth.VerifyPIN.Reply> in
            try call.spend(call.account.hex)
            let verified = try await call.ask(
                Auth.VerifyPIN(account: call.account, session: call.login.view.session, pin: body.pin))
            call.edge.sessions.pinVerified(call.login, until: verified.verifiedUntil, at: call.now)
            return Given(verified)
        }
    ]
}

import Bus
import Contracts
import Primitives
import Sodium
import Wire

/// Who wants an account.
package struct Registration: RequestBody, Equatable {
    package let username: String
    package let password: String
    package let name: String?

    static let notes: [String: SchemaNote] = [
        "username": .username,
        "password": .password,
        "name": SchemaNote(
            "What others see, such as a merchant's name on receipts; the username where none is given.",
            lengths: 1...100, example: "Blue Bottle Coffee")
    ]
}

extension RouteTable {
    static let accounts = [
        registration("registerCustomer", "/v1/customers", "Makes a customer's account", .customer),
        registration("registerMerchant", "/v1/merchants", "Makes a merchant's account", .merchant)
    ]

    private static func registration(_ name: String, _ path: RoutePath, _ summary: String, _ role: Auth.Role) -> Route {
        var asks: [any Ask.Type] = [Auth.RegisterAccount.self]
        if role == .merchant { asks.append(Wallet.OpenAccount.self) }
        return Route(
            .post, path, name, summary, for: .everyone, key: .optional, rate: .registration, status: 201, asks: asks
        ) { (call: Call, body: Registration) async throws(Fault) -> Given<Auth.AccountView> in
            try call.spend(body.username)
            // Keys of people without an account are apart by the username: nobody's key can meet another's.
            let account: PartyID =
                call.key?.operation(of: call.route, username: body.username).reinterpreted()
                ?? Randomness.shared.identifier(at: call.now)
            let made = try await call.ask(
                Auth.RegisterAccount(
                    account: account, role: role, username: body.username, password: body.password, name: body.name))
            if role == .merchant {
                // The account exists whatever comes of this. The first payment to it opens it too.
                let actor = Actor(role: role, party: made.account.account)
                _ = try? await call.ask(Wallet.OpenAccount(merchant: made.account.account), as: actor)
            }
            return Given(made.account, replayed: made.replayed)
        }
    }
}

import Bus
import Contracts
import Primitives
import Sodium
import TouchApp
import Wire

/// Makes what a device needs that is not there yet: a demo customer, and the shop that touches pay.
struct DeviceOpening: Sendable {
    let call: Call

    /// Whom touches of a new device pay: who was named, who is configured, or the set's own shop.
    /// - Throws: `payments.merchant_not_found`.
    func merchant(_ named: PartyID?) async throws(Fault) -> Auth.AccountView {
        if let merchant = named ?? call.edge.devices.rules.merchant {
            guard let account = try await account(merchant), account.role == .merchant else {
                throw Fault(.merchantNotFound)
            }
            return account
        }
        if let shop = try await account(Self.shop) { return shop }
        do throws(Fault) {
            return try await registerShop("touch-shop")
        } catch  where error.code == .usernameTaken {
            // By a person, before the name was reserved: the shop is known by its id, and goes by another name.
            return try await registerShop("touch-shop-\(Self.password())")
        }
    }

    private func registerShop(_ username: String) async throws(Fault) -> Auth.AccountView {
        do throws(Fault) {
            return try await call.ask(
                Auth.RegisterAccount(
                    account: Self.shop, role: .merchant, username: username, password: Self.password(),
                    name: Self.shopName, approved: true), as: nil
            ).account
        } catch  where error.code == .registrationReused {
            // Someone else was faster, with another password that nobody knows either.
            return Auth.AccountView(account: Self.shop, role: .merchant, username: username, name: Self.shopName)
        }
    }

    private func account(_ party: PartyID) async throws(Fault) -> Auth.AccountView? {
        do throws(Fault) { return try await call.ask(Auth.ReadAccount(account: party), as: nil) } catch {
            if error.code == .partyNotFound { return nil }
            throw error
        }
    }

    private static let shopName = "Touch Shop"

    /// The same for every gateway of every set, so that none makes a second one. Nobody can log in to it.
    private static let shop = PartyID(high: 0x0070_7563_685F_7368, low: 0x6F70_0000_0000_0001)

    /// A demo customer with the PIN 1234, logged in; with a card at the opening balance, or without.
    ///
    /// - Throws: `gateway.rate_limited`, and what auth and the wallet refuse.
    func demo(withCard: Bool) async throws(Fault) -> (token: String, session: LiveSession) {
        // A request without a session has been counted.
        if call.session != nil { try call.edge.limiter.spend(.registration, from: call.client, at: call.now) }
        let account: PartyID = Randomness.shared.identifier(at: call.now)
        let username = "demo-\(account.hex)"
        let password = Self.password()
        _ = try await call.ask(
            Auth.RegisterAccount(
                account: account, role: .customer, username: username, password: password, name: "Demo",
                simulated: true), as: nil)
        let opened = try await call.ask(Auth.OpenSession(username: username, password: password), as: nil)
        let customer = Actor(role: .customer, party: account)
        _ = try await call.ask(Auth.SetPIN(account: account, password: password, pin: "1234"), as: customer)
        if withCard {
            let card: CardID = Randomness.shared.identifier(at: call.now)
            let digits = String(card.low % 1_000_000_000_000)
            _ = try await call.ask(
                Wallet.AddCard(
                    card: card, customer: account,
                    number: "4000" + String(repeating: "0", count: 12 - digits.utf8.count) + digits, code: "12345678"),
                as: customer)
        }
        return (opened.token, LiveSession(digest: TokenDigest(of: Array(opened.token.utf8)), view: opened.session))
    }

    private static func password() -> String {
        let (first, second) = Randomness.shared.pair()
        return PartyID(high: first, low: second).hex
    }
}

import Bus
import Contracts
import Primitives
import Sodium

/// The people and things that asks are about, made in the set as they are needed. All ids are random, so a set of any
/// data will do; what is made stays.
package actor World {
    nonisolated let bus: Bus
    /// Whether anything may be made.
    nonisolated let mayChange: Bool
    /// The services there are, the one under test among them.
    nonisolated let services: Set<String>

    /// How long one ask that prepares something may take.
    static let patience = Duration.seconds(10)
    /// What a card of the kit has on it: more than all cases together move.
    private static let funds = Money(500_000)
    static let password = "conformance"
    static let pin = "4711"

    private(set) var knownCustomer: Task<PartyID, any Error>?
    private(set) var knownMerchant: Task<PartyID, any Error>?
    private(set) var knownCard: Task<OwnedCard, any Error>?

    struct OwnedCard: Sendable {
        let customer: PartyID
        let card: CardID
    }

    package init(bus: Bus, services: Set<String>, mayChange: Bool) {
        self.bus = bus
        self.services = services
        self.mayChange = mayChange
    }

    nonisolated func id<Subject>() -> Identifier<Subject> {
        let pair = Randomness.shared.pair()
        return Identifier(high: pair.0, low: pair.1)
    }

    nonisolated var now: Timestamp { bus.clock.now() }

    /// Asks as a service does, again where that is safe.
    nonisolated func ask<A: Ask>(_ ask: A) async throws -> A.Reply {
        do throws(Fault) { return try await bus.ask(ask, in: AskContext(deadline: now + Self.patience)) } catch {
            throw Wrong(
                "\(A.type), asked beside the case, is refused with \(error.code)\(error.detail.map { ": \($0)" } ?? "")"
            )
        }
    }

    // MARK: People

    /// A customer, the same one for all cases.
    func customer() async throws -> PartyID {
        if knownCustomer == nil { knownCustomer = Task { try await newAccount(.customer) } }
        return try await knownCustomer!.value
    }

    /// A merchant who may charge and has an account to be paid on.
    func merchant() async throws -> PartyID {
        if knownMerchant == nil {
            knownMerchant = Task {
                let merchant = try await newAccount(.merchant)
                if services.contains(Wallet.service) { _ = try await ask(Wallet.OpenAccount(merchant: merchant)) }
                return merchant
            }
        }
        return try await knownMerchant!.value
    }

    nonisolated func newAccount(_ role: Auth.Role) async throws -> PartyID {
        guard services.contains(Auth.service) else { return id() }  // the wallet and location know nobody's account
        return try await ask(registration(role)).account.account
    }

    nonisolated func registration(_ role: Auth.Role, isApproved: Bool = true) -> Auth.RegisterAccount {
        let account: PartyID = id()
        return Auth.RegisterAccount(
            account: account, role: role, username: "check-\(account.hex)", password: Self.password,
            name: "Conformance",
            approved: role == .merchant ? isApproved : nil)
    }

    // MARK: Cards

    /// The customer's card, with money on it.
    func card() async throws -> OwnedCard {
        if knownCard == nil { knownCard = Task { try await newCard(of: try await customer()) } }
        return try await knownCard!.value
    }

    nonisolated func newCard(of customer: PartyID) async throws -> OwnedCard {
        let added = try await ask(cardToAdd(of: customer))
        _ = try await ask(
            Wallet.ReloadCard(operation: id(), customer: customer, card: added.result.card, amount: Self.funds))
        return OwnedCard(customer: customer, card: added.result.card)
    }

    nonisolated func cardToAdd(of customer: PartyID) -> Wallet.AddCard {
        Wallet.AddCard(card: id(), customer: customer, number: Self.cardNumber(), code: "12345678")
    }

    nonisolated static func cardNumber() -> String {
        String((0..<16).map { _ in "0123456789".randomElement() ?? "0" })
    }

    /// What is on a card, and what of it can be spent.
    nonisolated func money(on card: CardID, of customer: PartyID) async throws -> [Int64] {
        let view = try await ask(Wallet.ReadCard(customer: customer, card: card))
        return [view.balance.amount, view.available.amount]
    }

    nonisolated func money(of merchant: PartyID) async throws -> [Int64] {
        [try await ask(Wallet.ReadAccount(merchant: merchant)).balance.amount]
    }

    // MARK: Requests for money

    /// A merchant's request, which the customer has allowed: nobody here is near a place.
    nonisolated func request(
        _ amount: Int64, of customer: PartyID, by merchant: PartyID, memo: String = "Rule"
    ) async throws -> Payments.ChargeView {
        _ = try await ask(Payments.SetPermission(customer: customer, merchant: merchant, allowed: true))
        let request = Payments.RequestCharge(
            charge: id(), merchant: merchant, customer: customer, amount: Money(amount), memo: memo)
        return try await ask(request).charge
    }

    // MARK: The broker

    /// Returns when the broker counts so many workers of a service.
    nonisolated func awaitWorkers(of service: String, _ count: Int, seconds: Int) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            let queues = try await ask(Broker.ReadQueues())
            if (queues.services.first { $0.service == service }?.workers ?? 0) == count { return }
            guard ContinuousClock.now < end else {
                throw Wrong("after \(seconds) s the broker counts not \(count) workers of \(service)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}

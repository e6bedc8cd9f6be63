import Audit
import Bus
import Contracts
import Primitives
import Sodium

/// Makes the population, as far as it is not there yet: accounts, cards, money on them, and log-ins. Over the bus, many
/// at a time. Asked again after an interruption, it goes on where it was.
package struct Preparation: Sendable {
    private let bus: Bus
    private let population: Population
    /// So many customers get an account in auth, from the first on.
    private let accounts: Int
    /// Cards with less are reloaded; minor units.
    private let balanceMin: Int64
    /// Entries that the ledger has at least.
    private let entriesMin: Int64

    /// Asks in flight: those that cost a password hash, and the others.
    private static let slowWidth = 4
    private static let fastWidth = 256
    /// Payments that make entries: so many in flight, and so many before the ledger is looked at again.
    private static let (entriesWidth, entriesAtOnce) = (1024, 500_000)

    package init(bus: Bus, population: Population, accounts: Int, balanceMin: Int64, entriesMin: Int64 = 0) {
        self.bus = bus
        self.population = population
        self.accounts = accounts
        self.balanceMin = balanceMin
        self.entriesMin = entriesMin
    }

    /// - Parameter progress: what is being done, how much of it is done, of how much.
    package func run(progress: (String, Int, Int) -> Void) async throws {
        try await openMerchants(progress)
        try await openCustomers(progress)
        try await addCards(progress)
        try await addEntries(progress)
    }

    private func openMerchants(_ progress: (String, Int, Int) -> Void) async throws {
        let count = population.merchants
        _ = try await pipelined(Array(0..<count), width: Self.slowWidth, on: bus) { [self] number in
            try await register(
                population.merchant(number), .merchant, population.username(ofMerchant: number), "Load \(number)")
            _ = try await bus.ask(Wallet.OpenAccount(merchant: population.merchant(number)), in: bus.patient)
        } done: {
            progress("merchants", $0, count)
        }
    }

    private func openCustomers(_ progress: (String, Int, Int) -> Void) async throws {
        guard accounts > 0 else { return }
        _ = try await pipelined(Array(0..<accounts), width: Self.slowWidth, on: bus) { [self] number in
            let customer = population.customer(number)
            try await register(customer, .customer, population.username(ofCustomer: number), nil)
            // Merchants of a load request money from customers who are nowhere near.
            _ = try await bus.ask(Payments.SetPermission(customer: customer, allowed: true), in: bus.patient)
        } done: {
            progress("customers", $0, accounts)
        }
    }

    private func register(_ account: PartyID, _ role: Auth.Role, _ username: String, _ name: String?) async throws {
        do throws(Fault) {
            _ = try await bus.ask(Auth.ReadAccount(account: account), in: bus.patient)
        } catch  where error.code == .partyNotFound {
            _ = try await insist(
                Auth.RegisterAccount(
                    account: account, role: role, username: username, password: Population.password, name: name,
                    profile: Self.profile(role, username), approved: role == .merchant ? true : nil))
        }
    }

    /// What a registration over HTTP requires of that role.
    private static func profile(_ role: Auth.Role, _ username: String) -> Auth.Profile {
        let email = "\(username)@example.com"
        return role == .merchant
            ? Auth.Profile(email: email, address: "1 Aspen Avenue, Flagstaff", productTypes: ["coffee"])
            : Auth.Profile(email: email, birthdate: CivilDate(year: 1990, month: 5, day: 17), student: false)
    }

    private func addCards(_ progress: (String, Int, Int) -> Void) async throws {
        let count = population.customers
        // Many customers at a time, the cards of each one after another.
        _ = try await pipelined(Array(0..<count), width: Self.fastWidth, on: bus) { [self] number in
            let customer = population.customer(number)
            let known = try await bus.ask(Wallet.ReadCards(customer: customer), in: bus.patient).cards
            let balances = Dictionary(
                known.map { ($0.card, $0.balance.amount) }, uniquingKeysWith: { first, _ in first })
            for place in 0..<population.cardsEach {
                let card = number * population.cardsEach + place
                try await addCard(card, of: customer, balance: balances[population.card(card)])
            }
        } done: { [cardsEach = population.cardsEach] in
            progress("cards", $0 * cardsEach, count * cardsEach)
        }
    }

    private func addCard(_ number: Int, of customer: PartyID, balance known: Int64?) async throws {
        let card = population.card(number)
        var balance = known ?? 0
        if known == nil {
            let added = try await bus.ask(
                Wallet.AddCard(
                    card: card, customer: customer, number: population.digits(ofCard: number), code: "12345678"),
                in: bus.patient)
            balance = added.result.balance.amount
        }
        guard balance < balanceMin else { return }
        _ = try await bus.ask(
            Wallet.ReloadCard(
                operation: Randomness.shared.identifier(at: bus.clock.now()), customer: customer, card: card,
                amount: Money(min(100_000_000, balanceMin - balance))), in: bus.patient)
    }

    /// Pays a cent from each card in turn, as payments would have the wallet do it, which takes less than to be asked
    /// for it.
    private func addEntries(_ progress: (String, Int, Int) -> Void) async throws {
        guard entriesMin > 0 else { return }
        let goal = Int(entriesMin)
        while true {
            let there = Int(try await bus.ask(Wallet.ReadLedger(), in: bus.patient).entries)
            guard there < goal else { return }
            _ = try await pipelined(
                Array(there..<min(goal, there + Self.entriesAtOnce)), width: Self.entriesWidth, on: bus
            ) { [self] number in
                let card = number % population.cards
                _ = try await bus.ask(
                    Wallet.PostPayment(
                        payment: Randomness.shared.identifier(at: bus.clock.now()),
                        customer: population.customer(population.owner(ofCard: card)), card: population.card(card),
                        merchant: population.merchant(number % population.merchants), amount: Money(1), memo: "made"),
                    in: bus.patient)
            } done: {
                progress("entries", there + $0, goal)
            }
        }
    }

    // MARK: Log-ins

    /// Opens a session for each who will make requests over HTTP, and enters the customers' PINs.
    package func logIn(merchants: Bool, progress: (String, Int, Int) -> Void) async throws -> LogIns {
        let customers = try await pipelined(Array(0..<accounts), width: Self.slowWidth, on: bus) { [self] number in
            let opened = try await open(population.username(ofCustomer: number))
            try await enterPIN(opened.session)
            return opened
        } done: {
            progress("log-ins", $0, accounts)
        }
        let sellers =
            merchants
            ? try await pipelined(Array(0..<population.merchants), width: Self.slowWidth, on: bus) { [self] number in
                try await open(population.username(ofMerchant: number))
            } : []
        return LogIns(
            customers: customers.map { Array($0.token.utf8) }, merchants: sellers.map { Array($0.token.utf8) },
            sessions: customers.map(\.session))
    }

    private func open(_ username: String) async throws -> Auth.OpenSession.Reply {
        try await insist(Auth.OpenSession(username: username, password: Population.password))
    }

    /// Enters a customer's PIN for a session; sets it first where there is none yet.
    package func enterPIN(_ session: Auth.SessionView) async throws {
        let verify = Auth.VerifyPIN(account: session.account, session: session.session, pin: Population.pin)
        do throws(Fault) {
            _ = try await insist(verify)
        } catch {
            guard error.code == .pinNotSet else { throw error }
            _ = try await insist(
                Auth.SetPIN(account: session.account, password: Population.password, pin: Population.pin))
            _ = try await insist(verify)
        }
    }

    /// Password hashes are queued in auth, and only so many.
    private func insist<A: Ask>(_ ask: A) async throws(Fault) -> A.Reply {
        var attempt = 0
        while true {
            do throws(Fault) { return try await bus.ask(ask, in: bus.patient) } catch {
                attempt += 1
                guard error.code == .busy, attempt < 100, !Task.isCancelled else { throw error }
            }
            try? await Task.sleep(for: .milliseconds(50 * min(attempt, 20)))  // cut short: the loop ends by itself
        }
    }
}

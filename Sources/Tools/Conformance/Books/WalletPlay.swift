import Bus
import Contracts
import Primitives
import Wire

/// Plays steps with the wallet and with its model, and compares what comes back, every balance and, at the end, every
/// entry and fact.
actor WalletPlay {
    private let trial: Trial
    private let customer: PartyID
    private let cards: [CardID]
    private let merchants: [PartyID]
    private var book: WalletBook
    /// The id of each step: a charge's, a hold's or an operation's.
    private var ids: [OperationID] = []
    /// The numbers of the steps that held money, and that paid.
    private var holds: [Int] = []
    private var payments: [Int] = []
    private let start: Int64
    /// When holds end: the same for a hold and its repeat.
    private let holdEnd: Timestamp

    static func play(_ steps: [WalletStep], _ trial: Trial) async throws {
        let play = try await WalletPlay(trial)
        for step in steps { try await play.take(step) }
        try await play.compareEntries()
        try await play.compareFacts()
    }

    private init(_ trial: Trial) async throws {
        let world = trial.world
        self.trial = trial
        customer = world.id()
        start = try await trial.head()
        holdEnd = Timestamp(milliseconds: (world.now.milliseconds / 3_600_000 + 2) * 3_600_000)
        var (cards, balances): ([CardID], [Int64]) = ([], [])
        for _ in 0..<WalletStep.cardCount {
            let added = try await world.ask(world.cardToAdd(of: customer)).result
            cards.append(added.card)
            balances.append(added.balance.amount)
        }
        merchants = (0..<WalletStep.merchantCount).map { _ in world.id() }
        for merchant in merchants { _ = try await world.ask(Wallet.OpenAccount(merchant: merchant)) }
        self.cards = cards
        book = WalletBook(cards: balances, merchants: WalletStep.merchantCount)
    }

    private func take(_ drawn: WalletStep) async throws {
        let number = ids.count
        let step = referring(drawn)
        let id: OperationID = trial.world.id()
        ids.append(id)
        switch step {
        case .hold: holds.append(number)
        case .pay: payments.append(number)
        default: break
        }
        let expected = book.take(step, number: number)
        for isRepeat in [false, true] {
            let (data, code) = try await ask(step, id)
            switch expected {
            case .done(let amount):
                guard let data else { throw Wrong("\(step) is refused with \(code?.code ?? "nothing")") }
                try require(data["replayed"] == .bool(isRepeat), "'replayed' is not \(isRepeat) of \(step)")
                let said = data["result"]?[step.amountField]?["amount"]
                try require(said == .integer(amount), "\(step) moves \(said?.text ?? "nothing"), and should \(amount)")
            case .refused(let codes):
                guard let code else { throw Wrong("\(step) is done, and should be refused with \(codes[0])") }
                try require(codes.contains(code), "\(step) is refused with \(code), not with \(codes[0])")
            }
            try await compareBalances(after: step)
        }
    }

    /// The step with a hold or payment that there is in the place of the one drawn.
    private func referring(_ step: WalletStep) -> WalletStep {
        func one(of numbers: [Int], _ drawn: Int) -> Int { numbers.isEmpty ? -1 : numbers[drawn % numbers.count] }
        return switch step {
        case .capture(let hold, let amount): .capture(hold: one(of: holds, hold), amount)
        case .void(let hold): .void(hold: one(of: holds, hold))
        case .refund(let payment, let merchant, let amount):
            .refund(payment: one(of: payments, payment), merchant: merchant, amount)
        default: step
        }
    }

    private func id(of step: Int) -> OperationID { step >= 0 ? ids[step] : nobody() }

    private func ask(_ step: WalletStep, _ id: OperationID) async throws -> (data: JSONValue?, code: FaultCode?) {
        func answered<A: Ask>(_ ask: A) async throws -> (JSONValue?, FaultCode?) {
            switch try await trial.asker.answer(ask) {
            case .reply(let data):
                _ = try trial.asker.decode(A.self, data)
                return (data, nil)
            case .fault(let fault): return (nil, fault.code)
            }
        }
        switch step {
        case .reload(let card, let amount):
            return try await answered(
                Wallet.ReloadCard(operation: id, customer: customer, card: cards[card], amount: Money(amount)))
        case .pay(let card, let merchant, let amount):
            return try await answered(
                Wallet.PostPayment(
                    payment: ChargeID(high: id.high, low: id.low), customer: customer, card: cards[card],
                    merchant: merchants[merchant], amount: Money(amount), memo: "Step"))
        case .transfer(let from, let to, let amount):
            return try await answered(
                Wallet.PostTransfer(
                    operation: id, from: holder(from), to: holder(to), amount: Money(amount), memo: "Step"))
        case .hold(let card, let merchant, let amount):
            return try await answered(
                Wallet.PlaceHold(
                    hold: id, customer: customer, card: cards[card], merchant: merchants[merchant],
                    amount: Money(amount), expires: holdEnd))
        case .capture(let hold, let amount):
            return try await answered(
                Wallet.CaptureHold(operation: id, hold: self.id(of: hold), amount: amount.map { Money($0) }))
        case .void(let hold):
            return try await answered(Wallet.VoidHold(operation: id, hold: self.id(of: hold)))
        case .refund(let payment, let merchant, let amount):
            let paid = self.id(of: payment)
            return try await answered(
                Wallet.PostRefund(
                    operation: id, payment: ChargeID(high: paid.high, low: paid.low), merchant: merchants[merchant],
                    amount: amount.map { Money($0) }))
        }
    }

    private func holder(_ account: WalletBook.Account) -> Wallet.Holder {
        switch account {
        case .card(let number): .init(party: customer, role: .customer, card: cards[number])
        case .merchant(let number): .init(party: merchants[number], role: .merchant)
        }
    }

    // MARK: What is known

    private func compareBalances(after step: WalletStep) async throws {
        for (number, card) in cards.enumerated() {
            let money = try await trial.world.money(on: card, of: customer)
            let wanted = [book.balances[.card(number)] ?? 0, book.available(.card(number))]
            try require(
                money == wanted, "after \(step) card \(number) has \(money) (all, available), and should have \(wanted)"
            )
        }
        for (number, merchant) in merchants.enumerated() {
            let money = try await trial.world.money(of: merchant)[0]
            let wanted = book.balances[.merchant(number)] ?? 0
            try require(money == wanted, "after \(step) merchant \(number) has \(money), and should have \(wanted)")
        }
    }

    /// Each entry of each account, read in small pages.
    private func compareEntries() async throws {
        let accounts = cards.indices.map(WalletBook.Account.card) + merchants.indices.map(WalletBook.Account.merchant)
        for account in accounts {
            var (entries, before): ([Wallet.EntryView], Int64?) = ([], nil)
            repeat {
                let page = try await trial.asker.ask(
                    Wallet.ReadEntries(holder: holder(account), before: before, limit: 7))
                try require(page.entries.count <= 7, "a page for 7 has \(page.entries.count) entries")
                entries += page.entries
                before = page.next
            } while before != nil && entries.count < 10_000
            // A card begins with the entry that opened it.
            let lines = entries.reversed().filter { ids.contains($0.operation) }
            let read = lines.map {
                WalletBook.Line(
                    step: ids.firstIndex(of: $0.operation) ?? -1, amount: $0.amount.amount, balance: $0.balance.amount)
            }
            let wanted = book.lines[account] ?? []
            try require(read == wanted, "the entries of \(account) are \(read), and should be \(wanted)")
            try require(
                entries.count - lines.count == (cards.indices.map(WalletBook.Account.card).contains(account) ? 1 : 0),
                "\(account) has entries that nobody asked for")
            try require(
                zip(entries, entries.dropFirst()).allSatisfy { $0.entry > $1.entry && $0.time >= $1.time },
                "the entries of \(account) are not the newest first")
        }
    }

    /// Each step led to one fact, in the order of the steps.
    private func compareFacts() async throws {
        guard let log = trial.log else { return }
        let all = Set(ids.map(\.hex))
        let facts = try await log.facts(after: start).filter { fact in
            let own = fact.data["operation"] ?? fact.data["payment"] ?? fact.data["hold"]
            guard case .string(let id) = own else { return false }
            return all.contains(id) && fact.type != Wallet.HoldExpired.type.name
        }
        let told = facts.map { fact -> String in
            // A refund names its payment, and a capture its hold, beside their own operation.
            guard case .string(let id) = fact.data["operation"] ?? fact.data["payment"] ?? fact.data["hold"] else {
                return ""
            }
            return id
        }
        try require(told == ids.map(\.hex), "its log has \(told.count) facts of \(ids.count) asks, or in another order")
    }
}

extension WalletStep {
    /// The field of the result that says how much.
    fileprivate var amountField: String { if case .void = self { "released" } else { "amount" } }
}

import Contracts
import Load
import LoadReport
import Primitives
import Testing

@Suite("refunds, transfers and reloads")
struct MovementScenarioTests {
    private let population = Population(name: "test", customers: 4, cardsEach: 2, merchants: 3)

    private func stage(_ driver: LoadDriver = .bus, paid: PaidCharges = PaidCharges(worth: 400)) -> Stage {
        Stage(
            driver: driver, population: population, run: 7, started: Timestamp(milliseconds: 1_795_000_000_000),
            paid: paid)
    }

    private func scenario(_ name: String) -> any Scenario { ScenarioList.all.first { $0.name == name }! }

    /// An operation as the generator begins it.
    private func begun(
        _ scenario: any Scenario, _ number: Int, card: Int = 0, amount: Int = 30, _ stage: Stage
    ) -> LoadOperation {
        var operation = LoadOperation()
        operation.card = card
        operation.amount = amount
        operation.moves = scenario.moves
        scenario.choose(&operation, stage)
        operation.customer = population.owner(ofCard: operation.card)
        operation.number = number
        operation.charge = stage.driver == .bus ? stage.id(number) : ChargeID(high: 0, low: 0)
        scenario.begin(&operation, stage)
        return operation
    }

    private func text(_ write: (RequestText) -> Void) -> [UInt8] {
        let text = RequestText()
        write(text)
        return Array(text.string.utf8)
    }

    private func ask<A: Ask>(
        _ type: A.Type, _ scenario: any Scenario, _ operation: LoadOperation, _ stage: Stage
    ) throws -> A {
        try A(json: text { scenario.writeAsk(operation.step, operation, stage, to: $0) })
    }

    private func take(
        _ answer: [UInt8], _ scenario: any Scenario, _ operation: inout LoadOperation, _ stage: Stage
    ) -> Bool {
        answer.withUnsafeBytes { scenario.take(AnswerText($0), of: operation.step, into: &operation, stage) }
    }

    // MARK: Transfers

    @Test("a transfer goes to another customer's card, and takes its receipt")
    func transfers() throws {
        let (scenario, stage) = (scenario("transfer"), stage())
        var receivers: Set<Int> = []
        for number in 0..<40 {
            var operation = begun(scenario, number, card: number % 8, stage)
            let transfer = try ask(Wallet.PostTransfer.self, scenario, operation, stage)
            #expect(transfer.operation == stage.id(number) && transfer.amount == Money(30))
            #expect(transfer.from.card == population.card(operation.card) && transfer.from.party != transfer.to.party)
            #expect(transfer.to.card == population.card(operation.payee) && transfer.memo == stage.memo(number))
            #expect(transfer.to.party == population.customer(population.owner(ofCard: operation.payee)))
            receivers.insert(operation.payee)
            let posted = Wallet.TransferPosted(
                operation: transfer.operation, from: transfer.from, to: transfer.to, amount: transfer.amount,
                memo: transfer.memo, balance: Money(70), entry: 9, time: Samples.time)
            #expect(take(Recorded(posted, sequence: 4, replayed: false).json, scenario, &operation, stage))
            #expect(!operation.receiptDiffers && operation.entry == 9 && operation.cardBalance == 70)
        }
        #expect(receivers.count == 8)
    }

    @Test("over HTTP the receiver's card is the one that the answer names, if it is the receiver's")
    func receiversOverHTTP() throws {
        let (scenario, stage) = (scenario("transfer"), stage(.http))
        for (other, differs) in [(0, false), (2, true)] {
            var operation = begun(scenario, 5, stage)
            let body = text { scenario.writeBody(0, operation, stage, to: $0) }
            #expect(String(decoding: body, as: UTF8.self).contains("\"role\":\"customer\"},\"amount\":{\"amount\":30,"))
            let owner = (population.owner(ofCard: operation.payee) * 2 + other) % 8
            let posted = Wallet.TransferPosted(
                operation: Samples.operation,
                from: .init(party: population.customer(0), role: .customer, card: population.card(0)),
                to: .init(
                    party: population.customer(owner / 2), role: .customer, card: population.card(owner)),
                amount: Money(30), memo: "", balance: Money(70), entry: 9, time: Samples.time)
            #expect(take(posted.json, scenario, &operation, stage))
            #expect(operation.payee == owner && operation.receiptDiffers == differs)
        }
    }

    // MARK: Reloads

    @Test("a reload puts money on the chosen card")
    func reloads() throws {
        let (scenario, stage) = (scenario("reload"), stage())
        var operation = begun(scenario, 3, card: 5, stage)
        let reload = try ask(Wallet.ReloadCard.self, scenario, operation, stage)
        #expect(reload.operation == stage.id(3) && reload.card == population.card(5) && reload.amount == Money(30))
        #expect(reload.customer == population.customer(2) && operation.moves == .reload)
        let done = Wallet.CardReloaded(
            operation: reload.operation, card: population.card(5), customer: reload.customer, amount: Money(30),
            cardBalance: Money(130), entry: 4, time: Samples.time)
        #expect(take(Recorded(done, sequence: 4, replayed: false).json, scenario, &operation, stage))
        #expect(!operation.receiptDiffers && operation.entry == 4 && operation.cardBalance == 130)
    }

    // MARK: Refunds

    private func refunded(_ ask: Payments.RefundCharge, _ amount: Int64, inAll: Int64) -> [UInt8] {
        Payments.RefundCharge.Reply(
            refund: ask.refund, charge: ask.charge, amount: Money(amount), refunded: Money(inAll), entry: 8,
            time: Samples.time, replayed: false
        ).json
    }

    @Test("a payment is paid back in parts, the last of which names no amount, in one operation at a time")
    func refunds() throws {
        let paid = PaidCharges(worth: 400)
        let (scenario, stage) = (scenario("refund"), stage(paid: paid))
        paid.add(.init(charge: Samples.charge, card: 3, merchant: 2, amount: 70))
        var inAll: Int64 = 0
        for (number, part) in [30, 30, 10].enumerated() {
            var operation = begun(scenario, number, stage)
            #expect(operation.step == 1 && operation.moves == .refund && operation.card == 3 && operation.merchant == 2)
            #expect(paid.take() == nil, "in one operation at a time")
            let refund = try ask(Payments.RefundCharge.self, scenario, operation, stage)
            #expect(refund.refund == stage.id(number) && refund.charge == Samples.charge)
            #expect(refund.merchant == population.merchant(2) && operation.amount == part)
            #expect(refund.amount == (number == 2 ? nil : Money(Int64(part))))
            inAll += Int64(part)
            #expect(take(refunded(refund, Int64(part), inAll: inAll), scenario, &operation, stage))
            #expect(!operation.receiptDiffers && operation.cardBalance == inAll && operation.entry == 8)
            scenario.end(operation, stage)
        }
        #expect(paid.take() == nil, "nothing is left")
    }

    @Test("a receipt with another total is noticed")
    func totals() throws {
        let paid = PaidCharges(worth: 400)
        let (scenario, stage) = (scenario("refund"), stage(paid: paid))
        paid.add(.init(charge: Samples.charge, card: 3, merchant: 2, amount: 70))
        var operation = begun(scenario, 1, stage)
        let refund = try ask(Payments.RefundCharge.self, scenario, operation, stage)
        #expect(take(refunded(refund, 30, inAll: 60), scenario, &operation, stage))
        #expect(operation.receiptDiffers)
    }

    @Test("where nothing is left to be paid back, the generator pays first, which is an intent of its own")
    func paysFirst() {
        let paid = PaidCharges(worth: 400)
        let stage = stage(paid: paid)
        let journal = Journal()
        let generator = Generator(
            carrier: Wallets(stage), stage: stage, scenarios: ScenarioList.all,
            choice: Generator.Choice(
                mix: try! Mix("refund", known: ScenarioList.names), cards: .uniform, merchants: .uniform,
                amounts: 100...100, accountCards: 8, seed: 1),
            balances: [Int64](repeating: 1_000_000, count: 8), journal: journal, board: LiveBoard())
        generator.run(.init(pace: .closed(inFlight: 3), warmUp: 0, measured: 20_000_000, patience: 1_000_000_000))
        let kinds = (0..<journal.count).map { journal[$0].kind }
        #expect((0..<journal.count).allSatisfy { journal[$0].outcome == .acknowledged })
        // Four refunds of a hundred for each payment of four hundred.
        let payments = kinds.count { $0 == .payment }
        #expect(payments >= 3 && kinds.count { $0 == .refund } > 3 * (payments - 3))
        #expect(paid.all.count == payments && paid.all.allSatisfy { $0.refunded <= $0.amount })
        #expect(paid.all.map(\.refunded).reduce(0, +) == 100 * kinds.count { $0 == .refund })
        #expect(
            generator.recorder.okCount == kinds.count { $0 == .refund }, "a payment that is made first is no answer")
        #expect(generator.oddReceipts.isEmpty)
    }
}

/// Answers everything at once, as payments and the wallet would if everybody had enough.
private final class Wallets: Carrier {
    private let stage: Stage
    private var waiting: [(slot: Int, answer: [UInt8])] = []
    private var refunds: [ChargeID: Int64] = [:]
    private var entries: Int64 = 0

    init(_ stage: Stage) { self.stage = stage }

    var hasRoom: Bool { true }

    func send(_ operation: LoadOperation, slot: Int, now: UInt64) -> Bool {
        let scenario = ScenarioList.all[operation.scenario]
        let text = RequestText()
        scenario.writeAsk(operation.step, operation, stage, to: text)
        entries += 1
        waiting.append((slot, answer(to: Array(text.string.utf8), scenario.steps[operation.step].ask!)))
        return true
    }

    private func answer(to json: [UInt8], _ type: MessageType) -> [UInt8] {
        if let pay = try? Payments.CreatePayment(json: json), type == Payments.CreatePayment.type {
            return Payments.CreatePayment.Reply(
                receipt: .init(
                    charge: pay.charge, customer: pay.customer, card: pay.card!, merchant: pay.merchant,
                    merchantName: "", amount: pay.amount, memo: pay.memo, cardBalance: Money(5), entry: entries,
                    time: Samples.time, coupon: nil, discount: nil), replayed: false
            ).json
        }
        if let refund = try? Payments.RefundCharge(json: json), type == Payments.RefundCharge.type {
            let amount = refund.amount?.amount ?? 400 - refunds[refund.charge, default: 0]
            refunds[refund.charge, default: 0] += amount
            return Payments.RefundCharge.Reply(
                refund: refund.refund, charge: refund.charge, amount: Money(amount),
                refunded: Money(refunds[refund.charge]!), entry: entries, time: Samples.time, replayed: false
            ).json
        }
        let reload = try! Wallet.ReloadCard(json: json)
        return Recorded(
            Wallet.CardReloaded(
                operation: reload.operation, card: reload.card!, customer: reload.customer, amount: reload.amount,
                cardBalance: Money(5), entry: entries, time: Samples.time), sequence: 1, replayed: false
        ).json
    }

    func receive(now: UInt64, _ handle: (_ slot: Int, CarrierEvent) -> Void) -> Bool {
        guard let (slot, answer) = waiting.popLast() else { return false }
        answer.withUnsafeBytes { handle(slot, .reply(AnswerText($0))) }
        return true
    }

    func wait(nanoseconds: UInt64) {}
}

import Checks
import Contracts
import Load
import LoadReport
import Primitives
import Testing

@Suite("ordering ahead, and looking at shops")
struct OrderScenarioTests {
    private let scenario = ScenarioList.all.first { $0.name == "order" }!
    private let population = Population(name: "test", customers: 4, cardsEach: 2, merchants: 3)
    private let stage: Stage

    init() {
        stage = Stage(
            driver: .bus, population: population, run: 7, started: Timestamp(milliseconds: 1_795_000_000_000),
            orders: TurnPool(12))
    }

    /// An operation as the generator begins it.
    private func begun(_ number: Int) -> LoadOperation {
        var operation = LoadOperation()
        scenario.choose(&operation, stage)
        operation.customer = population.owner(ofCard: operation.card)
        operation.number = number
        operation.charge = stage.id(number)
        return operation
    }

    private func text(_ write: (RequestText) -> Void) -> [UInt8] {
        let text = RequestText()
        write(text)
        return Array(text.string.utf8)
    }

    private func take(_ answer: [UInt8], _ step: Int, _ operation: inout LoadOperation) -> Bool {
        operation.step = step
        return answer.withUnsafeBytes { scenario.take(AnswerText($0), of: step, into: &operation, stage) }
    }

    @Test("asks as the contract has it, of a pair of customer and merchant that is in no other order")
    func asks() throws {
        var pairs: Set<String> = []
        for number in 0..<12 {
            let operation = begun(number)
            let begin = try Ordering.BeginOrder(json: text { scenario.writeAsk(2, operation, stage, to: $0) })
            pairs.insert(begin.customer.hex + begin.merchant.hex)
            #expect(begin.order == stage.id(number))
            let item = try Ordering.AddItem(json: text { scenario.writeAsk(3, operation, stage, to: $0) })
            #expect(item.order == begin.order && item.customer == begin.customer)
            let pay = try Ordering.PayOrder(json: text { scenario.writeAsk(4, operation, stage, to: $0) })
            #expect(pay.total == Money(Int64(operation.amount)) && pay.card == population.card(operation.card))
            #expect(population.customer(population.owner(ofCard: operation.card)) == pay.customer)
            let receipt = try Payments.ReadReceipt(json: text { scenario.writeAsk(5, operation, stage, to: $0) })
            #expect(receipt.charge == begin.order.reinterpreted() && receipt.party == begin.customer)
            let path = String(decoding: text { scenario.writePath(4, operation, stage, to: $0) }, as: UTF8.self)
            #expect(path == "/v1/orders/\(begin.order.hex)/payment")
        }
        #expect(pairs.count == 12)
        #expect(scenario.moves != nil)
    }

    @Test("begins at once where there is no cart, discards one that is open, and waits for one that is being paid")
    func carts() throws {
        var operation = begun(1)
        #expect(take(Ordering.ReadCart.Reply(order: nil).json, 0, &operation))
        #expect(operation.step == 1)
        #expect(take(Ordering.ReadCart.Reply(order: Samples.openOrder).json, 0, &operation))
        #expect(operation.step == 0)
        let discard = try Ordering.DiscardOrder(json: text { scenario.writeAsk(1, operation, stage, to: $0) })
        #expect(discard.order == Samples.order)
        #expect(!take(Ordering.ReadCart.Reply(order: Samples.order(.paying)).json, 0, &operation))
    }

    @Test("goes on with the order that has the items of one that was closed without payment")
    func renewed() {
        var operation = begun(1)
        operation.step = 4
        #expect(!scenario.goesOn(after: FaultCode.insufficientFunds.code, &operation, stage))
        #expect(scenario.goesOn(after: FaultCode.orderClosed.code, &operation, stage))
        #expect(operation.step == 0)
        #expect(!take(Ordering.ReadCart.Reply(order: nil).json, 0, &operation))
        #expect(take(Ordering.ReadCart.Reply(order: Samples.openOrder).json, 0, &operation))
        #expect(operation.charge.hex == Samples.order.hex && operation.step == 3)
    }

    @Test("takes an order as it is answered over the bus and over HTTP")
    func answers() {
        for reply in [
            Ordering.OrderReply(order: Samples.openOrder, replayed: false).json, Samples.openOrder.json
        ] {
            var operation = begun(1)
            #expect(take(reply, 2, &operation))
            #expect(operation.charge.hex == Samples.order.hex)
            operation.amount = 920
            #expect(take(reply, 3, &operation))
            #expect(!take(reply, 4, &operation))
        }
        var operation = begun(1)
        #expect(take(Samples.order(.paid).json, 4, &operation))
    }

    @Test("a shop's page is taken as it was written, and no other merchant's")
    func shops() {
        let scenario = ScenarioList.all.first { $0.name == "shop" }!
        var operation = LoadOperation()
        operation.merchant = 1
        func page(of merchant: Int, named name: String) -> [UInt8] {
            let page = Storefront.Page(
                name: name, logo: "L", theme: Samples.page.theme, welcome: "W", about: "A", address: "A", phone: "1",
                zone: "UTC", hours: [], events: [])
            return Storefront.PageView(
                merchant: population.merchant(merchant), page: page, revision: 1, isOpen: true, onAccent: "#ffffff",
                isDark: false
            ).json
        }
        func take(_ answer: [UInt8]) -> Bool {
            answer.withUnsafeBytes { scenario.take(AnswerText($0), of: 1, into: &operation, stage) }
        }
        #expect(take(page(of: 1, named: "Load 1")))
        #expect(!take(page(of: 2, named: "Load 1")))
        #expect(!take(page(of: 1, named: "Load 2")))
    }
}

@Suite("the verdict on orders")
struct OrderCheckTests {
    private let population = Population(name: "test", customers: 2, cardsEach: 1, merchants: 1)

    /// A run of one paid order, and one that was refused.
    private func findings(_ change: (inout [PaidOrder]) -> Void) -> [String] {
        let journal = Journal()
        for (number, outcome) in [IntentOutcome.acknowledged, .refused].enumerated() {
            var intent = Intent()
            intent.charge = ChargeID(high: 1, low: UInt64(number + 1))
            (intent.scenario, intent.card, intent.amount, intent.outcome) = (3, UInt32(number), 50, outcome)
            intent.entry = 10
            journal.append(intent)
        }
        var evidence = Evidence(journal: journal, codes: CodeTable(), population: population)
        var orders = OrderEvidence(scenario: 3)
        orders.paid = [
            PaidOrder(
                order: ChargeID(high: 1, low: 1), number: 1, merchant: .merchant(0),
                customer: population.customer(0), total: 50, entry: 10)
        ]
        change(&orders.paid)
        evidence.orders = orders
        let check = Verdict.reach(evidence).checks.first { $0.name == "orders_paid" }
        #expect(check?.passed == check?.findings.isEmpty)
        return check?.findings ?? ["no such check"]
    }

    @Test("passes where each paid order was published once")
    func right() { #expect(findings { _ in } == []) }

    @Test("names an order that was lost, doubled, paid otherwise, refused, or never asked for")
    func wrong() {
        #expect(findings { $0 = [] }.first?.hasPrefix("lost order: ") == true)
        #expect(findings { $0.append($0[0]) }.contains { $0.contains("published as paid 2 times") })
        #expect(findings { $0[0].total = 51 }.count == 1)
        #expect(findings { $0[0].entry = 11 }.count == 1)
        #expect(findings { $0[0].customer = population.customer(1) }.count == 1)
        #expect(
            findings {
                var refused = $0[0]
                (refused.order, refused.number) = (ChargeID(high: 1, low: 2), 2)
                $0.append(refused)
            }.first?.hasSuffix("refused to its customer") == true)
        #expect(
            findings {
                var stranger = $0[0]
                (stranger.order, stranger.number) = (ChargeID(high: 9, low: 9), 2)
                $0.append(stranger)
            }.first?.hasSuffix("which this run did not ask for") == true)
        #expect(
            findings {
                var other = $0[0]
                other.order = ChargeID(high: 9, low: 9)
                $0.append(other)
            }.contains { $0.contains("two orders with the number 1") })
    }
}

import Contracts
import Primitives

/// A customer orders ahead at a merchant, pays and reads the receipt; what an earlier run has left open there is
/// discarded first. A customer has one order at a merchant at a time, so an operation has the pair of both for itself.
struct OrderScenario: Scenario {
    let name = "order"
    let summary = "a customer orders ahead, pays and reads the receipt (5 requests)"
    let steps = [
        ScenarioStep(Ordering.ReadCart.self, by: .customer, isKeyed: false, method: "GET"),
        ScenarioStep(Ordering.DiscardOrder.self, by: .customer, isKeyed: false, method: "DELETE"),
        ScenarioStep(Ordering.BeginOrder.self, by: .customer),
        ScenarioStep(Ordering.AddItem.self, by: .customer),
        ScenarioStep(Ordering.PayOrder.self, by: .customer),
        ScenarioStep(Payments.ReadReceipt.self, by: .customer, isKeyed: false, method: "GET")
    ]
    let needsCustomerAccount = false

    private enum Step: Int { case cart, discard, begin, item, pay, receipt }

    // MARK: Whose order it is

    func choose(_ operation: inout LoadOperation, _ stage: Stage) {
        operation.pair = stage.orders.take()
        let customers = stage.population.customers
        operation.card = operation.pair % customers * stage.population.cardsEach
        operation.merchant = operation.pair / customers % stage.population.merchants
        operation.amount = LoadMenu.price(ofBase: base(operation))
    }

    func end(_ operation: LoadOperation, _ stage: Stage) { stage.orders.giveBack(operation.pair) }

    /// Other pairs order other things.
    private func base(_ operation: LoadOperation) -> Int { operation.pair % LoadMenu.bases }

    /// An order that was closed without payment, as its payment came to nothing in time: its items are in another one.
    func goesOn(after code: String, _ operation: inout LoadOperation, _ stage: Stage) -> Bool {
        guard code == FaultCode.orderClosed.code else { return false }
        operation.isRenewed = true
        operation.step = Step.cart.rawValue
        return true
    }

    // MARK: Asks

    func writeAsk(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        let customer = stage.population.customer(operation.customer)
        switch Step(rawValue: step)! {
        case .cart:
            text.field("{\"customer\":\"", customer)
            text.field(",\"merchant\":\"", stage.population.merchant(operation.merchant))
        case .discard:
            text.field("{\"order\":\"", operation.leftOver)
            text.field(",\"customer\":\"", customer)
        case .begin:
            text.field("{\"order\":\"", operation.charge)
            text.field(",\"customer\":\"", customer)
            text.field(",\"merchant\":\"", stage.population.merchant(operation.merchant))
            text.text(",")
            writeCountry(to: text)
        case .item:
            text.field("{\"item\":\"", stage.id(operation.number) as Ordering.ItemID)
            text.field(",\"order\":\"", operation.charge)
            text.field(",\"customer\":\"", customer)
            text.text(",")
            writeItem(operation, to: text)
        case .pay:
            text.field("{\"order\":\"", operation.charge)
            text.field(",\"customer\":\"", customer)
            text.text(",")
            writePayment(operation, stage, to: text)
        case .receipt:
            text.field("{\"charge\":\"", operation.charge)
            text.field(",\"party\":\"", customer)
        }
        text.text("}")
    }

    private func writeCountry(to text: RequestText) { text.text("\"country\":\"us\"") }

    private func writeItem(_ operation: LoadOperation, to text: RequestText) {
        text.text("\"base\":\"")
        text.text(Array(LoadMenu.key(ofBase: base(operation)).utf8))
        text.text("\",\"extras\":[]")
    }

    private func writePayment(_ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.field("\"card\":\"", stage.population.card(operation.card))
        text.text(",\"total\":{\"amount\":")
        text.decimal(operation.amount)
        text.text(",\"currency\":\"USD\"}")
    }

    // MARK: Requests

    func writePath(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        switch Step(rawValue: step)! {
        case .cart, .begin:
            text.text("/v1/menus/")
            text.hex(stage.population.merchant(operation.merchant))
            text.text(step == Step.cart.rawValue ? "/cart" : "/orders")
        case .discard:
            text.text("/v1/orders/")
            text.hex(operation.leftOver)
        case .item, .pay:
            text.text("/v1/orders/")
            text.hex(operation.charge)
            text.text(step == Step.item.rawValue ? "/items" : "/payment")
        case .receipt:
            text.text("/v1/receipts/")
            text.hex(operation.charge)
        }
    }

    func writeBody(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        switch Step(rawValue: step)! {
        case .begin:
            text.text("{")
            writeCountry(to: text)
        case .item:
            text.text("{")
            writeItem(operation, to: text)
        case .pay:
            text.text("{")
            writePayment(operation, stage, to: text)
        case .cart, .discard, .receipt: return
        }
        text.text("}")
    }

    // MARK: Answers

    func take(_ answer: AnswerText, of step: Int, into operation: inout LoadOperation, _ stage: Stage) -> Bool {
        switch Step(rawValue: step)! {
        case .cart: return takeCart(answer, into: &operation)
        case .discard: return answer.after("\"state\":\"closed\"") != nil
        case .begin:
            // Over HTTP the id is the gateway's.
            guard let order = answer.identifier("\"order\":\"", of: ChargeID.self) else { return false }
            operation.charge = order
            return true
        case .item: return answer.integer("\"total\":{\"amount\":") == Int64(operation.amount)
        case .pay: return answer.after("\"entry\":") != nil
        case .receipt: return answer.takeReceipt(into: &operation, stage)
        }
    }

    private func takeCart(_ answer: AnswerText, into operation: inout LoadOperation) -> Bool {
        guard let order = answer.identifier("\"order\":\"", of: ChargeID.self) else {
            operation.step = Step.discard.rawValue
            return !operation.isRenewed
        }
        // One whose payment is being found out is read again.
        guard answer.after("\"state\":\"open\"") != nil else { return false }
        if operation.isRenewed {
            operation.charge = order
            operation.step = Step.item.rawValue
        } else {
            operation.leftOver = order
        }
        return true
    }
}

/// What every merchant of a load sells: a dozen things of other prices.
enum LoadMenu {
    static let bases = 12

    static func key(ofBase number: Int) -> String { "b\(number)" }
    /// Minor units.
    static func price(ofBase number: Int) -> Int { 5 * (number + 1) }

    static let menu = Ordering.Menu(
        title: .init(en: "Load test"), item: .init(en: "Thing"), baseTitle: .init(en: "Which"),
        baseName: .init(en: "Things"), extrasTitle: .init(en: "Extras"),
        countries: [.init(key: "us", name: .init(en: "USA"), currency: .usd, factorPercent: 100)],
        bases: (0..<bases).map { number in
            .init(key: key(ofBase: number), name: .init(en: "Thing \(number)"), price: Int64(price(ofBase: number)))
        }, extras: [])
}

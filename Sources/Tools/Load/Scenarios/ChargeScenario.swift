import Contracts
import Primitives

/// A merchant asks for money, the customer approves: with a coupon of the merchant's or without. Of the coupons one in
/// eight is one that few may use; a customer who comes too late for it pays without.
struct ChargeScenario: Scenario {
    let name: String
    let summary: String
    let steps = [
        ScenarioStep(Payments.RequestCharge.self, by: .merchant),
        ScenarioStep(Payments.ApproveCharge.self, by: .customer, isKeyed: false)
    ]
    let needsCustomerAccount = true
    let askedAgain: AskedAgain? = .approval
    private let withCoupon: Bool

    init(withCoupon: Bool = false) {
        self.withCoupon = withCoupon
        name = withCoupon ? "coupon" : "charge"
        summary =
            "a merchant asks\(withCoupon ? ", the customer approves with a coupon" : " for money, the customer approves") (2 requests)"
    }

    func choose(_ operation: inout LoadOperation, _ stage: Stage) {
        // A coupon leaves something to pay.
        if withCoupon { operation.amount = max(operation.amount, 2) }
    }

    func begin(_ operation: inout LoadOperation, _ stage: Stage) {
        if withCoupon { operation.coupon = operation.number % 8 == 0 ? .scarce : .ample }
    }

    func goesOn(after code: String, _ operation: inout LoadOperation, _ stage: Stage) -> Bool {
        guard code == FaultCode.couponUsedUp.code, operation.coupon == .scarce else { return false }
        operation.coupon = .none
        return true
    }

    func writeAsk(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.field("{\"charge\":\"", operation.charge)
        if step == 0 { text.field(",\"merchant\":\"", stage.population.merchant(operation.merchant)) }
        text.field(",\"customer\":\"", stage.population.customer(operation.customer))
        if step == 1 { text.field(",\"card\":\"", stage.population.card(operation.card)) }
        text.amount(operation.amount)
        writeEnd(step, operation, stage, to: text)
    }

    private func writeEnd(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        if step == 0 {
            text.memo(operation.number, stage)
        } else if let coupon = stage.coupons.id(operation.coupon, of: operation.merchant) {
            text.field(",\"coupon\":\"", coupon)
        }
        text.text("}")
    }

    func writePath(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.text("/v1/charges")
        guard step == 1 else { return }
        text.text("/")
        text.hex(operation.charge)
        text.text("/approval")
    }

    func writeBody(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        if step == 0 {
            text.field("{\"customer\":\"", stage.population.customer(operation.customer))
        } else {
            text.field("{\"card\":\"", stage.population.card(operation.card))
        }
        text.amount(operation.amount)
        writeEnd(step, operation, stage, to: text)
    }

    func take(_ answer: AnswerText, of step: Int, into operation: inout LoadOperation, _ stage: Stage) -> Bool {
        if step == 1 { return answer.takeReceipt(into: &operation, stage) }
        guard let charge = answer.identifier("\"charge\":\"", of: ChargeID.self) else { return false }
        operation.charge = charge
        return true
    }
}

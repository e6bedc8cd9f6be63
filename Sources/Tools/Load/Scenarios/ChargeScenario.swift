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

    func choose(_ deal: inout Deal, _ stage: Stage) {
        // A coupon leaves something to pay.
        if withCoupon { deal.amount = max(deal.amount, 2) }
    }

    func begin(_ deal: inout Deal, _ stage: Stage) {
        if withCoupon { deal.coupon = deal.number % 8 == 0 ? .scarce : .ample }
    }

    func goesOn(after code: String, _ deal: inout Deal, _ stage: Stage) -> Bool {
        guard code == FaultCode.couponUsedUp.code, deal.coupon == .scarce else { return false }
        deal.coupon = .none
        return true
    }

    func writeAsk(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        text.field("{\"charge\":\"", deal.charge)
        if step == 0 { text.field(",\"merchant\":\"", stage.population.merchant(deal.merchant)) }
        text.field(",\"customer\":\"", stage.population.customer(deal.customer))
        if step == 1 { text.field(",\"card\":\"", stage.population.card(deal.card)) }
        text.amount(deal.amount)
        writeEnd(step, deal, stage, to: text)
    }

    private func writeEnd(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        if step == 0 {
            text.memo(deal.number, stage)
        } else if let coupon = stage.coupons.id(deal.coupon, of: deal.merchant) {
            text.field(",\"coupon\":\"", coupon)
        }
        text.text("}")
    }

    func writePath(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        text.text("/v1/charges")
        guard step == 1 else { return }
        text.text("/")
        text.hex(deal.charge)
        text.text("/approval")
    }

    func writeBody(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        if step == 0 {
            text.field("{\"customer\":\"", stage.population.customer(deal.customer))
        } else {
            text.field("{\"card\":\"", stage.population.card(deal.card))
        }
        text.amount(deal.amount)
        writeEnd(step, deal, stage, to: text)
    }

    func take(_ answer: AnswerText, of step: Int, into deal: inout Deal, _ stage: Stage) -> Bool {
        if step == 1 { return answer.takeReceipt(into: &deal, stage) }
        guard let charge = answer.identifier("\"charge\":\"", of: ChargeID.self) else { return false }
        deal.charge = charge
        return true
    }
}

import Contracts
import Primitives

/// A merchant asks for money, the customer approves.
struct ChargeScenario: Scenario {
    let name = "charge"
    let summary = "a merchant asks for money, the customer approves (2 requests)"
    let steps = [
        ScenarioStep(Payments.RequestCharge.self, by: .merchant),
        ScenarioStep(Payments.ApproveCharge.self, by: .customer, isKeyed: false)
    ]
    let needsCustomerAccount = true

    func writeAsk(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        text.field("{\"charge\":\"", deal.charge)
        if step == 0 { text.field(",\"merchant\":\"", stage.population.merchant(deal.merchant)) }
        text.field(",\"customer\":\"", stage.population.customer(deal.customer))
        if step == 1 { text.field(",\"card\":\"", stage.population.card(deal.card)) }
        text.amount(deal.amount)
        if step == 0 { text.memo(deal.number, stage) }
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
        if step == 0 { text.memo(deal.number, stage) }
        text.text("}")
    }

    func take(_ answer: AnswerText, of step: Int, into deal: inout Deal, _ stage: Stage) -> Bool {
        if step == 1 { return answer.takeReceipt(into: &deal, stage) }
        guard let charge = answer.identifier("\"charge\":\"", of: ChargeID.self) else { return false }
        deal.charge = charge
        return true
    }
}

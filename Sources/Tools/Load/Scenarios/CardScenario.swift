import Contracts

/// A customer pays with a card.
struct CardScenario: Scenario {
    let name = "card"
    let summary = "a customer pays with a card"
    let steps = [ScenarioStep(Payments.CreatePayment.self, by: .customer)]
    let needsCustomerAccount = false
    let askedAgain: AskedAgain? = .payment

    func writeAsk(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        text.field("{\"charge\":\"", deal.charge)
        text.field(",\"customer\":\"", stage.population.customer(deal.customer))
        text.field(",\"card\":\"", stage.population.card(deal.card))
        text.field(",\"merchant\":\"", stage.population.merchant(deal.merchant))
        text.amount(deal.amount)
        text.memo(deal.number, stage)
        text.text("}")
    }

    func writePath(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) { text.text("/v1/payments") }

    func writeBody(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        text.field("{\"merchant\":\"", stage.population.merchant(deal.merchant))
        text.amount(deal.amount)
        text.field(",\"card\":\"", stage.population.card(deal.card))
        text.memo(deal.number, stage)
        text.text("}")
    }

    func take(_ answer: AnswerText, of step: Int, into deal: inout Deal, _ stage: Stage) -> Bool {
        answer.takeReceipt(into: &deal, stage)
    }
}

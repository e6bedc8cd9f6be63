import Contracts

/// A customer pays with a card.
struct CardScenario: Scenario {
    let name = "card"
    let summary = "a customer pays with a card"
    let steps = [ScenarioStep(Payments.CreatePayment.self, by: .customer)]
    let needsCustomerAccount = false
    let askedAgain: AskedAgain? = .payment

    func writeAsk(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.field("{\"charge\":\"", operation.charge)
        text.field(",\"customer\":\"", stage.population.customer(operation.customer))
        text.field(",\"card\":\"", stage.population.card(operation.card))
        text.field(",\"merchant\":\"", stage.population.merchant(operation.merchant))
        text.amount(operation.amount)
        text.memo(operation.number, stage)
        text.text("}")
    }

    func writePath(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.text("/v1/payments")
    }

    func writeBody(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.field("{\"merchant\":\"", stage.population.merchant(operation.merchant))
        text.amount(operation.amount)
        text.field(",\"card\":\"", stage.population.card(operation.card))
        text.memo(operation.number, stage)
        text.text("}")
    }

    func take(_ answer: AnswerText, of step: Int, into operation: inout LoadOperation, _ stage: Stage) -> Bool {
        answer.takeReceipt(into: &operation, stage)
    }
}

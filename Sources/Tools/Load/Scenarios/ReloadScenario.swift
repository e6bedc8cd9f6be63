import Contracts
import Primitives

/// Money for a card that is running out: played by the generator between the others, journaled, and not measured.
struct ReloadScenario: Scenario {
    let name = "reload"
    let summary = "money for a card that is running out"
    let steps = [ScenarioStep(Wallet.ReloadCard.self, by: .customer)]
    let needsCustomerAccount = false
    let askedAgain: AskedAgain? = .reload

    func writeAsk(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        text.field("{\"operation\":\"", stage.id(deal.number) as OperationID)
        text.field(",\"customer\":\"", stage.population.customer(deal.customer))
        text.field(",\"card\":\"", stage.population.card(deal.card))
        text.amount(deal.amount)
        text.text("}")
    }

    func writePath(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        text.text("/v1/cards/")
        text.hex(stage.population.card(deal.card))
        text.text("/reloads")
    }

    func writeBody(_ step: Int, _ deal: Deal, _ stage: Stage, to text: RequestText) {
        text.text("{\"amount\":{\"amount\":")
        text.decimal(deal.amount)
        text.text(",\"currency\":\"USD\"}}")
    }

    func take(_ answer: AnswerText, of step: Int, into deal: inout Deal, _ stage: Stage) -> Bool {
        guard let operation = answer.identifier("\"operation\":\"", of: OperationID.self),
            let entry = answer.integer("\"entry\":")
        else { return false }
        deal.charge = operation.reinterpreted()
        deal.entry = entry
        deal.cardBalance = answer.integer("\"cardBalance\":{\"amount\":") ?? .min
        deal.receiptDiffers =
            answer.integer("\"amount\":{\"amount\":") != Int64(deal.amount)
            || answer.identifier("\"card\":\"") != stage.population.card(deal.card)
        return true
    }
}

import Contracts
import Primitives

/// A customer puts money on a card. The generator plays it between the others too, for cards that run low: journaled,
/// and not measured.
struct ReloadScenario: Scenario {
    let name = "reload"
    let summary = "a customer puts money on a card"
    let steps = [ScenarioStep(Wallet.ReloadCard.self, by: .customer)]
    let needsCustomerAccount = false
    let moves: MovementKind? = .reload

    func writeAsk(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.field("{\"operation\":\"", stage.id(operation.number) as OperationID)
        text.field(",\"customer\":\"", stage.population.customer(operation.customer))
        text.field(",\"card\":\"", stage.population.card(operation.card))
        text.amount(operation.amount)
        text.text("}")
    }

    func writePath(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.text("/v1/cards/")
        text.hex(stage.population.card(operation.card))
        text.text("/reloads")
    }

    func writeBody(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.text("{\"amount\":{\"amount\":")
        text.decimal(operation.amount)
        text.text(",\"currency\":\"USD\"}}")
    }

    func take(_ answer: AnswerText, of step: Int, into operation: inout LoadOperation, _ stage: Stage) -> Bool {
        guard let reload = answer.identifier("\"operation\":\"", of: OperationID.self),
            let entry = answer.integer("\"entry\":")
        else { return false }
        operation.receiptDiffers =
            answer.integer("\"amount\":{\"amount\":") != Int64(operation.amount)
            || answer.identifier("\"card\":\"") != stage.population.card(operation.card)
            || operation.charge.high != 0 && operation.charge != reload.reinterpreted()
        operation.charge = reload.reinterpreted()
        operation.entry = entry
        operation.cardBalance = answer.integer("\"cardBalance\":{\"amount\":") ?? .min
        return true
    }
}

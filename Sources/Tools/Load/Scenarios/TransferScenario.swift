import Contracts
import Primitives

/// A customer gives money to another one.
struct TransferScenario: Scenario {
    let name = "transfer"
    let summary = "a customer gives money to another one"
    let steps = [ScenarioStep(Wallet.PostTransfer.self, by: .customer)]
    let needsCustomerAccount = false
    let moves: MovementKind? = .transfer

    /// The other one follows from the operation's number.
    func begin(_ operation: inout LoadOperation, _ stage: Stage) {
        let (customers, cardsEach) = (stage.population.customers, stage.population.cardsEach)
        let chance = scramble(UInt64(stage.run) << 32 ^ UInt64(operation.number))
        let further = 1 + Int(chance % UInt64(max(1, customers - 1)))
        let customer = (stage.population.owner(ofCard: operation.card) + further) % customers
        operation.payee = customer * cardsEach + Int((chance >> 32) % UInt64(cardsEach))
    }

    private func payee(_ operation: LoadOperation, _ stage: Stage) -> PartyID {
        stage.population.customer(stage.population.owner(ofCard: operation.payee))
    }

    // MARK: Asks

    func writeAsk(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.field("{\"operation\":\"", operation.charge)
        text.text(",\"from\":{\"role\":\"customer\"")
        text.field(",\"party\":\"", stage.population.customer(operation.customer))
        text.field(",\"card\":\"", stage.population.card(operation.card))
        text.text("},\"to\":{\"role\":\"customer\"")
        text.field(",\"party\":\"", payee(operation, stage))
        text.field(",\"card\":\"", stage.population.card(operation.payee))
        text.text("}")
        text.amount(operation.amount)
        text.memo(operation.number, stage)
        text.text("}")
    }

    func writePath(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.text("/v1/transfers")
    }

    /// Who gives over HTTP does not choose the other one's card.
    func writeBody(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        text.field("{\"to\":{\"account\":\"", payee(operation, stage))
        text.text(",\"role\":\"customer\"}")
        text.amount(operation.amount)
        text.field(",\"card\":\"", stage.population.card(operation.card))
        text.memo(operation.number, stage)
        text.text("}")
    }

    // MARK: Answers

    func take(_ answer: AnswerText, of step: Int, into operation: inout LoadOperation, _ stage: Stage) -> Bool {
        guard let transfer = answer.identifier("\"operation\":\"", of: ChargeID.self),
            let entry = answer.integer("\"entry\":"),
            let from = answer.after("\"from\":{").map(AnswerText.init),
            let to = answer.after("\"to\":{").map(AnswerText.init)
        else { return false }
        let paid = to.identifier("\"card\":\"", of: CardID.self)
        let place = paid.flatMap(stage.population.number(ofCard:))
        operation.receiptDiffers =
            answer.integer("\"amount\":{\"amount\":") != Int64(operation.amount)
            || from.identifier("\"card\":\"") != stage.population.card(operation.card)
            || place.map(stage.population.owner(ofCard:)) != stage.population.owner(ofCard: operation.payee)
            || stage.driver == .bus && place != operation.payee
            || operation.charge.high != 0 && operation.charge != transfer
        operation.payee = place ?? operation.payee
        operation.charge = transfer
        operation.entry = entry
        operation.cardBalance = answer.integer("\"balance\":{\"amount\":") ?? .min
        return true
    }
}

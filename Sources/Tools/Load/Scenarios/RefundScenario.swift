import Contracts
import Primitives

/// A merchant pays back a payment in part, until it is paid back as a whole. Where no payment is left to be paid back,
/// a customer pays first, which is an intent of its own.
struct RefundScenario: Scenario {
    let name = "refund"
    let summary = "a merchant pays back a payment, in part or what is left of it"
    let steps = [
        ScenarioStep(Payments.CreatePayment.self, by: .customer, endsIntent: true),
        ScenarioStep(Payments.RefundCharge.self, by: .merchant)
    ]
    let needsCustomerAccount = false
    let moves: MovementKind? = .refund
    let askedAgain: AskedAgain? = .payment

    private let paying = CardScenario()

    // MARK: What is paid back

    func choose(_ operation: inout LoadOperation, _ stage: Stage) {
        if let place = stage.paid.take() {
            operation.step = 1
            payBack(operation.amount, of: place, &operation, stage)
        } else {
            operation.refund = operation.amount
            operation.amount = stage.paid.worth
            operation.moves = .payment
        }
    }

    func begin(_ operation: inout LoadOperation, _ stage: Stage) {
        // The payment that it was to begin with has been made.
        guard operation.step == 1, operation.moves == .payment else { return }
        payBack(operation.refund, of: operation.paid, &operation, stage)
    }

    private func payBack(_ amount: Int, of place: Int, _ operation: inout LoadOperation, _ stage: Stage) {
        let paid = stage.paid[place]
        operation.moves = .refund
        operation.paid = place
        operation.card = paid.card
        operation.merchant = paid.merchant
        operation.isWhole = paid.left <= amount
        operation.amount = min(paid.left, amount)
    }

    func end(_ operation: LoadOperation, _ stage: Stage) {
        if operation.paid >= 0 { stage.paid.giveBack(operation.paid) }
    }

    // MARK: Asks

    func writeAsk(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        guard step == 1 else { return paying.writeAsk(0, operation, stage, to: text) }
        text.field("{\"refund\":\"", operation.charge)
        text.field(",\"charge\":\"", stage.paid[operation.paid].charge)
        text.field(",\"merchant\":\"", stage.population.merchant(operation.merchant))
        if !operation.isWhole { text.amount(operation.amount) }
        text.text("}")
    }

    func writePath(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        guard step == 1 else { return paying.writePath(0, operation, stage, to: text) }
        text.text("/v1/charges/")
        text.hex(stage.paid[operation.paid].charge)
        text.text("/refunds")
    }

    func writeBody(_ step: Int, _ operation: LoadOperation, _ stage: Stage, to text: RequestText) {
        guard step == 1 else { return paying.writeBody(0, operation, stage, to: text) }
        guard !operation.isWhole else { return text.text("{}") }
        text.text("{\"amount\":{\"amount\":")
        text.decimal(operation.amount)
        text.text(",\"currency\":\"USD\"}}")
    }

    // MARK: Answers

    func take(_ answer: AnswerText, of step: Int, into operation: inout LoadOperation, _ stage: Stage) -> Bool {
        guard step == 1 else {
            guard paying.take(answer, of: 0, into: &operation, stage) else { return false }
            operation.paid = stage.paid.addTaken(
                PaidCharges.Paid(
                    charge: operation.charge, card: operation.card, merchant: operation.merchant,
                    amount: operation.amount))
            return true
        }
        guard let refund = answer.identifier("\"refund\":\"", of: ChargeID.self),
            let entry = answer.integer("\"entry\":"), let refunded = answer.integer("\"refunded\":{\"amount\":")
        else { return false }
        stage.paid.note(operation.paid, refunded: operation.amount)
        let paid = stage.paid[operation.paid]
        operation.receiptDiffers =
            answer.identifier("\"charge\":\"") != paid.charge
            || answer.integer("\"amount\":{\"amount\":") != Int64(operation.amount)
            || refunded != Int64(paid.refunded)
            || operation.charge.high != 0 && operation.charge != refund
        operation.charge = refund
        operation.entry = entry
        operation.cardBalance = refunded
        return true
    }
}

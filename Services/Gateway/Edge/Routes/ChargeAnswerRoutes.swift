import Contracts
import Primitives

package struct Approval: RequestBody, Equatable {
    package let card: CardID?
    package let amount: Money?

    static let notes: [String: SchemaNote] = [
        "card": .payingCard,
        "amount": .amount(orElse: "What the customer saw and agrees to; the charge's own amount where none is given.")
    ]
}

extension RouteTable {
    /// What a customer answers to a requested charge. Recorded under the charge: a repeat finds the first answer.
    static let chargeAnswers = [
        Route(
            .post, "/v1/charges/{charge}/approval", "approveCharge", "Pays a requested charge", for: .customer,
            key: .optional, pin: true, bodyIsOptional: true, asks: [Payments.ApproveCharge.self]
        ) { (call: Call, body: Approval) async throws(Fault) -> Given<Payments.Receipt> in
            let paid = try await call.ask(
                Payments.ApproveCharge(
                    charge: call.id(), customer: call.account, card: body.card, amount: body.amount))
            return Given(paid.receipt, replayed: paid.replayed)
        },
        Route(
            .post, "/v1/charges/{charge}/decline", "declineCharge", "Refuses a requested charge", for: .customer,
            asks: [Payments.DeclineCharge.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Payments.ChargeView> in
            let declined = try await call.ask(Payments.DeclineCharge(charge: call.id(), customer: call.account))
            return Given(declined.charge, replayed: declined.replayed)
        }
    ]
}

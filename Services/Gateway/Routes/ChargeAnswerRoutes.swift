import Contracts
import Primitives
import Schemas
import Wire

package struct Approval: RequestBody, FastCoded, Equatable {
    package let card: CardID?
    package let amount: Money?
    package let coupon: OfferID?

    static let notes: [String: SchemaNote] = [
        "coupon": .coupon, "card": .payingCard,
        "amount": .amount(orElse: "What the customer saw and agrees to; the charge's own amount where none is given.")
    ]
}

/// A customer's answer: exactly one of the two is true.
package struct ChargeUpdate: RequestBody, FastCoded, Equatable {
    package let paid: Bool
    package let cancelled: Bool
    package let card: CardID?
    package let coupon: OfferID?

    static let notes: [String: SchemaNote] = [
        "paid": SchemaNote("Whether the customer pays.", example: true),
        "cancelled": SchemaNote("Whether the customer refuses; exactly one of the two is true.", example: false),
        "card": .payingCard, "coupon": .coupon
    ]
}

/// What came of it: the receipt of a charge that was paid, or the charge that was not.
package struct AnsweredCharge: WireMessage, Equatable {
    package let receipt: Payments.Receipt?
    package let charge: Payments.ChargeView?
}

extension SchemaNote {
    fileprivate static let coupon = SchemaNote(
        "A coupon of this merchant's that the customer uses up with this payment; `GET /v1/coupons` has them.")
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
                    charge: call.id(), customer: call.account, card: body.card, amount: body.amount,
                    coupon: body.coupon))
            return Given(paid.receipt, replayed: paid.replayed)
        },
        Route(
            .post, "/v1/charges/{charge}/decline", "declineCharge", "Refuses a requested charge", for: .customer,
            asks: [Payments.DeclineCharge.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Payments.ChargeView> in
            let declined = try await call.ask(Payments.DeclineCharge(charge: call.id(), customer: call.account))
            return Given(declined.charge, replayed: declined.replayed)
        },
        Route(
            .put, "/v1/charges/{charge}", "updateCharge", "Pays or refuses a requested charge, in one form for both",
            for: .customer, key: .optional, asks: [Payments.ApproveCharge.self, Payments.DeclineCharge.self],
            faults: [.pinRequired]
        ) { (call: Call, body: ChargeUpdate) async throws(Fault) -> Given<AnsweredCharge> in
            try await update(call.id(), body, call)
        },
        Route(
            .put, "/v1/charges", "updatePayment",
            "Pays or refuses the requested charge with that `productIndex`, in one form for both (A32)",
            for: .customer, key: .optional, query: [.requiredProductIndex],
            asks: [Payments.ReadCharges.self, Payments.ApproveCharge.self, Payments.DeclineCharge.self],
            faults: [.pinRequired, .chargeNotFound]
        ) { (call: Call, body: ChargeUpdate) async throws(Fault) -> Given<AnsweredCharge> in
            guard let number = try call.query.productIndex() else {
                throw Fault(WireError(.missingField, path: "productIndex"))
            }
            let found = try await call.ask(
                Payments.ReadCharges(party: call.account, limit: 1, productIndex: number))
            guard let charge = found.charges.first?.charge else { throw Fault(.chargeNotFound) }
            return try await update(charge, body, call)
        }
    ]

    /// To pay needs the PIN, to refuse does not.
    private static func update(
        _ charge: ChargeID, _ body: ChargeUpdate, _ call: Call
    ) async throws(Fault) -> Given<AnsweredCharge> {
        switch (body.paid, body.cancelled) {
        case (true, false):
            try await call.requirePIN()
            let paid = try await call.ask(
                Payments.ApproveCharge(
                    charge: charge, customer: call.account, card: body.card, coupon: body.coupon))
            return Given(AnsweredCharge(receipt: paid.receipt, charge: nil), replayed: paid.replayed)
        case (false, true):
            let declined = try await call.ask(Payments.DeclineCharge(charge: charge, customer: call.account))
            return Given(AnsweredCharge(receipt: nil, charge: declined.charge), replayed: declined.replayed)
        default:
            throw Fault(.malformed, "exactly one of 'paid' and 'cancelled' has to be true")
        }
    }
}

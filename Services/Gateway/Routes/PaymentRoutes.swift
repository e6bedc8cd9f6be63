import Contracts
import Primitives
import Schemas
import Wire

/// A payment to make now.
package struct NewPayment: RequestBody, FastCoded, Equatable {
    package let merchant: PartyID
    package let amount: TypedAmount
    package let card: CardID?
    package let memo: String?

    static let notes: [String: SchemaNote] = ["amount": .typedAmount, "card": .payingCard, "memo": .memo]
}

/// Whether the customer may pay at all.
package struct PaymentSettings: RequestBody, Equatable {
    package let enabled: Bool

    static let notes: [String: SchemaNote] = [
        "enabled": SchemaNote("While false, no card of the customer's pays. Transfers go on.", example: true)
    ]
}

extension RouteTable {
    static let paymentSettings = [
        Route(
            .get, "/v1/settings/payments", "readPaymentSettings", "Whether payments are enabled", for: .customer,
            asks: [Payments.ReadEnabled.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<PaymentSettings> in
            let view = try await call.ask(Payments.ReadEnabled(customer: call.account))
            return Given(PaymentSettings(enabled: view.enabled))
        },
        Route(
            .put, "/v1/settings/payments", "changePaymentSettings", "Enables or disables payments", for: .customer,
            asks: [Payments.SetEnabled.self]
        ) { (call: Call, body: PaymentSettings) async throws(Fault) -> Given<PaymentSettings> in
            let view = try await call.ask(Payments.SetEnabled(customer: call.account, enabled: body.enabled))
            return Given(PaymentSettings(enabled: view.enabled))
        }
    ]

    static let payments = [
        Route(
            .post, "/v1/payments", "createPayment", "Pays a merchant from a card", for: .customer, key: .required,
            pin: true, status: 201, asks: [Payments.CreatePayment.self]
        ) { (call: Call, body: NewPayment) async throws(Fault) -> Given<Payments.Receipt> in
            let paid = try await call.ask(
                Payments.CreatePayment(
                    charge: call.operation(), customer: call.account, card: body.card, merchant: body.merchant,
                    amount: body.amount.money, memo: body.memo ?? ""))
            return Given(paid.receipt, replayed: paid.replayed)
        },
        Route(
            .get, "/v1/receipts/{charge}", "readReceipt", "The receipt of a paid charge", for: .holders,
            asks: [Payments.ReadReceipt.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Payments.Receipt> in
            Given(try await call.ask(Payments.ReadReceipt(charge: call.id(), party: call.account)))
        },
        Route(
            .get, "/v1/history", "readHistory", "Paid charges, newest first", for: .holders,
            query: QueryParameter.page, asks: [Payments.ReadCharges.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Payments.ReadCharges.Reply> in
            Given(
                try await call.ask(
                    Payments.ReadCharges(
                        party: call.account, state: .captured, before: try call.query.before(),
                        limit: try call.query.limit())))
        }
    ]
}

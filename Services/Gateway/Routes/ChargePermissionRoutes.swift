import Contracts
import Primitives
import Schemas
import Wire

/// Whether every merchant may request money.
package struct ChargeSettings: RequestBody, Equatable {
    package let everyone: Bool

    static let notes: [String: SchemaNote] = [
        "everyone": SchemaNote(
            "Whether every merchant may request money from the customer, wherever the customer is.", example: false)
    ]
}

/// Whether one merchant may request money.
package struct ChargePermission: RequestBody, Equatable {
    package let allowed: Bool

    static let notes: [String: SchemaNote] = [
        "allowed": SchemaNote(
            "Whether the merchant may request money from the customer, wherever the customer is.", example: true)
    ]
}

extension QueryParameter {
    fileprivate static let payer = QueryParameter(
        name: "customer", summary: "The customer's id or username.",
        schema: ["type": "string", "pattern": "^[A-Za-z0-9._@+-]{1,64}$"], example: "ada", isRequired: true)
}

extension RouteTable {
    /// Which merchants may request money from a customer who is not near.
    static let chargePermissions = [
        Route(
            .get, "/v1/settings/charges", "readChargeSettings",
            "The merchants that may request money wherever the customer is", for: .customer,
            asks: [Payments.ReadPermissions.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Payments.ReadPermissions.Reply> in
            Given(try await call.ask(Payments.ReadPermissions(customer: call.account)))
        },
        Route(
            .put, "/v1/settings/charges", "changeChargeSettings",
            "Lets every merchant request money wherever the customer is, or no longer", for: .customer,
            asks: [Payments.SetPermission.self]
        ) { (call: Call, body: ChargeSettings) async throws(Fault) -> Given<ChargeSettings> in
            let reply = try await call.ask(Payments.SetPermission(customer: call.account, allowed: body.everyone))
            return Given(ChargeSettings(everyone: reply.allowed))
        },
        Route(
            .put, "/v1/settings/charges/{merchant}", "changeChargePermission",
            "Lets one merchant request money wherever the customer is, or no longer", for: .customer,
            asks: [Payments.SetPermission.self]
        ) { (call: Call, body: ChargePermission) async throws(Fault) -> Given<ChargePermission> in
            let reply = try await call.ask(
                Payments.SetPermission(customer: call.account, merchant: call.id(), allowed: body.allowed))
            return Given(ChargePermission(allowed: reply.allowed))
        },
        Route(
            .get, "/v1/chargeable", "readChargeable",
            "Whether the merchant may request money from a customer now, without naming a place; the code of the "
                + "refusal where it may not", for: .merchant, query: [.payer],
            asks: [Auth.ReadAccount.self, Payments.ReadChargeable.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Payments.ReadChargeable.Reply> in
            Given(
                try await ofCustomer(try call.query.payer(), call) { customer throws(Fault) in
                    try await call.ask(Payments.ReadChargeable(merchant: call.account, customer: customer))
                })
        }
    ]
}

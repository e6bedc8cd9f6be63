import Contracts
import Primitives
import Schemas
import Wire

package struct NewCharge: RequestBody, FastCoded, Equatable {
    package let customer: String
    package let amount: TypedAmount
    package let memo: String?
    package let place: PlaceID?

    static let notes: [String: SchemaNote] = [
        "place": SchemaNote(
            "The merchant's place where the customer is, as `GET /v1/customers/nearby` names it. The customer must be "
                + "there, and the charge records it."),
        "customer": SchemaNote(
            "The customer's id (32 lowercase hexadecimal digits) or username. What is both is taken as the id.",
            pattern: "^[A-Za-z0-9._@+-]{1,64}$",
            example: "ada"),
        "amount": .typedAmount, "memo": .memo
    ]
}

package struct NewRefund: RequestBody, FastCoded, Equatable {
    package let amount: TypedAmount?

    static let notes: [String: SchemaNote] = [
        "amount": SchemaNote("What is left of the charge where none is given.")
    ]
}

extension RouteTable {
    /// What a merchant does with a charge, and what both sides may read of it.
    static let charges = [
        Route(
            .post, "/v1/charges", "requestCharge", "Asks a customer for money", for: .merchant, key: .required,
            status: 201, asks: [Auth.ReadAccount.self, Payments.RequestCharge.self]
        ) { (call: Call, body: NewCharge) async throws(Fault) -> Given<Payments.ChargeView> in
            let asked = try await ofCustomer(body.customer, call) { customer throws(Fault) in
                try await call.ask(
                    Payments.RequestCharge(
                        charge: call.operation(), merchant: call.account, customer: customer,
                        amount: body.amount.money, memo: body.memo ?? "", place: body.place))
            }
            return Given(asked.charge, replayed: asked.replayed)
        },
        Route(
            .get, "/v1/charges", "readCharges", "Charges, newest first", for: .holders,
            query: [.state, .since, .productIndex] + QueryParameter.page, asks: [Payments.ReadCharges.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Payments.ReadCharges.Reply> in
            Given(
                try await call.ask(
                    Payments.ReadCharges(
                        party: call.account, state: try call.query.state(), before: try call.query.before(),
                        limit: try call.query.limit(), since: try call.query.since(),
                        productIndex: try call.query.productIndex())))
        },
        Route(
            .get, "/v1/charges/{charge}", "readCharge", "One charge", for: .holders, asks: [Payments.ReadCharge.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Payments.ChargeView> in
            Given(try await call.ask(Payments.ReadCharge(charge: call.id(), party: call.account)))
        },
        Route(
            .post, "/v1/charges/{charge}/cancellation", "cancelCharge", "Takes a requested charge back",
            for: .merchant, asks: [Payments.CancelCharge.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Payments.ChargeView> in
            let cancelled = try await call.ask(Payments.CancelCharge(charge: call.id(), merchant: call.account))
            return Given(cancelled.charge, replayed: cancelled.replayed)
        },
        Route(
            .post, "/v1/charges/{charge}/refunds", "refundCharge", "Pays a charge back, in full or in part",
            for: .merchant, key: .required, bodyIsOptional: true, status: 201, asks: [Payments.RefundCharge.self]
        ) { (call: Call, body: NewRefund) async throws(Fault) -> Given<Refund> in
            let refunded = try await call.ask(
                Payments.RefundCharge(
                    refund: call.operation(), charge: call.id(), merchant: call.account, amount: body.amount?.money))
            return Given(Refund(refunded), replayed: refunded.replayed)
        }
    ]

    /// Asks for a customer whom a merchant names by id or username.
    ///
    /// An id that a customer has always means that customer: another's username that is written like it takes nothing
    /// that is meant for them.
    static func ofCustomer<Reply>(
        _ text: String, _ call: Call, _ ask: (PartyID) async throws(Fault) -> Reply
    ) async throws(Fault) -> Reply {
        if let id = PartyID(text) {
            do throws(Fault) { return try await ask(id) } catch {
                guard error.code == .customerNotFound else { throw error }
            }
        }
        return try await ask(try await customer(named: text, call))
    }

    private static func customer(named username: String, _ call: Call) async throws(Fault) -> PartyID {
        do throws(Fault) {
            let account = try await call.ask(Auth.ReadAccount(username: username))
            guard account.role == .customer else { throw Fault(.customerNotFound) }
            return account.account
        } catch {
            throw error.code == .partyNotFound ? Fault(.customerNotFound) : error
        }
    }
}

/// A refund as clients see it: the same on every repeat.
package struct Refund: FastCoded, Equatable {
    package let refund: OperationID
    package let charge: ChargeID
    package let amount: Money
    package let refunded: Money
    package let entry: Int64
    package let time: Timestamp

    init(_ reply: Payments.RefundCharge.Reply) {
        refund = reply.refund
        charge = reply.charge
        amount = reply.amount
        refunded = reply.refunded
        entry = reply.entry
        time = reply.time
    }
}

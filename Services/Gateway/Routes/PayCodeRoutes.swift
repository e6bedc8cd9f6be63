import Contracts
import Primitives
import Schemas
import Wire

package struct NewPayCode: RequestBody, FastCoded, Equatable {
    package let card: CardID?
    package let typed: Bool?

    static let notes: [String: SchemaNote] = [
        "card": .payingCard,
        "typed": SchemaNote("Whether a code of ten characters, which can be typed, is wanted too.", example: true)
    ]
}

package struct ShownPayCode: RequestBody, FastCoded, Equatable {
    package let code: String
    package let amount: TypedAmount
    package let memo: String?

    static let notes: [String: SchemaNote] = [
        "code": SchemaNote(
            "What the customer's bar code holds, or the ten characters that are typed for it.", lengths: 1...512,
            example: "K7WQ2M9XHB"),
        "amount": .typedAmount, "memo": .memo
    ]
}

extension RouteTable {
    static let payCodes = [
        Route(
            .post, "/v1/pay-codes", "issuePayCode", "Makes a code that a merchant can redeem once, within a minute",
            for: .customer, pin: true, bodyIsOptional: true, status: 201, asks: [Payments.IssueCode.self]
        ) { (call: Call, body: NewPayCode) async throws(Fault) -> Given<Payments.IssueCode.Reply> in
            Given(try await call.ask(Payments.IssueCode(customer: call.account, card: body.card, typed: body.typed)))
        },
        Route(
            .post, "/v1/code-payments", "redeemPayCode", "Charges the customer who showed a pay code",
            for: .merchant, key: .required, status: 201, asks: [Payments.RedeemCode.self]
        ) { (call: Call, body: ShownPayCode) async throws(Fault) -> Given<Payments.Receipt> in
            let paid = try await call.ask(
                Payments.RedeemCode(
                    attempt: call.operation(), code: body.code, merchant: call.account, amount: body.amount.money,
                    memo: body.memo ?? ""))
            return Given(paid.receipt, replayed: paid.replayed)
        }
    ]
}

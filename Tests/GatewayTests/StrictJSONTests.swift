import Contracts
import GatewayService
import Primitives
import Testing
import Wire

@Suite("strict JSON")
struct StrictJSONTests {
    private static let merchant = #""merchant":"00000000000000070000000000000007""#

    @Test(
        "a payment's body is refused with the field's name",
        arguments: [
            (#"{\#(merchant),"amount":{"amount":1.5,"currency":"USD"}}"#, "amount.amount"),
            (#"{\#(merchant),"amount":{"amount":1e2,"currency":"USD"}}"#, "amount.amount"),
            (#"{\#(merchant),"amount":{"amount":"1","currency":"USD"}}"#, "amount.amount"),
            (#"{\#(merchant),"amount":{"amount":1,"currency":"usd"}}"#, "amount.currency"),
            (#"{\#(merchant),"amount":{"amount":1,"currency":"USD","x":1}}"#, "amount.x"),
            (#"{\#(merchant),"amount":{"amount":9223372036854775808,"currency":"USD"}}"#, "amount.amount"),
            (#"{\#(merchant)}"#, "amount"),
            (#"{\#(merchant),\#(merchant)}"#, "merchant"),
            (#"{\#(merchant),"amount":{"amount":1,"currency":"USD"},"memo":1}"#, "memo"),
            (#"{\#(merchant),"amount":{"amount":1,"currency":"USD"},"card":"0"}"#, "card"),
            (#"{"merchant":"A0000000000000070000000000000007"}"#, "merchant")
        ])
    func refused(body: String, field: String) async throws {
        let harness = GatewayHarness()
        let answer = try await harness.pay(body)
        #expect(answer.status == 400)
        #expect(answer.code == "bus.malformed")
        #expect(answer.detail?.contains("'\(field)'") == true, "\(answer.text)")
        #expect(harness.services.asked(Payments.CreatePayment.self).isEmpty)
    }

    @Test("the hand-written codec of a payment reads what the general one reads")
    func codec() throws {
        let full = NewPayment(
            merchant: PartyID(high: 1, low: 2), amount: TypedAmount(Money(150)), card: CardID(high: 3, low: 4),
            memo: "Käse \"\n")
        for payment in [
            full, NewPayment(merchant: PartyID(high: 1, low: 2), amount: TypedAmount(Money(1)), card: nil, memo: nil)
        ] {
            #expect(try NewPayment(json: payment.json) == payment)
            #expect(try JSONValue(parsing: payment.json).decode(NewPayment.self) == payment)
            #expect(JSONValue.encoding(payment).text == String(decoding: payment.json, as: UTF8.self))
        }
    }
}

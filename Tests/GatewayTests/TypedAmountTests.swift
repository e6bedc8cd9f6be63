import Contracts
import GatewayService
import Primitives
import Testing

@Suite("amounts as people type them")
struct TypedAmountTests {
    @Test(
        "digits, and behind a point or a comma one or two more (A34, A50)",
        arguments: [
            ("4.50", 450), ("4,50", 450), ("4", 400), ("4.5", 450), ("0.05", 5), ("0", 0), ("012.00", 1200),
            ("999999999999", 99_999_999_999_900), ("", nil), ("abc", nil), ("-4.50", nil), ("+4", nil), ("4.505", nil),
            ("4.", nil), (".50", nil), ("4.5.0", nil), ("4,5,0", nil), (" 4", nil), ("4 ", nil), ("1e3", nil),
            ("$4", nil), ("4.5x", nil), ("1000000000000", nil), ("٤", nil)
        ] as [(String, Int64?)])
    func typed(text: String, minor: Int64?) {
        #expect(TypedAmount(typed: text)?.money == minor.map { Money($0) })
    }

    @Test("reach the service in minor units", arguments: [#""1.50""#, #""1,5""#, #"{"amount":150,"currency":"USD"}"#])
    func sent(amount: String) async throws {
        let harness = GatewayHarness()
        let paid = try await harness.pay(
            #"{"merchant":"00000000000000070000000000000007","amount":\#(amount)}"#)
        #expect(paid.status == 201)
        #expect(harness.services.asked(Payments.CreatePayment.self).map(\.amount) == [Money(150)])
        let asked = try await harness.send(
            "POST", "/v1/charges", as: "merchant", key: "key", body: #"{"customer":"bob","amount":\#(amount)}"#)
        #expect(asked.status == 201)
        #expect(harness.services.asked(Payments.RequestCharge.self).map(\.amount) == [Money(150)])
    }

    @Test("are refused as an invalid text, by the field's name")
    func refused() async throws {
        let harness = GatewayHarness()
        let refused = try await harness.pay(#"{"merchant":"00000000000000070000000000000007","amount":"much"}"#)
        #expect(refused.status == 400)
        #expect(refused.detail?.contains("'amount' is an invalid text") == true)
        #expect(harness.services.asked(Payments.CreatePayment.self).isEmpty)
    }
}

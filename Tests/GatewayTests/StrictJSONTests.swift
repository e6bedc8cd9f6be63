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

    @Test("the codecs of bodies read and write what the general one does, with all fields and with as few as may be")
    func codecs() throws {
        func check<Body: FastCoded & Equatable>(_ bodies: Body...) throws {
            for body in bodies {
                #expect(try Body(json: body.json) == body)
                #expect(try JSONValue(parsing: body.json).decode(Body.self) == body)
                #expect(JSONValue.encoding(body).text == String(decoding: body.json, as: UTF8.self))
            }
        }
        let (party, card, amount) = (PartyID(high: 1, low: 2), CardID(high: 3, low: 4), TypedAmount(Money(150)))
        let memo = "Käse \"\n"
        try check(
            NewPayment(merchant: party, amount: amount, card: card, memo: memo),
            NewPayment(merchant: party, amount: amount))
        try check(
            NewCharge(customer: "bob", amount: amount, memo: memo, place: PlaceID(high: 5, low: 6)),
            NewCharge(customer: "bob", amount: amount))
        try check(Approval(card: card, amount: Money(1), coupon: OfferID(high: 7, low: 8)), Approval())
        try check(
            ChargeUpdate(paid: true, cancelled: false, card: card, coupon: OfferID(high: 7, low: 8)),
            ChargeUpdate(paid: false, cancelled: true))
        try check(NewRefund(amount: amount), NewRefund())
        try check(NewPayCode(card: card, typed: true), NewPayCode())
        try check(ShownPayCode(code: "BF1", amount: amount, memo: memo), ShownPayCode(code: "BF1", amount: amount))
        try check(Reload(amount: amount))
        try check(TouchBody(x: -1, y: 8, touchId: "a"), TouchBody(x: 1, y: 2))
        try check(CommandBody(touchId: "a"), CommandBody())
        try check(
            NewPosition(latitude: -1, longitude: 2, time: Timestamp(milliseconds: 3)),
            NewPosition(latitude: -1, longitude: 2))
        try check(
            Refund(
                refund: OperationID(high: 1, low: 1), charge: ChargeID(high: 2, low: 2), amount: Money(1),
                refunded: Money(2), entry: 3, time: Timestamp(milliseconds: 4)))
    }
}

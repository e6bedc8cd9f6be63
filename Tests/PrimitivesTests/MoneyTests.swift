import Primitives
import Testing
import Wire

@Suite("Money")
struct MoneyTests {
    @Test(
        "is shown with two decimals and its sign in front",
        arguments: [
            (1650, "$16.50"), (0, "$0.00"), (1, "$0.01"), (10, "$0.10"), (99, "$0.99"), (100, "$1.00"), (-5, "-$0.05"),
            (-1650, "-$16.50"), (123_456_789, "$1234567.89"), (Int64.max, "$92233720368547758.07"),
            (Int64.min, "-$92233720368547758.08")
        ])
    func display(amount: Int64, text: String) {
        #expect(Money(amount).display == text)
    }

    @Test("other currencies are named")
    func otherCurrencies() throws {
        let euro = try #require(Currency("EUR"))
        #expect(Money(1200, euro).display == "12.00 EUR")
        #expect(Money(-7, euro).display == "-0.07 EUR")
    }

    @Test("is one amount in one currency")
    func equality() throws {
        #expect(Money(1) == Money(1, .usd))
        #expect(Money(1) != Money(1, try #require(Currency("EUR"))))
    }

    @Test("on the wire: minor units and a code, nothing else (A80)")
    func wire() throws {
        #expect(String(decoding: Money(150).json, as: UTF8.self) == #"{"amount":150,"currency":"USD"}"#)
        for amount in [Int64.min, -1, 0, 1, .max] {
            #expect(try Money(json: Money(amount).json) == Money(amount))
        }
        for text in [
            "150", "[150,\"USD\"]", #"{"amount":150}"#, #"{"currency":"USD"}"#, #"{"amount":150,"currency":"usd"}"#,
            #"{"amount":150,"currency":"USDT"}"#, #"{"amount":150,"currency":null}"#,
            #"{"amount":null,"currency":"USD"}"#,
            #"{"amount":"150","currency":"USD"}"#, #"{"amount":1.5,"currency":"USD"}"#
        ] {
            #expect(throws: WireError.self) { try Money(json: Array(text.utf8)) }
            #expect(throws: WireError.self) { try JSONValue(parsing: Array(text.utf8)).decode(Money.self) }
        }
    }
}

@Suite("Currencies")
struct CurrencyTests {
    @Test("three capital letters", arguments: ["USD", "EUR", "AAA", "ZZZ"])
    func valid(code: String) throws {
        let currency = try #require(Currency(code))
        #expect(currency.code == code)
        #expect(try JSONValue.string(code).decode(Currency.self) == currency)
        #expect(JSONValue.encoding(currency) == .string(code))
    }

    @Test("nothing else", arguments: ["", "US", "USDT", "usd", "Usd", "U$D", "US1", "ÜSD", "US ", "ＵＳＤ", "@AZ", "AZ["])
    func invalid(code: String) {
        #expect(Currency(code) == nil)
    }
}

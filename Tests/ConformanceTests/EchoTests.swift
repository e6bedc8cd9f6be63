import Conformance
import Testing
import Wire

@Suite("Fields that messages about one act have in common")
struct EchoTests {
    private let asked: JSONValue = [
        "charge": "a1", "amount": ["amount": 150, "currency": "USD"], "memo": "Drip coffee", "time": "1970"
    ]

    @Test("the same values are no difference, in any order, around them or in an object that wraps them")
    func same() {
        let echo = Echo(asked, apart: [])
        #expect(echo.difference(["memo": "Drip coffee", "amount": ["currency": "USD", "amount": 150]]) == nil)
        #expect(echo.difference(["receipt": ["charge": "a1", "merchantName": "Corner"], "replayed": false]) == nil)
    }

    @Test("another value under the same name is one")
    func other() throws {
        let echo = Echo(asked, apart: [])
        let wrong = try #require(echo.difference(["amount": ["amount": 151, "currency": "USD"]]))
        #expect(wrong.hasPrefix("'amount' is") && wrong.contains("151"))
        #expect(echo.difference(["receipt": ["charge": "a2", "memo": "Drip coffee"]]) != nil)
    }

    @Test("moments, names that mean something else, and names that a message has twice are left out")
    func apart() {
        #expect(Echo(asked, apart: ["memo"]).difference(["time": "1971", "memo": "Tea"]) == nil)
        let transfer: JSONValue = [
            "from": ["party": "a", "role": "customer"], "to": ["party": "b", "role": "merchant"]
        ]
        #expect(Echo(transfer, apart: []).difference(["counterparty": ["party": "b", "name": "Corner"]]) == nil)
    }

    @Test("what one message adds is known of the next")
    func added() {
        var echo = Echo(asked, apart: [])
        echo.add(["receipt": ["entry": 7, "merchantName": "Corner"]])
        #expect(echo.difference(["entry": 7]) == nil)
        #expect(echo.difference(["entry": 8]) != nil)
    }
}

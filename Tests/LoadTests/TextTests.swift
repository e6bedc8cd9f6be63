import Load
import Primitives
import Testing

@Suite struct TextTests {
    @Test func hexIsTheIdentifiers() {
        let text = RequestText()
        var dice = Dice(seed: 1)
        for _ in 0..<1000 {
            let id = ChargeID(high: dice.next(), low: dice.next())
            text.clear()
            text.hex(id)
            #expect(text.string == id.hex)
        }
    }

    @Test(arguments: [0, 7, 10, 99, 12_345, 1_000_000_000, -5])
    func numbersAreDecimal(_ number: Int) {
        let text = RequestText()
        text.decimal(number)
        #expect(text.string == "\(number)")
    }

    @Test func patchesAreFourDigits() {
        let text = RequestText()
        text.text("a0000b")
        text.patch(at: 1, fourDigits: 407)
        #expect(text.string == "a0407b")
    }

    @Test func whiteSpaceOfOthersIsTakenOut() {
        let spaced = "{ \"type\": \"a.reply\",\n\t\"data\": {\"memo\": \"a \\\" b\\\\\", \"sum\": [1, 2]} }\r\n"
        let compact = Array(spaced.utf8).withUnsafeBytes { AnswerText.compact($0) }
        #expect(
            String(decoding: compact, as: UTF8.self)
                == "{\"type\":\"a.reply\",\"data\":{\"memo\":\"a \\\" b\\\\\",\"sum\":[1,2]}}")
    }

    private func answer<Result>(_ text: String, _ body: (AnswerText) -> Result) -> Result {
        Array(text.utf8).withUnsafeBytes { body(AnswerText($0)) }
    }

    @Test func answersAreSearched() {
        let id = ChargeID(high: 5, low: 6)
        answer(#"{"charge":"\#(id.hex)","entry":17,"balance":-3,"sequence":"00000000000000000421","code":"a.b"}"#) {
            answer in
            #expect(answer.identifier("\"charge\":\"") == id)
            #expect(answer.integer("\"entry\":") == 17)
            #expect(answer.integer("\"balance\":") == -3)
            #expect(answer.integer("\"sequence\":\"") == 421)
            #expect(answer.integer("\"charge\":\"x") == nil)
            #expect(answer.plainText("\"code\":\"").map { String(decoding: $0, as: UTF8.self) } == "a.b")
            #expect(answer.plainText("\"none\":\"") == nil)
        }
    }

    @Test func cutOffAnswersHaveNothing() {
        answer(#"{"charge":"00ab"#) { answer in
            #expect(answer.identifier("\"charge\":\"", of: ChargeID.self) == nil)
            #expect(answer.plainText("\"charge\":\"") == nil)
        }
        answer("") { #expect($0.integer("\"entry\":") == nil) }
    }

    @Test func httpAnswersAreWholeOrNotYet() throws {
        let whole = "HTTP/1.1 201 Created\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
        let bytes = Array(whole.utf8)
        for count in 0..<bytes.count { bytes[..<count].withUnsafeBytes { #expect(HTTPAnswer($0) == nil) } }
        try bytes.withUnsafeBytes { bytes in
            let answer = try #require(HTTPAnswer(bytes))
            #expect(answer.status == 201 && answer.body.string == "hello" && answer.closes)
        }
        try Array("HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n".utf8).withUnsafeBytes { bytes in
            let answer = try #require(HTTPAnswer(bytes))
            #expect(answer.status == 204 && !answer.closes)
        }
    }

    @Test func addressesAreRead() throws {
        #expect(try HTTPAddress("127.0.0.1:8080").text == "127.0.0.1:8080")
        for text in ["", "localhost:80", "127.0.0.1", "127.0.0.1:x", "1.2.3.4:99999"] {
            #expect(throws: LoadUsageError.self) { try HTTPAddress(text) }
        }
    }
}

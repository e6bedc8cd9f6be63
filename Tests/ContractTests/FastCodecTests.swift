import Contracts
import Foundation
import Primitives
import Testing
import Wire

/// Codecs of their own against the general one, and against Foundation's.
@Suite("Fast codecs")
struct FastCodedTests {
    private static let rounds = 500

    private func check<Message: FastCoded & Equatable>(_ make: (inout SplitMix64) -> Message) throws {
        var random = SplitMix64.seeded("codec of \(Message.self)")
        for _ in 0..<Self.rounds {
            let message = make(&random)
            let fast = message.json
            let general = Array(JSONValue.encoding(message).text.utf8)
            try #require(fast == general, "\(String(decoding: fast, as: UTF8.self))")
            #expect(try Message(json: general) == message)
            #expect(try JSONValue(parsing: fast).decode(Message.self) == message)

            // Foundation writes keys in any order and "/" with an escape.
            #expect(try JSONDecoder().decode(Message.self, from: Data(fast)) == message)
            let foundation = [UInt8](try JSONEncoder().encode(message))
            #expect(try Message(json: foundation) == message)
            #expect(try JSONValue(parsing: foundation).decode(Message.self) == message)
        }
    }

    @Test func money() throws { try check { $0.money() } }
    @Test func postPayment() throws { try check { $0.postPayment() } }
    @Test func paymentPosted() throws { try check { $0.paymentPosted() } }
    @Test func recordedPayment() throws { try check { $0.recordedPayment() } }
    @Test func recordedRefusal() throws { try check { $0.recordedRefusal() } }
    @Test func createPayment() throws { try check { $0.createPayment() } }
    @Test func paid() throws { try check { $0.paid() } }
    @Test func chargeCaptured() throws { try check { $0.chargeCaptured() } }
    @Test func receipt() throws { try check { $0.receipt() } }
    @Test func fix() throws { try check { $0.fix() } }
    @Test func updatePosition() throws { try check { $0.updatePosition() } }
    @Test func updatePositions() throws { try check { $0.updatePositions() } }

    @Test(
        "every example is the same text by its own codec and by the general one",
        arguments: Samples.all.filter(\.hasGeneralCodec))
    func examples(_ sample: Sample) throws {
        func check<Message: WireMessage>(_ message: Message) throws {
            let general = Array(JSONValue.encoding(message).text.utf8)
            try #require(message.json == general, "\(String(decoding: message.json, as: UTF8.self))")
            #expect(try Message(json: general).json == general)
            #expect(try JSONValue(parsing: general).decode(Message.self).json == general)
        }
        try check(sample.message)
    }

    @Test("a recorded fact written from its stored bytes is the same")
    func recordedFromBytes() {
        var random = SplitMix64.seeded()
        for _ in 0..<Self.rounds {
            let recorded = random.recordedPayment()
            var writer = JSONWriter()
            Recorded<Wallet.PaymentPosted>.write(
                result: recorded.result.json, sequence: recorded.sequence, replayed: recorded.replayed, to: &writer)
            #expect(writer.bytes == recorded.json)
        }
    }

    // Facts in a page are JSON as it was written, which no `Codable` can hold: compared with a tree instead.
    @Test func factsPage() throws {
        var random = SplitMix64.seeded()
        for _ in 0..<Self.rounds {
            let facts = (0..<random.next() % 4).map { _ in random.paymentPosted() }
            let head = random.integer()
            let page = FactsPage(facts: facts.map { RawJSON($0.json) }, head: head)
            let tree: JSONValue = ["facts": .array(facts.map(JSONValue.encoding)), "head": .integer(head)]
            try #require(page.json == Array(tree.text.utf8))
            #expect(try FactsPage(json: page.json) == page)
            #expect(try JSONValue(parsing: page.json) == tree)
        }
    }

    @Test("facts in a page keep the very bytes, white space and all")
    func factsAreRaw() throws {
        let page = try FactsPage(json: Array(#" { "head":2, "facts": [ {"a" : 1.50 } , [ ] ] } "#.utf8))
        #expect(page.facts.map { String(decoding: $0.bytes, as: UTF8.self) } == [#"{"a" : 1.50 }"#, "[ ]"])
        for text in [
            #"{"facts":[]}"#, #"{"head":1}"#, #"{"facts":[],"head":1,"more":1}"#, #"{"facts":[],"facts":[],"head":1}"#,
            #"{"facts":{},"head":1}"#, #"{"facts":[1,],"head":1}"#, #"{"facts":["\q"],"head":1}"#,
            #"{"facts":null,"head":1}"#, #"{"facts":[],"head":1,"head":1}"#
        ] {
            #expect(throws: WireError.self) { try FactsPage(json: Array(text.utf8)) }
        }
    }
}

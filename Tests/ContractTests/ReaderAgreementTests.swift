import Contracts
import Primitives
import Testing
import Wire

/// Whatever is sent, a fast reader and the general one both refuse it or both read the same.
@Suite("Both readers agree")
struct ReaderAgreementTests {
    private static let rounds = 4000

    private func check<Message: FastCoded & Equatable>(_ make: (inout SplitMix64) -> Message) {
        var random = SplitMix64.seeded("readers of \(Message.self)")
        var (accepted, refused) = (0, 0)
        for _ in 0..<Self.rounds {
            let message = make(&random)
            var text = message.json
            switch random.next() % 4 {
            case 0: text = random.damaged(text)
            case 1: text = random.spaced(text)
            case 2: text = random.spaced(random.damaged(Array(random.rearranged(.encoding(message)).text.utf8)))
            default: text = Array(random.rearranged(.encoding(message)).text.utf8)
            }
            let (fast, general) = (try? Message(json: text), try? JSONValue(parsing: text).decode(Message.self))
            #expect(fast == general, "\(String(decoding: text, as: UTF8.self))")
            if fast == nil { refused += 1 } else { accepted += 1 }
        }
        // Neither all nothing nor all well: the changes are neither too many nor too few to tell anything.
        #expect(accepted > Self.rounds / 20 && refused > Self.rounds / 20, "\(accepted) accepted, \(refused) refused")
    }

    @Test func money() { check { $0.money() } }
    @Test func postPayment() { check { $0.postPayment() } }
    @Test func paymentPosted() { check { $0.paymentPosted() } }
    @Test func recordedPayment() { check { $0.recordedPayment() } }
    @Test func recordedRefusal() { check { $0.recordedRefusal() } }
    @Test func createPayment() { check { $0.createPayment() } }
    @Test func paid() { check { $0.paid() } }
    @Test func receipt() { check { $0.receipt() } }
    @Test func fix() { check { $0.fix() } }
    @Test func updatePosition() { check { $0.updatePosition() } }
    @Test func updatePositions() { check { $0.updatePositions() } }

    @Test(
        "of every example, and of what is like it",
        arguments: Samples.all.filter { $0.message is any FastCoded && $0.hasGeneralCodec })
    func examples(_ sample: Sample) {
        func check<Message: WireMessage>(_ message: Message) {
            var random = SplitMix64.seeded("readers of \(sample.file)")
            for round in 0..<200 {
                var text = message.json
                if round % 2 == 0 { text = random.damaged(text) }
                if round % 3 == 0, let tree = try? JSONValue(parsing: text) {
                    text = Array(random.rearranged(tree).text.utf8)
                }
                let (fast, general) = (try? Message(json: text), try? JSONValue(parsing: text).decode(Message.self))
                #expect(fast?.json == general?.json, "\(String(decoding: text, as: UTF8.self))")
            }
        }
        check(sample.message)
    }

    @Test(
        "an optional field given twice is refused, whichever of the two is null",
        arguments: [("null", "null"), ("null", "id"), ("id", "null"), ("id", "id")])
    func optionalTwice(first: String, second: String) throws {
        let id = #""0123456789abcdef0123456789abcdef""#
        let payment = String(
            decoding: try #require(Wallet.PostPayment.examples.bare).json, as: UTF8.self)
        let (first, second) = (first == "id" ? id : first, second == "id" ? id : second)
        for text in [
            "{\"card\":\(first)," + payment.dropFirst().dropLast() + ",\"card\":\(second)}",
            "{\"card\":\(first),\"card\":\(second)," + payment.dropFirst(),
            String(payment.dropLast()) + ",\"attempt\":\(first) , \"attempt\":\(second) }"
        ] {
            let path = text.contains("attempt") ? "attempt" : "card"
            #expect(throws: WireError(.duplicateKey, path: path)) {
                try Wallet.PostPayment(json: Array(text.utf8))
            }
            #expect(throws: WireError(.duplicateKey, path: path)) {
                try JSONValue(parsing: Array(text.utf8)).decode(Wallet.PostPayment.self)
            }
        }
        // Once it may be null, and then it is absent.
        let once = "{\"card\":null,\"attempt\":null," + payment.dropFirst()
        #expect(try Wallet.PostPayment(json: Array(once.utf8)) == Wallet.PostPayment(json: Array(payment.utf8)))
    }
}

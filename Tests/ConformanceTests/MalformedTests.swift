import Conformance
import Contracts
import Foundation
import Primitives
import Testing
import Wire

@Suite("Broken data")
struct MalformedTests {
    private let payment = Wallet.PostPayment(
        payment: .init(high: 1, low: 1), customer: .init(high: 1, low: 2), card: nil, merchant: .init(high: 1, low: 3),
        amount: Money(150), memo: "Drip coffee")

    private var texts: [String: String] {
        Dictionary(
            Malformed.variants(of: payment).map { ($0.what, String(decoding: $0.data, as: UTF8.self)) },
            uniquingKeysWith: { first, _ in first })
    }

    @Test("each field is left out, mistyped and given a stray neighbour, also within objects")
    func variants() throws {
        let texts = texts
        for field in ["payment", "customer", "merchant", "amount", "memo", "amount.amount", "amount.currency"] {
            #expect(texts["without '\(field)'"] != nil, "\(field)")
            #expect(texts["with another type for '\(field)'"] != nil, "\(field)")
        }
        #expect(texts["with an unknown field"]?.contains("unheard") == true)
        #expect(texts["with an unknown field in 'amount'"]?.contains("unheard") == true)
        #expect(try #require(texts["with 'payment' twice"]).components(separatedBy: "\"payment\"").count == 3)
    }

    @Test("numbers that are none are written as they are")
    func numbers() throws {
        for number in ["1.5", "1e2", "100.0"] {
            let text = try #require(texts["with \(number) for 'amount.amount'"])
            #expect(text.contains("{\"amount\":\(number),"))
        }
    }

    @Test("nothing is called wrong that its contract can read")
    func oracle() {
        for variant in Malformed.variants(of: payment) {
            #expect(throws: WireError.self, "\(variant.what)") { try Wallet.PostPayment(json: variant.data) }
        }
        // `card` is absent here, and may be: no variant is without it.
        #expect(!texts.keys.contains { $0.contains("'card'") })
    }
}

import Bus
import Contracts
import Foundation
import GRDB
import PaymentsService
import Primitives
import Synchronization
import Testing

@Suite("facts of captures in the log")
struct KeptFactTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let id = "0192a4d0c0de7e57a1a1a1a1a1a1a1a1"

    private func told(_ posted: Wallet.PaymentPosted, _ sequence: Int64, correlation: String?, trace: String? = nil)
        -> Envelope
    {
        Envelope(
            id: "wallet-\(sequence)", source: Wallet.service, type: Wallet.PaymentPosted.type.name,
            time: PaymentsHarness.start, correlationID: correlation, causationID: nil, traceparent: trace,
            sequence: sequence, data: posted.json)
    }

    @Test("are byte for byte those that were published, whatever comes after them", arguments: StoreKind.allCases)
    func same(kind: StoreKind) async throws {
        let published = Mutex<[[UInt8]]>([])
        let store = try kind.open(in: directory) { facts in
            published.withLock { $0 += facts.map(\.envelope) }
        }
        let request = AskContext(deadline: PaymentsHarness.start)
        _ = try await store.request(.sample(.test(2)), causedBy: request)
        _ = try await store.request(
            .sample(.test(3), amountMinor: 9999, merchant: .bakery, customer: .carol), causedBy: request)
        try await store.apply([
            told(.sample(.test(1)), 1, correlation: Self.id, trace: "00-\(Self.id)-00f067aa0ba902b7-01"),
            told(.sample(.test(2), amountMinor: 100, coupon: .test(77)), 2, correlation: "touch \"7\""),
            told(.sample(.test(3)), 3, correlation: nil),
            told(.sample(.test(4), memo: "é\n"), 4, correlation: String(repeating: "long", count: 100)),
            told(.sample(.test(5)), 5, correlation: Self.id.uppercased(), trace: ""),
            .told(Wallet.RefundPosted.sample(.test(1), amountMinor: 50, refundedMinor: 50), 6)
        ])
        let page = try await store.read(after: 0, limit: 1000)
        #expect(page.facts.map(\.bytes) == published.withLock { $0 })
        #expect(page.facts.count == 8 && page.head == 8)
        let coupon = try Payments.ChargeCaptured(json: Envelope(json: page.facts[3].bytes).data)
        #expect(coupon.coupon == .test(77) && coupon.discount == Money(50) && coupon.requested == true)
        #expect(try await store.read(after: 4, limit: 2).facts.map(\.bytes) == Array(published.withLock { $0 }[4...5]))
    }

    @Test("take little room, and those of an earlier version are told as they are kept")
    func kept() async throws {
        let path = directory.file("payments.sqlite")
        let whole = Array(#"{"specversion":"1.0","id":"payments-1","source":"payments","type":"t"}"#.utf8)
        do {
            let store = try SQLiteChargeStore(path: path)
            try await store.apply([told(.sample(.test(1)), 1, correlation: Self.id)])
            #expect(try await store.read(after: 0, limit: 9).facts.count == 1)
        }
        do {
            let file = try DatabaseQueue(path: path)
            try await file.write { database in
                let bytes = try Int.fetchOne(database, sql: "SELECT length(envelope) FROM facts") ?? .max
                #expect(bytes < 160)
                try database.execute(
                    sql: "UPDATE facts SET envelope = ? WHERE sequence = 1", arguments: [Data(whole)])
            }
        }
        let store = try SQLiteChargeStore(path: path)
        #expect(try await store.read(after: 0, limit: 9).facts.map(\.bytes) == [whole])
    }
}

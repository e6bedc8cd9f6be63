import Bus
import Contracts
import Foundation
import GRDB
import PaymentsService
import Primitives
import Synchronization
import TestKit
import Testing

@Suite("facts of captures in the log")
struct KeptFactTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let id = "0192a4d0c0de7e57a1a1a1a1a1a1a1a1"

    private func fact(
        _ posted: Wallet.PaymentPosted, _ sequence: Int64, correlation: String?, trace: String? = nil
    )
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
            fact(.sample(.test(1)), 1, correlation: Self.id, trace: "00-\(Self.id)-00f067aa0ba902b7-01"),
            fact(.sample(.test(2), amountMinor: 100, coupon: .test(77)), 2, correlation: "touch \"7\""),
            fact(.sample(.test(3)), 3, correlation: nil),
            fact(.sample(.test(4), memo: "é\n"), 4, correlation: String(repeating: "long", count: 100)),
            fact(.sample(.test(5)), 5, correlation: Self.id.uppercased(), trace: ""),
            .published(Wallet.RefundPosted.sample(.test(1), amountMinor: 50, refundedMinor: 50), 6)
        ])
        let page = try await store.read(after: 0, limit: 1000)
        #expect(page.facts.map(\.bytes) == published.withLock { $0 })
        #expect(page.facts.count == 8 && page.head == 8)
        let coupon = try Payments.ChargeCaptured(json: Envelope(json: page.facts[3].bytes).data)
        #expect(coupon.coupon == .test(77) && coupon.discount == Money(50) && coupon.requested == true)
        #expect(try await store.read(after: 4, limit: 2).facts.map(\.bytes) == Array(published.withLock { $0 }[4...5]))
    }

    @Test("those that an earlier version kept without JSON are made whole when the file is opened")
    func kept() async throws {
        let path = directory.file("payments.sqlite")
        let posted = Wallet.PaymentPosted.sample(.test(1))
        do {
            let store = try SQLChargeStore(.file(path))
            try await store.apply([fact(posted, 1, correlation: Self.id, trace: "a trace")])
            try await store.apply([fact(.sample(.test(2)), 2, correlation: "touch \"7\"")])
        }
        let file = try DatabaseQueue(waitingFor: path)
        let whole = try await file.write { database in
            let facts = try Data.fetchAll(database, sql: "SELECT envelope FROM facts ORDER BY sequence")
            try database.execute(
                sql: """
                    UPDATE facts SET envelope = ? WHERE sequence = 1;
                    DELETE FROM grdb_migrations WHERE identifier LIKE '12 %';
                    """, arguments: [Data(Self.kept(posted))])
            return facts
        }
        try file.close()
        let store = try SQLChargeStore(.file(path))
        #expect(try await store.read(after: 0, limit: 9).facts.map(\.bytes) == whole.map { [UInt8]($0) })
    }

    /// As the earlier version kept it.
    private static func kept(_ posted: Wallet.PaymentPosted) -> [UInt8] {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        var kept: [UInt8] = [1, 0]
        kept += posted.payment.bytes + posted.merchant.bytes + posted.customer.bytes + posted.card.bytes
        kept += bytes(posted.amount.amount) + Array(posted.amount.currency.code.utf8) + bytes(posted.entry)
        kept += bytes(posted.time.milliseconds) + bytes(UInt16(posted.memo.utf8.count)) + Array(posted.memo.utf8)
        // The correlation is an id, the cause a text, the trace another.
        kept += [1] + (MessageID(id)?.bytes ?? [])
        kept += [2 + 8] + Array("wallet-1".utf8)
        kept += [2 + 7] + Array("a trace".utf8)
        return kept
    }
}

import Bus
import Contracts
import GRDB
import PaymentsService
import Primitives
import TestKit
import Testing

/// The index of ids follows the charges (ADR 32): each is found, whatever is written of it, and none that is not there.
@Suite("charges ahead of their index")
struct ChargeRowsTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("payments.sqlite") }

    init() throws { directory = try TemporaryDirectory() }

    private func store(rowsAheadMax: Int) throws -> SQLChargeStore {
        try SQLChargeStore(.file(path), rowsAheadMax: rowsAheadMax)
    }

    /// Random, with a time, and all alike but for their end.
    private static let ids: [ChargeID] = (0..<300).map { number in
        let digest = UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15
        return switch number % 3 {
        case 0: ChargeID(high: digest, low: ~digest)
        case 1: ChargeID(at: PaymentsHarness.start + .milliseconds(number / 9), random: (digest, digest))
        default: .test(UInt64(1000 + number))
        }
    }

    private func posted(_ numbers: Range<Int>, memo: String = "coffee") -> [Envelope] {
        numbers.map {
            .published(Wallet.PaymentPosted.sample(Self.ids[$0], entry: Int64($0 + 1), memo: memo), Int64($0 + 1))
        }
    }

    private func check(_ store: SQLChargeStore, known: Int) async throws {
        for (number, id) in Self.ids.enumerated() {
            #expect(try await store.charge(id)?.entry == (number < known ? Int64(number + 1) : nil))
        }
    }

    @Test("each is found while they are added, and when the file is opened again", arguments: [1, 20, 1000])
    func found(rowsAheadMax: Int) async throws {
        for first in stride(from: 0, to: Self.ids.count, by: 30) {
            let store = try store(rowsAheadMax: rowsAheadMax)
            try await check(store, known: first)
            try await store.apply(posted(first..<first + 7))
            try await store.apply(posted(first + 7..<first + 30))
            try await check(store, known: first + 30)
        }
    }

    @Test("what a transaction added that failed is forgotten, and added when it succeeds", arguments: [1, 20, 1000])
    func failed(rowsAheadMax: Int) async throws {
        try await SQLChargeStore.makeFile(path, refusing: "bug")
        let store = try store(rowsAheadMax: rowsAheadMax)
        for first in stride(from: 0, to: Self.ids.count, by: 30) {
            let facts = posted(first..<first + 29) + posted(first + 29..<first + 30, memo: "bug")
            await #expect(throws: (any Error).self) { try await store.apply(facts) }
            try await check(store, known: first)
            try await store.apply(posted(first..<first + 30))
            try await check(store, known: first + 30)
        }
    }

    @Test("of many at once, those that fail take nothing from the others")
    func atOnce() async throws {
        let store = try store(rowsAheadMax: 5)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, id) in Self.ids.enumerated() {
                group.addTask {
                    // The schema refuses an amount of nothing.
                    let charge = PaymentsService.Charge.sample(id, amountMinor: number % 5 == 0 ? 0 : 150)
                    let context = AskContext(deadline: PaymentsHarness.start)
                    do { #expect(try await !store.request(charge, causedBy: context).existed) } catch {
                        #expect(number % 5 == 0)
                    }
                }
            }
            try await group.waitForAll()
        }
        for (number, id) in Self.ids.enumerated() {
            #expect(try await store.charge(id)?.id == (number % 5 == 0 ? nil : id))
        }
    }

    @Test("a file of a version before is opened, and goes on", arguments: [9, 10, 11])
    func versionBefore(migration: Int) async throws {
        do {
            let store = try store(rowsAheadMax: 20)
            _ = try await store.request(.sample(Self.ids[30]), causedBy: AskContext(deadline: PaymentsHarness.start))
            try await store.apply(posted(0..<60))
            _ = try await store.request(.sample(.test(1)), causedBy: AskContext(deadline: PaymentsHarness.start))
        }
        try await DatabaseQueue(waitingFor: path).write { database in
            try database.execute(
                sql: """
                    DROP TABLE requests; DROP TABLE requests_follow; DROP TABLE paid_requests;
                    DROP INDEX requests_cancelled;
                    ALTER TABLE charges DROP COLUMN merchant_name;
                    DELETE FROM grdb_migrations
                    WHERE substr(identifier, 1, 3) IN ('11 ', '13 ', '14 ', '17 ', '18 ');
                    """)
            guard migration < 11 else { return }
            // What their histories were is found out from the charges.
            try database.execute(
                sql: """
                    DROP TABLE newest_charges; DROP TABLE newest_charges_follow; DROP VIEW histories;
                    DROP TABLE former_parties;
                    ALTER TABLE charges DROP COLUMN customer_before;
                    ALTER TABLE charges DROP COLUMN merchant_before;
                    CREATE TABLE history (node INTEGER PRIMARY KEY, charge INTEGER REFERENCES charges (row));
                    CREATE TABLE parties (party BLOB PRIMARY KEY, newest INTEGER REFERENCES history (node));
                    DELETE FROM grdb_migrations WHERE identifier LIKE '10 %';
                    """)
            guard migration == 9 else { return }
            try database.execute(
                sql: """
                    DROP TABLE charge_rows; DROP TABLE charge_rows_follow;
                    CREATE UNIQUE INDEX charges_ids ON charges (id);
                    DELETE FROM grdb_migrations WHERE identifier LIKE '9 %';
                    """)
        }
        let store = try store(rowsAheadMax: 20)
        try await check(store, known: 60)
        #expect(try await store.charge(.test(1)) == .sample(.test(1)))
        #expect(try await store.overdue(at: Timestamp(milliseconds: .max), limit: 10) == [.test(1)])
        func ids(of party: PartyID) async throws -> [ChargeID] {
            try await store.charges(of: party, state: nil, since: nil, before: nil, limit: 100).charges.map(\.id)
        }
        // One still waits, and was asked for before the others were paid; the other was asked for first, and was paid.
        let before = Self.ids[31..<60].reversed() + Self.ids[..<30].reversed() + [Self.ids[30], .test(1)]
        #expect(try await ids(of: .alice) == before)
        #expect(try await store.store.table(.customerTransactions, after: 0, limit: 100).rows.count == 61)
        try await store.apply(posted(60..<90))
        try await check(store, known: 90)
        #expect(try await ids(of: .shop) == Self.ids[60..<90].reversed() + before)
    }
}

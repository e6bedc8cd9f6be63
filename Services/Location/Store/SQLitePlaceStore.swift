import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import Storage
import Synchronization

/// Location's one SQLite file. What is told of fences is in an extension.
package struct SQLitePlaceStore: PlaceStore {
    /// Holds the file's lock for as long as the store lives.
    private let file: SQLiteFile
    private let committer: GroupCommitter
    /// Called after each commit that has told facts.
    let factsCommitted: @Sendable () -> Void
    /// Hears what went wrong underneath, which never travels.
    private let trouble: @Sendable (any Error) -> Void

    /// Opens or makes the file and brings it to the newest schema.
    ///
    /// - Throws: `SQLiteFile.OpenError`, or GRDB's `DatabaseError`.
    package init(
        path: String, factsCommitted: @escaping @Sendable () -> Void = {},
        trouble: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws {
        self.init(
            try SQLiteFile(path: path, migrator: PlaceMigrations.migrator), factsCommitted: factsCommitted,
            trouble: trouble)
    }

    /// A store that ends with the process: for tests.
    package init(inMemory factsCommitted: @escaping @Sendable () -> Void) throws {
        self.init(
            try SQLiteFile(inMemory: PlaceMigrations.migrator), factsCommitted: factsCommitted, trouble: { _ in })
    }

    private init(
        _ file: SQLiteFile, factsCommitted: @escaping @Sendable () -> Void,
        trouble: @escaping @Sendable (any Error) -> Void
    ) {
        self.file = file
        committer = GroupCommitter(file)
        self.factsCommitted = factsCommitted
        self.trouble = trouble
    }

    /// A copy of the file, made while it is in use.
    package func copy(to path: String) async throws -> DataCopy { try await committer.file.copy(to: path) }

    package func load() async throws(Fault) -> StoredPlaces {
        try await read { database in
            let places = try Row.fetchAll(
                database, sql: "SELECT id, merchant, name, latitude, longitude FROM places ORDER BY number"
            ).map { row in
                guard let point = Coordinate(latitude: row[3], longitude: row[4]) else { throw UnreadableColumn() }
                return MerchantPlace(
                    id: try row.identifier(0), merchant: try row.identifier(1), name: row[2], point: point)
            }
            let sharing: [PartyID] = try Row.fetchAll(database, sql: "SELECT customer FROM sharing").map {
                try $0.identifier(0)
            }
            let visits = try Row.fetchAll(
                database, sql: "SELECT customer, place, merchant, entered, dwelled FROM visits"
            ).map { row in
                StoredVisit(
                    customer: try row.identifier(0), place: try row.identifier(1), merchant: try row.identifier(2),
                    visit: Visit(entered: Timestamp(milliseconds: row[3]), dwelled: row[4] == 1))
            }
            let alive = try Int64.fetchOne(database, sql: "SELECT time FROM alive").map(Timestamp.init(milliseconds:))
            return StoredPlaces(places: places, sharing: sharing, visits: visits, alive: alive)
        }
    }

    package func put(_ place: MerchantPlace, placesMax: Int) async throws(Fault) -> PlacePutting {
        try await write { database in
            let owner = try Data.fetchOne(
                database.cachedStatement(sql: "SELECT merchant FROM places WHERE id = ?"),
                arguments: [place.id.column])
            if let owner {
                guard owner == place.merchant.column else { return .taken }
            } else {
                let count = try Int.fetchOne(
                    database.cachedStatement(sql: "SELECT count(*) FROM places WHERE merchant = ?"),
                    arguments: [place.merchant.column])
                guard count ?? 0 < placesMax else { return .tooMany }
            }
            try database.cachedStatement(
                sql: """
                    INSERT INTO places (id, merchant, name, latitude, longitude) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET name = excluded.name, latitude = excluded.latitude,
                        longitude = excluded.longitude
                    """
            ).execute(arguments: [
                place.id.column, place.merchant.column, place.name, place.point.latitude, place.point.longitude
            ])
            return .put
        }
    }

    package func remove(_ place: PlaceID, of merchant: PartyID) async throws(Fault) -> Bool {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM places WHERE id = ? AND merchant = ?")
                .execute(arguments: [place.column, merchant.column])
            return database.changesCount > 0
        }
    }

    package func setSharing(_ customer: PartyID, _ sharing: Bool, at time: Timestamp) async throws(Fault) {
        try await write { database in
            if sharing {
                try database.cachedStatement(
                    sql: "INSERT INTO sharing (customer, since) VALUES (?, ?) ON CONFLICT (customer) DO NOTHING"
                ).execute(arguments: [customer.column, time.column])
            } else {
                try database.cachedStatement(sql: "DELETE FROM sharing WHERE customer = ?")
                    .execute(arguments: [customer.column])
            }
        }
    }

    package func noteAlive(at time: Timestamp) async throws(Fault) {
        try await write { database in
            try database.cachedStatement(
                sql: "INSERT INTO alive (one, time) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET time = excluded.time"
            ).execute(arguments: [time.column])
        }
    }

    // MARK: Tables

    /// A page of the printed table (A30).
    package func table(_ table: PrintedTable, after: Int64, limit: Int) async throws -> TablePage {
        try await read { database in
            let page = try PrintedView.page(
                database, table.rawValue, after: after, limit: limit, bytesMax: FactsPage.bytesMax)
            return TablePage(rows: page.rows.map(RawJSON.init), next: page.next)
        }
    }

    // MARK: Facts

    package func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        try await read { database in
            let facts = try Outbox.read(
                database, after: max(0, sequence), limit: min(max(1, limit), 1000), bytesMax: FactsPage.bytesMax)
            return FactsPage(facts: facts.map(RawJSON.init), head: try Outbox.head(database))
        }
    }

    // MARK: Transactions

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(Fault) -> Value {
        do { return try await committer.write(body) } catch { throw unavailable(error) }
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(Fault) -> Value {
        do { return try await committer.read(body) } catch { throw unavailable(error) }
    }

    private func unavailable(_ error: any Error) -> Fault {
        // The committer logs what is the disk's.
        if !StoreFailure.isOfDisk(error) { trouble(error) }
        return .ofStore(error)
    }
}

import Primitives
import Storage

import class GRDB.Database

/// The statements of what payments change most, straight on SQLite.
///
/// `@unchecked`: used inside the store's queue only, which lets one thread in at a time.
final class DealStatements: @unchecked Sendable {
    private let add, takeBack: SQLiteStatement

    init(_ database: Database) throws {
        guard let connection = database.sqliteConnection else { throw StoreFailure.broken("not open") }
        add = try SQLiteStatement(
            connection,
            """
            INSERT INTO histories (customer, merchant, visits, last, stars) VALUES (?1, ?2, max(0, ?3), ?4, max(0, ?5))
            ON CONFLICT (customer, merchant) DO UPDATE SET visits = max(0, visits + ?3), last = max(last, ?4),
                stars = max(0, stars + ?5)
            """)
        takeBack = try SQLiteStatement(
            connection,
            """
            UPDATE histories SET visits = max(0, visits + ?3), stars = max(0, stars + ?4)
            WHERE customer = ?1 AND merchant = ?2
            """)
    }

    func write(_ tally: Tally) throws {
        for (pair, change) in tally.changes {
            if let last = change.last {
                try add.bind(pair.customer).bind(pair.merchant).bind(Int64(change.visits)).bind(last.milliseconds)
                    .bind(Int64(change.stars)).run()
            } else {
                try takeBack.bind(pair.customer).bind(pair.merchant).bind(Int64(change.visits))
                    .bind(Int64(change.stars)).run()
            }
        }
    }
}

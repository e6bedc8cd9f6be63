import Foundation

/// Carries a file's tables into a schema of PostgreSQL.
///
/// From the beginning to its end no other process can open the file or lead the schema.
package final class PostgresMove {
    package struct Moved {
        package let tables: Int
        package let rows: Int64
        /// Whether an earlier move had carried all of it.
        package let wasThere: Bool
    }

    /// Stands beside a file whose data was moved: no service starts on that file.
    static func mark(of file: String) -> String { file + ".moved" }

    private let file: String
    private let source: SQLiteFile
    private let schema: String
    private let connection: PostgresConnection

    /// - Parameters:
    ///   - file: of a service that does not run.
    ///   - keys: digests of the keys that the file was written with, by their names.
    /// - Throws: `SQLiteFile.OpenError` for a file in use, `PostgresDatabase.OpenError` for a schema in use, and the
    ///   engines' own errors.
    package init(_ file: String, to address: String, schema: String, keys: [String: [UInt8]]) throws {
        self.schema = schema
        self.file = file
        source = try SQLiteFile(path: file, migrations: [])
        connection = try PostgresDatabase.leadNow(
            PostgresDatabase.Place(address: address, schema: schema, keys: keys))
    }

    /// Copies every row in one transaction, reads it back, and marks the file. A schema that has the file's rows
    /// already stays as it is.
    ///
    /// - Throws: `PostgresDatabase.OpenError` for a schema with other data, and the engines' own errors. The schema is
    ///   as before then.
    package func run() throws -> Moved {
        do {
            let moved = try source.exclusively { file in
                guard try PostgresDatabase.isNew(connection) else { return try compare(with: file) }
                try checkEmpty()
                let (tables, rows) = try PostgresDatabase.fill(connection, from: file)
                return Moved(tables: tables, rows: rows, wasThere: false)
            }
            try Data().write(to: URL(fileURLWithPath: Self.mark(of: file)))
            return moved
        } catch let failure as SQLReader.Failure { throw PostgresDatabase.OpenError.translation("\(failure)") }
    }

    /// - Throws: `hasData` for a schema that somebody else keeps tables in.
    private func checkEmpty() throws {
        let table: String? = try Transaction(connection).value(
            "SELECT tablename FROM pg_tables WHERE schemaname = ? AND tablename NOT IN ('leader', 'leader_keys') LIMIT 1",
            schema)
        guard let table else { return }
        throw PostgresDatabase.OpenError.hasData(
            schema: schema, why: "it has a table \(table), which is not Billfold's")
    }

    private func compare(with file: Transaction) throws -> Moved {
        let target = Transaction(connection)
        let (ours, theirs) = (try PostgresSchema(ofSQLite: file).tables, try PostgresSchema(keptIn: target).tables)
        guard Set(ours) == Set(theirs) else {
            throw PostgresDatabase.OpenError.hasData(schema: schema, why: "its tables are of another version")
        }
        do {
            return Moved(tables: ours.count, rows: try TableCopy.compare(ours, file, target), wasThere: true)
        } catch StoreFailure.damaged(let why) {
            throw PostgresDatabase.OpenError.hasData(schema: schema, why: why)
        }
    }
}

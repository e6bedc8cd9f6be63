import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import Storage

extension SQLiteNoticeStore {
    /// Endpoints of one account.
    package static let endpointsMax = 10
    /// How long the id of a removed endpoint is remembered, so that a late repeat of its making does not bring it back.
    static let removedKept = Duration.seconds(86_400)

    private static let columns = "id, account, type, address, p256dh, auth, secret, created"

    package func add(_ endpoint: Endpoint) async throws(Fault) -> EndpointAdding {
        try await write { database in
            if let row = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT \(Self.columns), gone FROM endpoints WHERE id = ?"),
                arguments: [endpoint.id.column])
            {
                let known = try Self.endpoint(row)
                let isSame =
                    known.account == endpoint.account && known.channel == endpoint.channel
                    && known.address == endpoint.address && known.p256dh == endpoint.p256dh
                    && known.auth == endpoint.auth && (row[8] as Int64?) == nil
                return isSame ? .existed(known) : .reused
            }
            if endpoint.channel.isPush {
                try Self.forget(
                    "type = ? AND address = ?", [endpoint.channel.rawValue, endpoint.address], in: database,
                    at: endpoint.created)
            }
            guard try Self.endpoints(of: endpoint.account, in: database).count < Self.endpointsMax else {
                return .tooMany
            }
            try database.cachedStatement(
                sql: "INSERT INTO endpoints (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            ).execute(arguments: [
                endpoint.id.column, endpoint.account.column, endpoint.channel.rawValue, endpoint.address,
                endpoint.p256dh.map { Data($0) }, endpoint.auth.map { Data($0) }, endpoint.secret.map { Data($0) },
                endpoint.created.column
            ])
            return .added
        }
    }

    package func endpoints(of account: PartyID) async throws(Fault) -> [Endpoint] {
        try await read { try Self.endpoints(of: account, in: $0) }
    }

    package func remove(
        _ endpoint: EndpointID, of account: PartyID, at now: Timestamp
    ) async throws(Fault) -> Bool {
        try await write { database in
            try Self.forget("id = ? AND account = ?", [endpoint.column, account.column], in: database, at: now)
        }
    }

    package func hookOwners() async throws(Fault) -> Set<PartyID> {
        try await read { database in
            Set(
                try Row.fetchAll(
                    database, sql: "SELECT account FROM endpoints WHERE type = 4 AND gone IS NULL"
                ).map { try $0.identifier(0) })
        }
    }

    /// Removes endpoints and what waits for them; their addresses and keys are gone at once.
    /// - Returns: whether there was one.
    @discardableResult
    static func forget(
        _ condition: String, _ arguments: StatementArguments, in database: Database, at now: Timestamp
    ) throws -> Bool {
        let ids = try Data.fetchAll(
            database.cachedStatement(sql: "SELECT id FROM endpoints WHERE gone IS NULL AND \(condition)"),
            arguments: arguments)
        for id in ids {
            try database.cachedStatement(
                sql: """
                    UPDATE endpoints SET gone = ?, address = '', p256dh = NULL, auth = NULL, secret = NULL WHERE id = ?
                    """
            ).execute(arguments: [now.column, id])
            try database.cachedStatement(sql: "DELETE FROM deliveries WHERE state = 0 AND endpoint = ? AND lane = ?")
                .execute(arguments: [id, id])
        }
        return !ids.isEmpty
    }

    static func endpoints(of account: PartyID, in database: Database) throws -> [Endpoint] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT \(columns) FROM endpoints WHERE account = ? AND gone IS NULL ORDER BY number"),
            arguments: [account.column]
        ).map(endpoint)
    }

    static func endpoint(at address: String, _ channel: Medium, in database: Database) throws -> Endpoint? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT \(columns) FROM endpoints WHERE type = ? AND address = ? AND gone IS NULL AND type < 4"),
            arguments: [channel.rawValue, address]
        ).map(endpoint)
    }

    static func endpoint(_ id: EndpointID, in database: Database) throws -> Endpoint? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(columns) FROM endpoints WHERE id = ? AND gone IS NULL"),
            arguments: [id.column]
        ).map(endpoint)
    }

    private static func endpoint(_ row: Row) throws -> Endpoint {
        guard let channel = Medium(rawValue: row[2]) else { throw UnreadableColumn() }
        return Endpoint(
            id: try row.identifier(0), account: try row.identifier(1), channel: channel, address: row[3],
            p256dh: (row[4] as Data?).map { [UInt8]($0) }, auth: (row[5] as Data?).map { [UInt8]($0) },
            secret: (row[6] as Data?).map { [UInt8]($0) }, created: Timestamp(milliseconds: row[7]))
    }

    // MARK: Settings

    package func settings(of account: PartyID) async throws(Fault) -> Settings {
        try await read { try Self.settings(of: account, in: $0) }
    }

    package func set(_ settings: Settings, of account: PartyID) async throws(Fault) {
        try await write { database in
            try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO settings (account, enabled, muted, quiet_from, quiet_until, quiet_offset)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                account.column, settings.enabled, settings.muted.reduce(Int64(0)) { $0 | 1 << $1.stored },
                settings.quiet?.from, settings.quiet?.until, settings.quiet?.offset
            ])
        }
    }

    static func settings(of account: PartyID, in database: Database) throws -> Settings {
        guard
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT enabled, muted, quiet_from, quiet_until, quiet_offset FROM settings WHERE account = ?"),
                arguments: [account.column])
        else { return Settings() }
        let muted: Int64 = row[1]
        var quiet: QuietTime?
        if let from = row[2] as Int64?, let until = row[3] as Int64?, let offset = row[4] as Int64? {
            quiet = QuietTime(from: from, until: until, offset: offset)
        }
        return Settings(
            enabled: row[0] == 1, muted: Set(Notifications.Kind.allCases.filter { muted & 1 << $0.stored != 0 }),
            quiet: quiet)
    }
}

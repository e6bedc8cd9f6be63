import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import Storage

/// A delivery before it is written.
struct DeliveryRow {
    let id: DeliveryID
    let notice: NoticeID?
    let account: PartyID?
    let channel: Medium
    let endpoint: EndpointID?
    let address: String?
    let lane: EndpointID
    let kind: Notifications.Kind?
    let title: String
    let text: String
    let link: String?
    let created: Timestamp
    let expires: Timestamp
    let due: Timestamp
    let fingerprint: [UInt8]?
}

extension SQLiteNoticeStore {
    /// Rows that one sweep forgets at most, so that nobody waits for it for long.
    private static let sweepMax = 500
    /// Dead letters kept; the oldest goes for each more.
    private static let deadMax = 100_000

    private static let viewColumns =
        "id, number, notice, account, type, state, attempts, reason, created, due, finished"

    /// Queues a delivery, or gives it up at once where too many wait for the same endpoint.
    ///
    /// - Returns: nil when nothing is to be carried.
    func insert(_ row: DeliveryRow, into database: Database, at now: Timestamp) throws -> Queued? {
        let waiting =
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT count(*) FROM deliveries WHERE lane = ? AND state = 0"),
                arguments: [row.lane.column]) ?? 0
        try database.cachedStatement(
            sql: """
                INSERT INTO deliveries (id, notice, account, type, endpoint, address, lane, kind, title, text, link,
                    created, expires, state, due, fingerprint) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
                ON CONFLICT (id) DO NOTHING
                """
        ).execute(arguments: [
            row.id.column, row.notice?.column, row.account?.column, row.channel.rawValue, row.endpoint?.column,
            row.address, row.lane.column, row.kind?.stored, row.title, row.text, row.link, row.created.column,
            row.expires.column, row.due.column, row.fingerprint.map { Data($0) }
        ])
        guard database.changesCount == 1 else { return nil }
        guard waiting < rules.waitingPerEndpointMax else {
            try end(row.id, dead: "too_many_waiting", in: database, at: now)
            return nil
        }
        return Queued(id: row.id, lane: row.lane, due: row.due)
    }

    package func send(_ order: SendOrder, at now: Timestamp) async throws(Fault) -> SendOutcome {
        try await writeTelling { try record(order, in: $0, at: now) }
    }

    func record(_ order: SendOrder, in database: Database, at now: Timestamp) throws -> SendOutcome {
        if let known = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT fingerprint FROM deliveries WHERE id = ?"),
            arguments: [order.delivery.column])
        {
            return (known[0] as Data?).map { [UInt8]($0) } == order.fingerprint ? .existed : .reused
        }
        let endpoint = try Self.endpoint(at: order.address, order.channel, in: database)
        var (due, never): (Timestamp, String?) = (now, nil)
        if let endpoint {
            let draft = Draft(
                id: order.notice, account: endpoint.account, kind: .message, title: order.title, text: order.text,
                link: nil, time: now)
            guard try insert(draft, because: nil, into: database, at: now) else { return .reused }
            switch try Self.settings(of: endpoint.account, in: database).verdict(on: .message, at: now) {
            case .now: break
            case .later(let end): due = end
            case .never(let reason): never = reason
            }
        } else if order.channel == .website {
            // Without the subscription's keys nothing can be encrypted for it.
            never = "not_registered"
        }
        let lane =
            endpoint?.id
            ?? EndpointID(
                of: Array(order.address.utf8), for: "lane",
                scope: [UInt8(truncatingIfNeeded: order.channel.rawValue)])
        let queued = try insert(
            DeliveryRow(
                id: order.delivery, notice: order.notice, account: endpoint?.account, channel: order.channel,
                endpoint: endpoint?.id, address: endpoint == nil ? order.address : nil, lane: lane,
                kind: order.channel == .mail ? nil : .message, title: order.title, text: order.text, link: nil,
                created: now, expires: order.expires, due: due, fingerprint: order.fingerprint), into: database,
            at: now)
        guard let never else { return .recorded(queued) }
        if queued != nil { try end(order.delivery, dead: never, in: database, at: now) }
        return .recorded(nil)
    }

    package func queued() async throws(Fault) -> [Queued] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT id, lane, due FROM deliveries WHERE state = 0 ORDER BY number").map
            {
                Queued(id: try $0.identifier(0), lane: try $0.identifier(1), due: Timestamp(milliseconds: $0[2]))
            }
        }
    }

    package func parcel(_ id: DeliveryID) async throws(Fault) -> Parcel? {
        try await read { database -> Parcel? in
            guard
                let row = try Row.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT id, notice, account, type, endpoint, address, kind, title, text, link, created,
                                expires, attempts FROM deliveries WHERE id = ? AND state = 0
                            """), arguments: [id.column]), let channel = Medium(rawValue: row[3])
            else { return nil }
            var endpoint: Endpoint?
            if row[4] as Data? != nil {
                endpoint = try Self.endpoint(try row.identifier(4), in: database)
                if endpoint == nil { return nil }
            }
            guard let address = endpoint?.address ?? (row[5] as String?) else { return nil }
            return Parcel(
                id: id, notice: try row.optionalIdentifier(1), account: try row.optionalIdentifier(2),
                channel: channel, address: address, endpoint: endpoint?.id, p256dh: endpoint?.p256dh,
                auth: endpoint?.auth, secret: endpoint?.secret,
                kind: (row[6] as Int64?).flatMap { Notifications.Kind(stored: $0) }, title: row[7], text: row[8],
                link: row[9], created: Timestamp(milliseconds: row[10]), expires: Timestamp(milliseconds: row[11]),
                attempts: row[12])
        }
    }

    package func settle(
        _ id: DeliveryID, _ settlement: DeliveryRules.Settlement, at now: Timestamp
    ) async throws(Fault) {
        try await writeTelling { database in
            try database.cachedStatement(
                sql: "UPDATE deliveries SET attempts = attempts + 1 WHERE id = ? AND state = 0"
            )
            .execute(arguments: [id.column])
            // It was removed with its endpoint meanwhile.
            guard database.changesCount == 1 else { return }
            switch settlement {
            case .delivered(let simulated):
                // What a letter said may be a secret: it is of no use here any more.
                try database.cachedStatement(
                    sql: """
                        UPDATE deliveries SET state = 1, finished = ?, reason = NULL, simulated = ?,
                            text = CASE type WHEN 5 THEN '' ELSE text END WHERE id = ?
                        """
                ).execute(arguments: [now.column, simulated, id.column])
                guard let view = try Self.view(id, in: database) else { return }
                try tell(
                    Notifications.NoticeDelivered(
                        delivery: id, notice: view.notice, account: view.account, channel: view.type,
                        attempts: view.attempts, time: now), in: database, at: now, because: nil)
            case .again(let due, let reason):
                try database.cachedStatement(sql: "UPDATE deliveries SET due = ?, reason = ? WHERE id = ?")
                    .execute(arguments: [due.column, reason, id.column])
            case .dead(let reason): try end(id, dead: reason, in: database, at: now)
            case .gone(let reason):
                let endpoint = try Data.fetchOne(
                    database.cachedStatement(sql: "SELECT endpoint FROM deliveries WHERE id = ?"),
                    arguments: [id.column])
                try end(id, dead: reason, in: database, at: now)
                if let endpoint { try Self.forget("id = ?", [endpoint], in: database, at: now) }
            }
        }
    }

    /// Makes a queued delivery a dead letter.
    private func end(_ id: DeliveryID, dead reason: String, in database: Database, at now: Timestamp) throws {
        try database.cachedStatement(
            sql: """
                UPDATE deliveries SET state = 2, finished = ?1, reason = ?2,
                    text = CASE WHEN type = 5 AND expires <= ?1 THEN '' ELSE text END WHERE id = ?3 AND state = 0
                """
        ).execute(arguments: [now.column, reason, id.column])
        guard let view = try Self.view(id, in: database) else { return }
        try tell(
            Notifications.NoticeFailed(
                delivery: id, notice: view.notice, account: view.account, channel: view.type, attempts: view.attempts,
                reason: reason, time: now), in: database, at: now, because: nil)
    }

    package func postpone(_ id: DeliveryID, until due: Timestamp) async throws(Fault) {
        try await write { database in
            try database.cachedStatement(sql: "UPDATE deliveries SET due = ? WHERE id = ? AND state = 0")
                .execute(arguments: [due.column, id.column])
        }
    }

    // MARK: Dead letters

    package func delivery(_ id: DeliveryID) async throws(Fault) -> StoredDelivery? {
        try await read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT \(Self.viewColumns), title, text, link, simulated FROM deliveries WHERE id = ?"),
                arguments: [id.column]
            ).map { row in
                StoredDelivery(
                    view: try Self.view(row), title: row[11], text: row[12], link: row[13], simulated: row[14])
            }
        }
    }

    package func deadLetters(
        before: Int64?, limit: Int
    ) async throws(Fault) -> [Notifications.DeliveryView] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT \(Self.viewColumns) FROM deliveries WHERE state = 2 AND number < ?
                        ORDER BY number DESC LIMIT ?
                        """), arguments: [before ?? .max, limit]
            ).map(Self.view)
        }
    }

    package func replay(_ id: DeliveryID, at now: Timestamp) async throws(Fault) -> Replaying {
        try await write { [rules] database in
            guard
                let row = try Row.fetchOne(
                    database.cachedStatement(
                        sql: "SELECT state, type, expires, lane, endpoint FROM deliveries WHERE id = ?"),
                    arguments: [id.column]), let known = try Self.view(id, in: database)
            else { return .unknown }
            switch known.state {
            case .queued: return .waits(known)
            case .delivered: return .notReplayable
            case .dead: break
            }
            // A letter has an end of its own; and what was for an endpoint that is gone has nowhere to go.
            let isMail = row[1] == Medium.mail.rawValue
            let expires = Timestamp(milliseconds: row[2])
            if isMail, expires <= now { return .notReplayable }
            if row[4] as Data? != nil, try Self.endpoint(try row.identifier(4), in: database) == nil {
                return .notReplayable
            }
            // Its time begins anew.
            try database.cachedStatement(
                sql: """
                    UPDATE deliveries SET state = 0, attempts = 0, due = ?1, expires = ?2, finished = NULL
                    WHERE id = ?3
                    """
            ).execute(arguments: [now.column, isMail ? expires.column : (now + rules.ageMax).column, id.column])
            guard let view = try Self.view(id, in: database) else { return .unknown }
            return .queued(Queued(id: id, lane: try row.identifier(3), due: now), view)
        }
    }

    package func discard(_ id: DeliveryID) async throws(Fault) -> Bool {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM deliveries WHERE id = ? AND state = 2")
                .execute(arguments: [id.column])
            return database.changesCount > 0
        }
    }

    package func sweep(at now: Timestamp) async throws(Fault) -> Bool {
        try await write { [rules] database in
            let some = "LIMIT \(Self.sweepMax)"
            var isMore = false
            try database.cachedStatement(
                sql: """
                    DELETE FROM deliveries WHERE number IN (SELECT number FROM deliveries
                        WHERE state > 0 AND finished < CASE state WHEN 1 THEN ?1 ELSE ?2 END AND finished < ?1 \(some))
                    """
            ).execute(arguments: [(now - rules.deliveredKept).column, (now - rules.deadKept).column])
            isMore = database.changesCount == Self.sweepMax
            try database.cachedStatement(
                sql: """
                    DELETE FROM deliveries WHERE number IN (SELECT number FROM deliveries WHERE state = 2
                        ORDER BY number DESC LIMIT \(Self.sweepMax) OFFSET \(Self.deadMax))
                    """
            ).execute()
            isMore = isMore || database.changesCount == Self.sweepMax
            try database.cachedStatement(
                sql: "DELETE FROM endpoints WHERE number IN (SELECT number FROM endpoints WHERE gone < ? \(some))"
            ).execute(arguments: [(now - Self.removedKept).column])
            return isMore || database.changesCount == Self.sweepMax
        }
    }

    package func forgetLetters(at now: Timestamp) async throws(Fault) {
        let mustTruncate = try await write { database in
            try database.cachedStatement(
                sql: "UPDATE deliveries SET text = '' WHERE type = 5 AND text <> '' AND expires <= ?"
            ).execute(arguments: [now.column])
            guard database.changesCount == 0 else { return true }
            return try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM deliveries WHERE state > 0 AND finished >= ? AND type = 5)"),
                arguments: [(now - Self.lettersLately).column]) ?? false
        }
        guard mustTruncate else { return }
        do {
            // The write-ahead log still has the pages as they were.
            try await file.queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        } catch { throw unavailable(error) }
    }

    /// Longer than the pause between two sweeps.
    private static let lettersLately = Duration.seconds(30)

    private static func view(_ id: DeliveryID, in database: Database) throws -> Notifications.DeliveryView? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(viewColumns) FROM deliveries WHERE id = ?"), arguments: [id.column]
        ).map(view)
    }

    private static func view(_ row: Row) throws -> Notifications.DeliveryView {
        let state: Notifications.DeliveryState
        switch row[5] as Int64 {
        case 0: state = .queued
        case 1: state = .delivered
        default: state = .dead
        }
        return Notifications.DeliveryView(
            delivery: try row.identifier(0), number: row[1], notice: try row.optionalIdentifier(2),
            account: try row.optionalIdentifier(3), type: row[4], state: state, attempts: row[6], reason: row[7],
            created: Timestamp(milliseconds: row[8]),
            due: state == .queued ? Timestamp(milliseconds: row[9]) : nil,
            finished: (row[10] as Int64?).map(Timestamp.init(milliseconds:)))
    }
}

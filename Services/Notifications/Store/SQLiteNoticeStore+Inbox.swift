import Bus
import Contracts
import GRDB
import Primitives
import Storage

extension SQLiteNoticeStore {
    private static let columns = "id, number, kind, title, text, link, time, read"

    package func inbox(_ ask: Notifications.ReadInbox) async throws(Fault) -> Notifications.ReadInbox.Reply {
        try await read { database in
            let head =
                try Int64.fetchOne(
                    database.cachedStatement(sql: "SELECT newest FROM inboxes WHERE account = ?"),
                    arguments: [ask.account.column]) ?? 0
            let unread =
                try Int64.fetchOne(
                    database.cachedStatement(
                        sql: "SELECT count(*) FROM notices WHERE account = ? AND read IS NULL"),
                    arguments: [ask.account.column]) ?? 0
            let only = ask.unread == true ? "AND read IS NULL" : ""
            let (bound, order, edge) =
                ask.after.map { ("number > ?", "ASC", $0) } ?? ("number < ?", "DESC", ask.before ?? .max)
            // One more, to know whether there is a next page.
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT \(Self.columns) FROM notices WHERE account = ? AND \(bound) \(only)
                        ORDER BY number \(order) LIMIT ?
                        """), arguments: [ask.account.column, edge, ask.limit + 1])
            var notices: [Notifications.NoticeView] = []
            var bytes = 0
            for row in rows.prefix(ask.limit) {
                let notice = try Self.view(row)
                bytes += notice.json.count + 1
                // Long texts may make a page that no envelope holds; one notice always fits.
                if bytes > FactsPage.bytesMax, !notices.isEmpty { break }
                notices.append(notice)
            }
            return .init(
                notices: notices, next: notices.count < rows.count ? notices.last?.number : nil, head: head,
                unread: unread)
        }
    }

    package func notice(
        _ id: NoticeID, of account: PartyID
    ) async throws(Fault) -> Notifications.NoticeView? {
        try await read { try Self.find(id, of: account, in: $0) }
    }

    package func markRead(
        _ id: NoticeID, of account: PartyID, at now: Timestamp
    ) async throws(Fault) -> Notifications.NoticeView? {
        try await write { database in
            try database.cachedStatement(
                sql: "UPDATE notices SET read = ? WHERE id = ? AND account = ? AND read IS NULL"
            ).execute(arguments: [now.column, id.column, account.column])
            return try Self.find(id, of: account, in: database)
        }
    }

    private static func find(
        _ id: NoticeID, of account: PartyID, in database: Database
    ) throws -> Notifications.NoticeView? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(columns) FROM notices WHERE id = ? AND account = ?"),
            arguments: [id.column, account.column]
        ).map(view)
    }

    private static func view(_ row: Row) throws -> Notifications.NoticeView {
        guard let kind = Notifications.Kind(stored: row[2]) else { throw UnreadableColumn() }
        return Notifications.NoticeView(
            notice: try row.identifier(0), number: row[1], kind: kind, title: row[3], text: row[4], link: row[5],
            time: Timestamp(milliseconds: row[6]), read: (row[7] as Int64?).map(Timestamp.init(milliseconds:)))
    }

    /// Puts a notice into its account's inbox, forgets the one that has become too old for it, tells of it, and queues it
    /// for the account's pushes. Nothing of that where the notice is there already.
    func add(
        _ draft: Draft, because cause: AskContext?, to database: Database, at now: Timestamp
    ) throws -> [Queued] {
        guard try insert(draft, because: cause, into: database, at: now) else { return [] }
        guard now - draft.time <= rules.newsMax else { return [] }
        let settings = try Self.settings(of: draft.account, in: database)
        var queued: [Queued] = []
        let due: Timestamp
        switch settings.verdict(on: draft.kind, at: now) {
        case .never: return []
        case .now: due = now
        case .later(let end): due = end
        }
        for endpoint in try Self.endpoints(of: draft.account, in: database) where endpoint.channel.isPush {
            let row = DeliveryRow(
                id: DeliveryID(of: draft.id, to: endpoint.id), notice: draft.id, account: draft.account,
                channel: endpoint.channel, endpoint: endpoint.id, address: nil, lane: endpoint.id, kind: draft.kind,
                title: draft.title, text: draft.text, link: draft.link, created: now, expires: now + rules.ageMax,
                due: due, fingerprint: nil)
            if let one = try insert(row, into: database, at: now) { queued.append(one) }
        }
        return queued
    }

    /// Queues a fact for its merchant's web hooks.
    func add(_ message: HookMessage, to database: Database, at now: Timestamp) throws -> [Queued] {
        var queued: [Queued] = []
        for endpoint in try Self.endpoints(of: message.merchant, in: database) where endpoint.channel == .hook {
            // What happened before it was added is no news to it.
            guard message.time >= endpoint.created else { continue }
            let row = DeliveryRow(
                id: DeliveryID(of: message.id, to: endpoint.id), notice: nil, account: message.merchant,
                channel: .hook, endpoint: endpoint.id, address: nil, lane: endpoint.id, kind: nil,
                title: message.type, text: message.data, link: nil, created: now, expires: now + rules.ageMax,
                due: now, fingerprint: nil)
            if let one = try insert(row, into: database, at: now) { queued.append(one) }
        }
        return queued
    }

    /// - Returns: false when there is a notice of that id.
    func insert(
        _ draft: Draft, because cause: AskContext?, into database: Database, at now: Timestamp
    ) throws -> Bool {
        let exists = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM notices WHERE id = ?"), arguments: [draft.id.column])
        if exists == true { return false }
        let number =
            try Int64.fetchOne(
                database.cachedStatement(
                    sql: """
                        INSERT INTO inboxes (account, newest) VALUES (?, 1)
                        ON CONFLICT (account) DO UPDATE SET newest = newest + 1 RETURNING newest
                        """), arguments: [draft.account.column]) ?? 1
        try database.cachedStatement(
            sql: """
                INSERT INTO notices (account, number, id, kind, title, text, link, time, sender)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            draft.account.column, number, draft.id.column, draft.kind.stored, draft.title, draft.text, draft.link,
            draft.time.column, draft.sender?.column
        ])
        if let sender = draft.sender { try limitUnread(from: sender, to: draft.account, in: database) }
        if number > Int64(Notifications.inboxMax) { try Self.limitInbox(of: draft.account, in: database) }
        try tell(
            Notifications.NoticeAdded(
                notice: draft.id, account: draft.account, number: number, kind: draft.kind, time: draft.time),
            in: database, at: now, because: cause)
        return true
    }

    /// However many notices a merchant causes, they cost the account none of anybody else's.
    private func limitUnread(from sender: PartyID, to account: PartyID, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                DELETE FROM notices WHERE account = ?1 AND number IN (
                    SELECT number FROM notices WHERE account = ?1 AND sender = ?2 AND read IS NULL
                    ORDER BY number DESC LIMIT -1 OFFSET ?3)
                """
        ).execute(arguments: [account.column, sender.column, rules.unreadPerSenderMax])
    }

    /// What was read goes first, the oldest of it; what nobody has read only where nothing was.
    private static func limitInbox(of account: PartyID, in database: Database) throws {
        let count = try database.cachedStatement(sql: "SELECT count(*) FROM notices WHERE account = ?")
        let forget = try database.cachedStatement(
            sql: """
                DELETE FROM notices WHERE account = ?1 AND number = coalesce(
                    (SELECT number FROM notices WHERE account = ?1 AND read IS NOT NULL ORDER BY number LIMIT 1),
                    (SELECT min(number) FROM notices WHERE account = ?1))
                """)
        while let kept = try Int.fetchOne(count, arguments: [account.column]), kept > Notifications.inboxMax {
            try forget.execute(arguments: [account.column])
        }
    }
}

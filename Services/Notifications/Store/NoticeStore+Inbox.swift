import Bus
import Contracts
import Primitives
import Storage

extension NoticeStore {
    private static let columns = "id, number, kind, title, text, link, time, read"

    package func inbox(_ ask: Notifications.ReadInbox) async throws(Fault) -> Notifications.ReadInbox.Reply {
        try await whenFiled(ask.account) { try Self.page(ask, in: $0) }
    }

    private static func page(
        _ ask: Notifications.ReadInbox, in transaction: Transaction
    ) throws -> Notifications.ReadInbox.Reply {
        let head =
            try transaction.value("SELECT newest FROM inboxes WHERE account = ?", ask.account, as: Int64.self) ?? 0
        let unread =
            try transaction.value(
                "SELECT count(*) FROM notices WHERE account = ? AND read IS NULL", ask.account, as: Int64.self) ?? 0
        let only = ask.unread == true ? "AND read IS NULL" : ""
        let (bound, order, edge) =
            ask.after.map { ("number > ?", "ASC", $0) } ?? ("number < ?", "DESC", ask.before ?? .max)
        // One more than asked for shows whether there is a next page.
        let rows = try transaction.all(
            """
            SELECT \(columns) FROM notices WHERE account = ? AND \(bound) \(only)
            ORDER BY number \(order) LIMIT ?
            """, ask.account, edge, ask.limit + 1, as: view)
        var notices: [Notifications.NoticeView] = []
        var bytes = 0
        for notice in rows.prefix(ask.limit) {
            bytes += notice.json.count + 1
            // A page of long texts may not fit into an envelope; one notice always does.
            if bytes > FactsPage.bytesMax, !notices.isEmpty { break }
            notices.append(notice)
        }
        return .init(
            notices: notices, next: notices.count < rows.count ? notices.last?.number : nil, head: head, unread: unread)
    }

    package func notice(
        _ id: NoticeID, of account: PartyID
    ) async throws(Fault) -> Notifications.NoticeView? {
        try await whenFiled(account) { transaction in
            guard let number = try Self.number(of: id, in: account, transaction) else { return nil }
            return try Self.find(number, of: account, in: transaction)
        }
    }

    /// - Returns: the notice, marked as read; nil if there is none.
    package func markRead(
        _ id: NoticeID, of account: PartyID, at now: Timestamp
    ) async throws(Fault) -> Notifications.NoticeView? {
        try await change { [incoming] transaction in
            try incoming.file(account, in: transaction)
            guard let number = try Self.number(of: id, in: account, transaction) else { return nil }
            try transaction.run(
                "UPDATE notices SET read = ? WHERE account = ? AND number = ? AND read IS NULL", now, account, number)
            return try Self.find(number, of: account, in: transaction)
        }
    }

    /// Reads when all notices of the account are in its inbox. Files them before, if they are not.
    private func whenFiled<Value: Sendable>(
        _ account: PartyID, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(Fault) -> Value {
        let read = try await store.read { [incoming] transaction -> Value? in
            guard try incoming.isFiled(account, in: transaction) else { return .none }
            return .some(try body(transaction))
        }
        if let read { return read }
        return try await change { [incoming] transaction in
            try incoming.file(account, in: transaction)
            return try body(transaction)
        }
    }

    /// The number of a filed notice; nil where the inbox has none with that id. Reads the whole inbox: an index of ids
    /// would cost each notice more than a reader gains.
    static func number(of id: NoticeID, in account: PartyID, _ transaction: Transaction) throws -> Int64? {
        try transaction.value("SELECT number FROM notices WHERE account = ? AND id = ?", account, id)
    }

    private static func find(
        _ number: Int64, of account: PartyID, in transaction: Transaction
    ) throws -> Notifications.NoticeView? {
        try transaction.first(
            "SELECT \(columns) FROM notices WHERE account = ? AND number = ?", account, number, as: view)
    }

    private static func view(_ row: Row) throws -> Notifications.NoticeView {
        guard let kind = Notifications.Kind(stored: try row[2]) else { throw row.damage(2) }
        return Notifications.NoticeView(
            notice: try row[0], number: try row[1], kind: kind, title: try row[3], text: try row[4], link: try row[5],
            time: try row[6], read: try row[7])
    }

    /// Adds a notice to its account's inbox, deletes the one beyond the limit, publishes it and queues the account's
    /// pushes. Does nothing if the notice exists.
    func add(
        _ draft: Draft, mayExist: Bool, because cause: AskContext?, to transaction: Transaction, at now: Timestamp
    ) throws -> [Queued] {
        guard try insert(draft, mayExist: mayExist, because: cause, into: transaction, at: now) else { return [] }
        guard now - draft.time <= rules.newsMax else { return [] }
        let expires = min(now + rules.ageMax, draft.expires ?? Timestamp(milliseconds: .max))
        let recipient = try recipients.recipient(draft.account, in: transaction)
        var queued: [Queued] = []
        let due: Timestamp
        switch recipient.settings.verdict(on: draft.kind, at: now) {
        case .never: return []
        case .now: due = now
        case .later(let end): due = end
        }
        guard due < expires else { return [] }
        for endpoint in recipient.pushes {
            let row = DeliveryRow(
                id: DeliveryID(of: draft.id, to: endpoint.id), notice: draft.id, account: draft.account,
                channel: endpoint.channel, endpoint: endpoint.id, address: nil, lane: endpoint.id, kind: draft.kind,
                title: draft.title, text: draft.text, link: draft.link, created: now, expires: expires,
                due: due, fingerprint: nil)
            if let one = try insert(row, into: transaction, at: now) { queued.append(one) }
        }
        return queued
    }

    /// Queues a fact for its merchant's web hooks.
    func add(_ message: HookMessage, to transaction: Transaction, at now: Timestamp) throws -> [Queued] {
        var queued: [Queued] = []
        for endpoint in try recipients.recipient(message.merchant, in: transaction).hooks {
            // A web hook gets only facts that are newer than its registration.
            guard message.time >= endpoint.created else { continue }
            let row = DeliveryRow(
                id: DeliveryID(of: message.id, to: endpoint.id), notice: nil, account: message.merchant,
                channel: .hook, endpoint: endpoint.id, address: nil, lane: endpoint.id, kind: nil,
                title: message.type, text: message.data, link: nil, created: now, expires: now + rules.ageMax,
                due: now, fingerprint: nil)
            if let one = try insert(row, into: transaction, at: now) { queued.append(one) }
        }
        return queued
    }

    /// - Returns: false if the account has a notice with that id.
    package func insert(
        _ draft: Draft, mayExist: Bool, because cause: AskContext?, into transaction: Transaction, at now: Timestamp
    ) throws -> Bool {
        guard let number = try incoming.add(draft, mayExist: mayExist, in: transaction) else { return false }
        try transaction.publish(
            Notifications.NoticeAdded(
                notice: draft.id, account: draft.account, number: number, kind: draft.kind, time: draft.time),
            at: now, because: cause)
        return true
    }
}

import Contracts
import Primitives
import Storage

/// New notices, which go into their inboxes together (ADR 49).
///
/// The notices of an inbox lie together, so each that went there by itself would write several pages at random places.
/// Here it is a row at the end of one table, until somebody asks for the inbox or many notices have gathered.
///
/// `@unchecked`: used inside the store's transactions only, which let one thread in at a time.
final class IncomingNotices: @unchecked Sendable {
    /// Notices of one account that gather before they are filed.
    static let perAccountMax = 64
    /// Rows that are filed or removed for each new one while that is being done.
    private static let pace: Int64 = 4

    private struct Waiting {
        /// The number of the account's newest notice.
        var newest: Int64
        var notices: [(place: Int64, id: NoticeID)] = []
    }

    private let rules: DeliveryRules
    /// New notices that are not in their inboxes, by account.
    private var waiting: [PartyID: Waiting] = [:]
    /// Whether memory has what the table has.
    private var isKnown = false
    /// The table's rows: from `first` on, before `next`.
    private var (first, next): (Int64, Int64) = (1, 1)
    /// Accounts that are still to be filed before the rows up to `through` are removed.
    private var round = KeysInOrder([])
    private var through: Int64?
    /// Notices that the current piece of work has added.
    private var added: Int64 = 0
    private var hasChanged = false

    init(_ rules: DeliveryRules) { self.rules = rules }

    // MARK: A piece of work

    /// Call it before the changes of a piece of work.
    func begin() {
        hasChanged = false
        added = 0
    }

    /// Call it after the last change: files and removes some of what has gathered.
    func settle(in transaction: Transaction) throws {
        guard added > 0 else { return }
        if through == nil, next - first >= rules.incomingMax {
            through = next - 1
            round = KeysInOrder(waiting.keys.map { KeysInOrder.Row(key: $0.reinterpreted(), place: 0) })
        }
        guard let through else { return }
        var rest = added * Self.pace
        while rest > 0, let account = round.first(1).first {
            round.removeFirst(1)
            rest -= Int64(try file(account.key.reinterpreted(), in: transaction))
        }
        guard round.count == 0, rest > 0 else { return }
        first = min(through + 1, first + rest)
        try transaction.run("DELETE FROM incoming WHERE place < ?", first)
        if first > through { self.through = nil }
    }

    /// Call it after a rollback.
    func undone(_ extent: Undone) {
        guard extent == .group || hasChanged else { return }
        isKnown = false
    }

    // MARK: Notices

    /// Whether all notices of an account are in its inbox.
    func isFiled(_ account: PartyID, in transaction: Transaction) throws -> Bool {
        try load(in: transaction)
        return waiting[account] == nil
    }

    /// Adds a notice.
    ///
    /// - Parameter mayExist: whether the inbox may have a notice with that id. To find out reads the whole inbox.
    /// - Returns: its number in the inbox; nil if the account has a notice with that id.
    func add(_ draft: Draft, mayExist: Bool, in transaction: Transaction) throws -> Int64? {
        try load(in: transaction)
        let account = draft.account
        if waiting[account]?.notices.contains(where: { $0.id == draft.id }) == true { return nil }
        if mayExist, try NoticeStore.number(of: draft.id, in: account, transaction) != nil { return nil }
        let newest =
            try waiting[account]?.newest
            ?? transaction.value("SELECT newest FROM inboxes WHERE account = ?", account) ?? 0
        let number = newest + 1
        hasChanged = true
        try transaction.postRow(
            """
            INSERT INTO incoming (place, account, number, id, kind, title, text, link, time, sender)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, next, account, number, draft.id, draft.kind.stored, draft.title, draft.text, draft.link, draft.time,
            draft.sender)
        note(draft.id, of: account, number, at: next)
        next += 1
        added += 1
        if waiting[account]?.notices.count == Self.perAccountMax { try file(account, in: transaction) }
        return number
    }

    private func note(_ id: NoticeID, of account: PartyID, _ number: Int64, at place: Int64) {
        waiting[account, default: Waiting(newest: number)].notices.append((place, id))
        waiting[account]?.newest = number
    }

    /// Puts an account's new notices into its inbox, and deletes what is beyond the limits.
    ///
    /// - Returns: how many there were.
    @discardableResult
    func file(_ account: PartyID, in transaction: Transaction) throws -> Int {
        try load(in: transaction)
        guard let entry = waiting[account] else { return 0 }
        hasChanged = true
        for notice in entry.notices {
            try transaction.statement(
                """
                INSERT INTO notices (account, number, id, kind, title, text, link, time, sender)
                    SELECT account, number, id, kind, title, text, link, time, sender FROM incoming WHERE place = ?
                """
            ).bind(notice.place).post()
        }
        let count = entry.notices.count
        let kept = try transaction.value(
            """
            INSERT INTO inboxes (account, newest, kept) VALUES (?, ?, ?) ON CONFLICT (account)
                DO UPDATE SET newest = excluded.newest, kept = inboxes.kept + excluded.kept RETURNING kept
            """, account, entry.newest, count, as: Int.self)
        guard let kept else { throw StoreFailure.damaged("an inbox") }
        let senders: [PartyID] = try transaction.values(
            "SELECT DISTINCT sender FROM notices WHERE account = ? AND number > ? AND sender IS NOT NULL", account,
            entry.newest - Int64(count))
        var deleted = 0
        for sender in senders { deleted += try limitUnread(from: sender, to: account, in: transaction) }
        deleted += try delete(kept - deleted - Notifications.inboxMax, of: account, in: transaction)
        if deleted > 0 {
            try transaction.run("UPDATE inboxes SET kept = kept - ? WHERE account = ?", deleted, account)
        }
        waiting[account] = nil
        return count
    }

    /// Many notices of one merchant never delete those of others.
    ///
    /// - Returns: how many it has deleted.
    private func limitUnread(from sender: PartyID, to account: PartyID, in transaction: Transaction) throws -> Int {
        let newest: Int64? = try transaction.value(
            """
            SELECT number FROM notices INDEXED BY notices_unread
            WHERE account = ? AND sender = ? AND read IS NULL ORDER BY number DESC LIMIT 1 OFFSET ?
            """, account, sender, rules.unreadPerSenderMax)
        guard let newest else { return 0 }
        return try transaction.run(
            """
            DELETE FROM notices INDEXED BY notices_unread
            WHERE account = ? AND sender = ? AND read IS NULL AND number <= ?
            """, account, sender, newest)
    }

    /// Deletes the oldest read notices first; unread ones only where no more were read.
    ///
    /// - Returns: how many it has deleted.
    private func delete(_ excess: Int, of account: PartyID, in transaction: Transaction) throws -> Int {
        guard excess > 0 else { return 0 }
        let read = try transaction.run(
            """
            DELETE FROM notices WHERE account = ?1 AND number IN (
                SELECT number FROM notices INDEXED BY notices_read WHERE account = ?1 AND read IS NOT NULL
                ORDER BY number LIMIT ?2)
            """, account, excess)
        guard read < excess else { return read }
        let unread = try transaction.run(
            """
            DELETE FROM notices WHERE account = ?1 AND number <= (
                SELECT number FROM notices WHERE account = ?1 ORDER BY number LIMIT 1 OFFSET ?2)
            """, account, excess - read - 1)
        return read + unread
    }

    // MARK: Memory

    /// Reads what is not filed from the table, where memory does not have it.
    private func load(in transaction: Transaction) throws {
        if isKnown { return }
        waiting = [:]
        (round, through) = (KeysInOrder([]), nil)
        // An inbox's newest number says what of the table is filed.
        try transaction.each(
            """
            SELECT incoming.place, incoming.account, incoming.number, incoming.id
            FROM incoming LEFT JOIN inboxes ON inboxes.account = incoming.account
            WHERE incoming.number > coalesce(inboxes.newest, 0) ORDER BY incoming.place
            """
        ) { row in
            note(try row[3], of: try row[1], row.int64(2), at: row.int64(0))
            return true
        }
        let ends = try transaction.first("SELECT min(place), max(place) FROM incoming") { row in
            (try row[0] as Int64?, try row[1] as Int64?)
        }
        (first, next) = (ends?.0 ?? 1, (ends?.1 ?? 0) + 1)
        isKnown = true
    }
}

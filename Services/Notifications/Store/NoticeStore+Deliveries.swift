import Bus
import Contracts
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

extension NoticeStore {
    /// Rows that one sweep deletes at most, so that other work does not wait long.
    private static let sweepMax = 500
    /// Dead letters that are kept. A further one deletes the oldest.
    private static let deadMax = 100_000

    private static let viewColumns =
        "id, number, notice, account, type, state, attempts, reason, created, due, finished"

    /// Queues a delivery, or makes it a dead letter if too many wait for its endpoint.
    ///
    /// - Returns: nil when nothing is to be sent.
    func insert(_ row: DeliveryRow, into transaction: Transaction, at now: Timestamp) throws -> Queued? {
        let waiting =
            try transaction.value(
                "SELECT count(*) FROM deliveries WHERE lane = ? AND state = 0", row.lane, as: Int.self) ?? 0
        let added = try transaction.run(
            """
            INSERT INTO deliveries (id, notice, account, type, endpoint, address, lane, kind, title, text, link,
                created, expires, state, due, fingerprint) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
            ON CONFLICT (id) DO NOTHING
            """, row.id, row.notice, row.account, row.channel.rawValue, row.endpoint, row.address, row.lane,
            row.kind?.stored, row.title, row.text, row.link, row.created, row.expires, row.due, row.fingerprint)
        guard added == 1 else { return nil }
        guard waiting < rules.waitingPerEndpointMax else {
            try end(row.id, dead: "too_many_waiting", in: transaction, at: now)
            return nil
        }
        return Queued(id: row.id, lane: row.lane, medium: row.channel, due: row.due)
    }

    /// Stores a message to one registration, also in the inbox of its account. Keyed on the order's id.
    package func send(_ order: SendOrder, at now: Timestamp) async throws(Fault) -> SendOutcome {
        try await change { try record(order, in: $0, at: now) }
    }

    func record(_ order: SendOrder, in transaction: Transaction, at now: Timestamp) throws -> SendOutcome {
        let known = try transaction.first(
            "SELECT fingerprint FROM deliveries WHERE id = ?", order.delivery
        ) { row in row.bytes(0) }
        if let known { return known == order.fingerprint ? .existed : .reused }
        let endpoint = try Self.endpoint(at: order.address, order.channel, in: transaction)
        var (due, never): (Timestamp, String?) = (now, nil)
        if let endpoint {
            let draft = Draft(
                id: order.notice, account: endpoint.account, kind: .message, title: order.title, text: order.text,
                link: nil, time: now)
            guard try insert(draft, mayExist: true, because: nil, into: transaction, at: now) else { return .reused }
            switch try recipients.recipient(endpoint.account, in: transaction).settings.verdict(on: .message, at: now) {
            case .now: break
            case .later(let end): due = end
            case .never(let reason): never = reason
            }
        } else if order.channel == .website {
            // A browser's message cannot be encrypted without the keys of its subscription.
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
                created: now, expires: order.expires, due: due, fingerprint: order.fingerprint), into: transaction,
            at: now)
        guard let never else { return .recorded(queued) }
        if queued != nil { try end(order.delivery, dead: never, in: transaction, at: now) }
        return .recorded(nil)
    }

    /// All queued deliveries, for the start.
    package func queued() async throws(Fault) -> [Queued] {
        try await store.read { transaction in
            try transaction.all("SELECT id, lane, type, due FROM deliveries WHERE state = 0 ORDER BY number") {
                Queued(id: try $0[0], lane: try $0[1], medium: try $0.choice(2), due: try $0[3])
            }
        }
    }

    /// Nil if it is no longer queued, or its endpoint is gone.
    package func deliveryToSend(_ id: DeliveryID) async throws(Fault) -> Delivery? {
        try await store.read { transaction in
            try transaction.first(
                """
                SELECT id, notice, account, type, endpoint, address, kind, title, text, link, created,
                    expires, attempts FROM deliveries WHERE id = ? AND state = 0
                """, id
            ) { row -> Delivery? in
                guard let channel = Medium(rawValue: try row[3]) else { return nil }
                var endpoint: Endpoint?
                if !row.isNull(4) {
                    endpoint = try Self.endpoint(try row[4], in: transaction)
                    if endpoint == nil { return nil }
                }
                guard let address = try endpoint?.address ?? row[5] else { return nil }
                return Delivery(
                    id: id, notice: try row[1], account: try row[2], channel: channel, address: address,
                    endpoint: endpoint?.id, p256dh: endpoint?.p256dh, auth: endpoint?.auth, secret: endpoint?.secret,
                    kind: (try row[6] as Int64?).flatMap { Notifications.Kind(stored: $0) }, title: try row[7],
                    text: try row[8], link: try row[9], created: try row[10], expires: try row[11],
                    attempts: try row[12])
            } ?? nil
        }
    }

    /// Records the outcome of an attempt. Facts: `NoticeDelivered`, `NoticeFailed`.
    package func settle(
        _ id: DeliveryID, _ settlement: DeliveryRules.Settlement, at now: Timestamp
    ) async throws(Fault) {
        try await change { transaction in
            let counted = try transaction.run(
                "UPDATE deliveries SET attempts = attempts + 1 WHERE id = ? AND state = 0", id)
            // It was removed together with its endpoint.
            guard counted == 1 else { return }
            switch settlement {
            case .delivered(let simulated):
                // Erases the letter's text, which may contain a secret and is no longer needed.
                try transaction.run(
                    """
                    UPDATE deliveries SET state = 1, finished = ?, reason = NULL, simulated = ?,
                        text = CASE type WHEN 5 THEN '' ELSE text END WHERE id = ?
                    """, now, simulated, id)
                guard let view = try Self.view(id, in: transaction) else { return }
                try transaction.publish(
                    Notifications.NoticeDelivered(
                        delivery: id, notice: view.notice, account: view.account, channel: view.type,
                        attempts: view.attempts, time: now), at: now, because: nil)
            case .again(let due, let reason):
                try transaction.run("UPDATE deliveries SET due = ?, reason = ? WHERE id = ?", due, reason, id)
            case .dead(let reason): try end(id, dead: reason, in: transaction, at: now)
            case .gone(let reason):
                let endpoint: EndpointID? = try transaction.value("SELECT endpoint FROM deliveries WHERE id = ?", id)
                try end(id, dead: reason, in: transaction, at: now)
                if let endpoint { try forget([endpoint], in: transaction, at: now) }
            }
        }
    }

    /// Makes a queued delivery a dead letter.
    private func end(_ id: DeliveryID, dead reason: String, in transaction: Transaction, at now: Timestamp) throws {
        try transaction.run(
            """
            UPDATE deliveries SET state = 2, finished = ?1, reason = ?2,
                text = CASE WHEN type = 5 AND expires <= ?1 THEN '' ELSE text END WHERE id = ?3 AND state = 0
            """, now, reason, id)
        guard let view = try Self.view(id, in: transaction) else { return }
        try transaction.publish(
            Notifications.NoticeFailed(
                delivery: id, notice: view.notice, account: view.account, channel: view.type, attempts: view.attempts,
                reason: reason, time: now), at: now, because: nil)
    }

    /// Postpones a delivery without an attempt.
    package func postpone(_ id: DeliveryID, until due: Timestamp) async throws(Fault) {
        try await change { transaction in
            try transaction.run("UPDATE deliveries SET due = ? WHERE id = ? AND state = 0", due, id)
        }
    }

    // MARK: Dead letters

    package func delivery(_ id: DeliveryID) async throws(Fault) -> StoredDelivery? {
        try await store.read { transaction in
            try transaction.first(
                "SELECT \(Self.viewColumns), title, text, link, simulated FROM deliveries WHERE id = ?", id
            ) { row in
                StoredDelivery(
                    view: try Self.view(row), title: try row[11], text: try row[12], link: try row[13],
                    simulated: try row[14])
            }
        }
    }

    /// Newest first.
    package func deadLetters(
        before: Int64?, limit: Int
    ) async throws(Fault) -> [Notifications.DeliveryView] {
        try await store.read { transaction in
            try transaction.all(
                """
                SELECT \(Self.viewColumns) FROM deliveries WHERE state = 2 AND number < ?
                ORDER BY number DESC LIMIT ?
                """, before ?? .max, limit, as: Self.view)
        }
    }

    package func replay(_ id: DeliveryID, at now: Timestamp) async throws(Fault) -> Replaying {
        try await change { [rules] transaction in
            guard let known = try Self.view(id, in: transaction) else { return .unknown }
            switch known.state {
            case .queued: return .waits(known)
            case .delivered: return .notReplayable
            case .dead: break
            }
            let stored = try transaction.first(
                "SELECT expires, lane, endpoint, type FROM deliveries WHERE id = ?", id
            ) { row in
                (
                    expires: try row[0] as Timestamp, lane: try row[1] as EndpointID,
                    endpoint: try row[2] as EndpointID?, medium: try row.choice(3) as Medium
                )
            }
            guard let stored else { return .unknown }
            // Letters, requests, reminders and offers are over at a time of their own, and a delivery to a removed
            // endpoint has no address: none of them can be replayed then.
            let hasEnd = stored.medium == .mail || stored.expires < known.created + rules.ageMax
            if hasEnd, stored.expires <= now { return .notReplayable }
            if let endpoint = stored.endpoint, try Self.endpoint(endpoint, in: transaction) == nil {
                return .notReplayable
            }
            // Its expiry counts from now.
            try transaction.run(
                "UPDATE deliveries SET state = 0, attempts = 0, due = ?, expires = ?, finished = NULL WHERE id = ?",
                now, hasEnd ? stored.expires : now + rules.ageMax, id)
            guard let view = try Self.view(id, in: transaction) else { return .unknown }
            return .queued(Queued(id: id, lane: stored.lane, medium: stored.medium, due: now), view)
        }
    }

    package func discard(_ id: DeliveryID) async throws(Fault) -> Bool {
        try await change { try $0.run("DELETE FROM deliveries WHERE id = ? AND state = 2", id) > 0 }
    }

    /// Deletes some of the rows past their retention.
    ///
    /// - Returns: whether more are left.
    package func sweep(at now: Timestamp) async throws(Fault) -> Bool {
        try await change { [rules] transaction in
            let some = "LIMIT \(Self.sweepMax)"
            let delivered = try transaction.run(
                """
                DELETE FROM deliveries WHERE number IN (SELECT number FROM deliveries
                    WHERE state = 1 AND finished < ? \(some))
                """, now - rules.deliveredKept)
            let dead = try transaction.run(
                """
                DELETE FROM deliveries WHERE number IN (SELECT number FROM deliveries
                    WHERE state = 2 AND finished < ? \(some))
                """, now - rules.deadKept)
            let excess = try transaction.run(
                """
                DELETE FROM deliveries WHERE number IN (SELECT number FROM deliveries WHERE state = 2
                    ORDER BY number DESC LIMIT \(Self.sweepMax) OFFSET \(Self.deadMax))
                """)
            let gone = try transaction.run(
                "DELETE FROM endpoints WHERE number IN (SELECT number FROM endpoints WHERE gone < ? \(some))",
                now - Self.removedKept)
            return [delivered, dead, excess, gone].contains(Self.sweepMax)
        }
    }

    /// Erases the texts of expired letters, which may contain codes, from the file and its write-ahead log.
    package func forgetLetters(at now: Timestamp) async throws(Fault) {
        let isInLog = try await change { transaction in
            let forgotten = try transaction.run(
                "UPDATE deliveries SET text = '' WHERE type = 5 AND text <> '' AND expires <= ?", now)
            guard forgotten == 0 else { return true }
            return try transaction.value(
                """
                SELECT EXISTS (SELECT 1 FROM deliveries WHERE state = 1 AND finished >= ?1 AND type = 5)
                    OR EXISTS (SELECT 1 FROM deliveries WHERE state = 2 AND finished >= ?1 AND type = 5)
                """, now - Self.lettersLately) ?? false
        }
        // The write-ahead log still has the old pages.
        if isInLog { try await store.emptyLog() }
    }

    /// Longer than the interval of sweeps.
    private static let lettersLately = Duration.seconds(30)

    private static func view(_ id: DeliveryID, in transaction: Transaction) throws -> Notifications.DeliveryView? {
        try transaction.first("SELECT \(viewColumns) FROM deliveries WHERE id = ?", id, as: view)
    }

    private static func view(_ row: Row) throws -> Notifications.DeliveryView {
        let state: Notifications.DeliveryState
        switch row.int64(5) {
        case 0: state = .queued
        case 1: state = .delivered
        default: state = .dead
        }
        return Notifications.DeliveryView(
            delivery: try row[0], number: try row[1], notice: try row[2],
            account: try row[3], type: try row[4], state: state, attempts: try row[6], reason: try row[7],
            created: try row[8],
            due: state == .queued ? try row[9] : nil,
            finished: try row[10])
    }
}

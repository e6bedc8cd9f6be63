import Contracts
import Primitives
import Storage

// What the owner of an endpoint sees of its deliveries.

extension NoticeStore {
    private static let ownColumns = "id, number, title, state, attempts, reason, created, due, finished"

    /// Deliveries to one of the account's endpoints, newest first; nil where it has no such endpoint.
    package func deliveries(
        to endpoint: EndpointID, of account: PartyID, before: Int64?, limit: Int
    ) async throws(Fault) -> [Notifications.OwnDelivery]? {
        try await store.read { transaction in
            guard try Self.endpoint(endpoint, in: transaction)?.account == account else { return nil }
            return try transaction.all(
                """
                SELECT \(Self.ownColumns) FROM deliveries WHERE endpoint = ? AND number < ?
                ORDER BY number DESC LIMIT ?
                """, endpoint, before ?? .max, limit, as: Self.own)
        }
    }

    /// One delivery as its owner sees it; nil where there is none.
    package func ownDelivery(_ id: DeliveryID) async throws(Fault) -> Notifications.OwnDelivery? {
        try await store.read { transaction in
            try transaction.first("SELECT \(Self.ownColumns) FROM deliveries WHERE id = ?", id, as: Self.own)
        }
    }

    /// Queues a test of the account's web hook.
    ///
    /// - Returns: nil where the account has no such web hook.
    package func test(_ ask: Notifications.TestEndpoint, at now: Timestamp) async throws(Fault) -> SendOutcome? {
        try await change { transaction in
            let known = try transaction.first(
                "SELECT endpoint, title FROM deliveries WHERE id = ?", ask.delivery
            ) { row in (endpoint: try row[0] as EndpointID?, title: try row[1] as String) }
            if let known {
                return known.endpoint == ask.endpoint && known.title == HookTest.type ? .existed : .reused
            }
            guard let endpoint = try Self.endpoint(ask.endpoint, in: transaction), endpoint.account == ask.account,
                endpoint.channel == .hook
            else { return nil }
            // The newest tests are kept: all of them would push lost payments out of the dead letters.
            try transaction.run(
                """
                DELETE FROM deliveries WHERE endpoint = ?1 AND state = 2 AND title = ?2 AND number NOT IN (
                    SELECT number FROM deliveries WHERE endpoint = ?1 AND state = 2 AND title = ?2
                    ORDER BY number DESC LIMIT 9)
                """, endpoint.id, HookTest.type)
            let queued = try insert(
                DeliveryRow(
                    id: ask.delivery, notice: nil, account: ask.account, channel: .hook, endpoint: endpoint.id,
                    address: nil, lane: endpoint.id, kind: nil, title: HookTest.type,
                    text: HookTest.data(endpoint.id, ask.account), link: nil, created: now,
                    expires: now + rules.ageMax, due: now, fingerprint: nil), into: transaction, at: now)
            return .recorded(queued)
        }
    }

    private static func own(_ row: Row) throws -> Notifications.OwnDelivery {
        let state: Notifications.DeliveryState =
            switch row.int64(3) {
            case 0: .queued
            case 1: .delivered
            default: .dead
            }
        return Notifications.OwnDelivery(
            delivery: try row[0], number: try row[1], title: try row[2], state: state, attempts: try row[4],
            reason: try row[5], created: try row[6], due: state == .queued ? try row[7] : nil, finished: try row[8])
    }
}

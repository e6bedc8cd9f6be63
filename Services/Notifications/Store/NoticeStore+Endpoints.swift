import Bus
import Contracts
import Primitives
import Storage

extension NoticeStore {
    /// Endpoints of one account.
    package static let endpointsMax = 10
    /// Those that one account may have removed, or registered anew, in `removedKept`.
    static let removedMax = 200
    /// How long the id of a removed endpoint is kept, so that a late repeat of its registration does not restore it.
    static let removedKept = Duration.seconds(86_400)

    private static let columns = "id, account, type, address, p256dh, auth, secret, created"

    package func add(_ endpoint: Endpoint) async throws(Fault) -> EndpointAdding {
        try await change { transaction in
            let known = try transaction.first(
                "SELECT \(Self.columns), gone FROM endpoints WHERE id = ?", endpoint.id
            ) { row in (endpoint: try Self.endpoint(row), isGone: !row.isNull(8)) }
            if let (known, isGone) = known {
                let isSame =
                    known.account == endpoint.account && known.channel == endpoint.channel
                    && known.address == endpoint.address && known.p256dh == endpoint.p256dh
                    && known.auth == endpoint.auth && !isGone
                return isSame ? .existed(known) : .reused
            }
            // A phone or browser is registered once: by whom it was registered last.
            let replaced: [EndpointID] =
                endpoint.channel.isPush
                ? try transaction.values(
                    "SELECT id FROM endpoints WHERE gone IS NULL AND type = ? AND address = ?",
                    endpoint.channel.rawValue, endpoint.address) : []
            let kept = try Self.endpoints(of: endpoint.account, in: transaction).filter { !replaced.contains($0.id) }
            let removed: Int? = try transaction.value(
                "SELECT count(*) FROM endpoints WHERE account = ? AND gone IS NOT NULL", endpoint.account)
            guard kept.count < Self.endpointsMax, removed ?? 0 < Self.removedMax else { return .tooMany }
            for id in replaced {
                // Deliveries that wait for the account's own phone go to it all the same.
                try transaction.run(
                    """
                    UPDATE deliveries SET endpoint = ?1, lane = ?1
                    WHERE state = 0 AND endpoint = ?2 AND lane = ?2 AND account = ?3
                    """, endpoint.id, id, endpoint.account)
            }
            try forget(replaced, in: transaction, at: endpoint.created)
            try transaction.run(
                "INSERT INTO endpoints (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", endpoint.id,
                endpoint.account, endpoint.channel.rawValue, endpoint.address, endpoint.p256dh, endpoint.auth,
                endpoint.secret, endpoint.created)
            recipients.forget(endpoint.account)
            return .added
        }
    }

    package func endpoints(of account: PartyID) async throws(Fault) -> [Endpoint] {
        try await store.read { try Self.endpoints(of: account, in: $0) }
    }

    /// Removes an endpoint and its deliveries.
    ///
    /// - Returns: whether the account had it.
    package func remove(
        _ endpoint: EndpointID, of account: PartyID, at now: Timestamp
    ) async throws(Fault) -> Bool {
        try await change { transaction in
            let known: [EndpointID] = try transaction.values(
                "SELECT id FROM endpoints WHERE gone IS NULL AND id = ? AND account = ?", endpoint, account)
            try forget(known, in: transaction, at: now)
            return !known.isEmpty
        }
    }

    /// Merchants with a web hook.
    package func hookOwners() async throws(Fault) -> Set<PartyID> {
        try await store.read {
            Set(try $0.values("SELECT account FROM endpoints WHERE type = 4 AND gone IS NULL", as: PartyID.self))
        }
    }

    /// Removes endpoints and their deliveries. Their addresses and keys are erased at once.
    func forget(_ endpoints: [EndpointID], in transaction: Transaction, at now: Timestamp) throws {
        for id in endpoints {
            let owner: PartyID? = try transaction.value(
                """
                UPDATE endpoints SET gone = ?, address = '', p256dh = NULL, auth = NULL, secret = NULL
                WHERE id = ? AND gone IS NULL RETURNING account
                """, now, id)
            if let owner { recipients.forget(owner) }
            try transaction.run("DELETE FROM deliveries WHERE state = 0 AND endpoint = ?1 AND lane = ?1", id)
        }
    }

    /// Endpoints younger than this are removed when their account has another password: as long as a code for the old
    /// address is valid.
    package static let doubtfulAge = Duration.seconds(7 * 86_400)

    /// The account has another password: an intruder may have added endpoints.
    func forgetDoubtful(of account: PartyID, at time: Timestamp, in transaction: Transaction) throws {
        let doubtful: [EndpointID] = try transaction.values(
            "SELECT id FROM endpoints WHERE gone IS NULL AND account = ? AND created > ?", account,
            time - Self.doubtfulAge)
        try forget(doubtful, in: transaction, at: time)
    }

    static func endpoints(of account: PartyID, in transaction: Transaction) throws -> [Endpoint] {
        try transaction.all(
            "SELECT \(columns) FROM endpoints WHERE account = ? AND gone IS NULL ORDER BY number", account, as: endpoint
        )
    }

    static func endpoint(at address: String, _ channel: Medium, in transaction: Transaction) throws -> Endpoint? {
        try transaction.first(
            "SELECT \(columns) FROM endpoints WHERE type = ? AND address = ? AND gone IS NULL AND type < 4",
            channel.rawValue, address, as: endpoint)
    }

    static func endpoint(_ id: EndpointID, in transaction: Transaction) throws -> Endpoint? {
        try transaction.first("SELECT \(columns) FROM endpoints WHERE id = ? AND gone IS NULL", id, as: endpoint)
    }

    private static func endpoint(_ row: Row) throws -> Endpoint {
        Endpoint(
            id: try row[0], account: try row[1], channel: try row.choice(2), address: try row[3],
            p256dh: try row[4], auth: try row[5],
            secret: try row[6], created: try row[7])
    }

    // MARK: Settings

    package func settings(of account: PartyID) async throws(Fault) -> Settings {
        try await store.read { try Self.settings(of: account, in: $0) }
    }

    /// - Returns: what waited for the end of quiet hours, to be looked at again.
    package func set(_ settings: Settings, of account: PartyID, at now: Timestamp) async throws(Fault) -> [Queued] {
        try await change { transaction in
            try transaction.run(
                """
                INSERT INTO settings (account, enabled, muted, quiet_from, quiet_until, quiet_offset, quiet_zone)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (account) DO UPDATE SET enabled = excluded.enabled, muted = excluded.muted,
                    quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until,
                    quiet_offset = excluded.quiet_offset, quiet_zone = excluded.quiet_zone
                """, account, settings.enabled, settings.muted.reduce(Int64(0)) { $0 | 1 << $1.stored },
                settings.quiet?.from, settings.quiet?.until, settings.quiet?.offsetMinutes(at: now),
                settings.quiet?.clock.zone?.text)
            recipients.forget(account)
            return try Self.endpoints(of: account, in: transaction).flatMap { endpoint in
                try transaction.all(
                    """
                    UPDATE deliveries SET due = ?1 WHERE lane = ?2 AND state = 0 AND attempts = 0 AND due > ?1
                    RETURNING id
                    """, now, endpoint.id
                ) { Queued(id: try $0[0], lane: endpoint.id, medium: endpoint.channel, due: now) }
            }
        }
    }

    /// Stores quiet hours that offers had, unless the customer has set some here.
    func adopt(_ moved: Offers.QuietHoursMoved, in transaction: Transaction) throws {
        try transaction.run(
            """
            INSERT INTO settings (account, enabled, muted, quiet_from, quiet_until, quiet_offset)
            VALUES (?, 1, 0, ?, ?, ?)
            ON CONFLICT (account) DO UPDATE SET quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until,
                quiet_offset = excluded.quiet_offset
            WHERE settings.quiet_from IS NULL
            """, moved.customer, moved.from, moved.until, moved.offset)
        recipients.forget(moved.customer)
    }

    static func settings(of account: PartyID, in transaction: Transaction) throws -> Settings {
        var settings = try chosenSettings(of: account, in: transaction)
        settings.offersWaitUntil = try transaction.value("SELECT until FROM quiet_routines WHERE account = ?", account)
        return settings
    }

    /// A routine runs that quiets ads. The latest end counts.
    func quietOffers(of account: PartyID, until end: Timestamp, in transaction: Transaction) throws {
        try transaction.run(
            """
            INSERT INTO quiet_routines (account, until) VALUES (?, ?)
            ON CONFLICT (account) DO UPDATE SET until = max(quiet_routines.until, excluded.until)
            """, account, end)
        recipients.forget(account)
    }

    private static func chosenSettings(of account: PartyID, in transaction: Transaction) throws -> Settings {
        try transaction.first(
            """
            SELECT enabled, muted, quiet_from, quiet_until, quiet_offset, quiet_zone FROM settings WHERE account = ?
            """, account
        ) { row in
            let muted: Int64 = try row[1]
            var quiet: QuietHours?
            if let from = try row[2] as Int?, let until = try row[3] as Int?, let offset = try row[4] as Int? {
                // A system may not know the zone any more.
                let zone = (try row[5] as String?).flatMap { ZoneName($0) }
                quiet = QuietHours(from: from, until: until, by: zone.map { .zone($0) } ?? .fixed(minutes: offset))
            }
            return Settings(
                enabled: try row[0], muted: Set(Notifications.Kind.allCases.filter { muted & 1 << $0.stored != 0 }),
                quiet: quiet)
        } ?? Settings()
    }
}

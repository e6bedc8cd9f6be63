import Bus
import Contracts
import Primitives
import Storage

extension AccountStore {
    /// Nil if there is no such merchant. Fact, if anything changed: `MerchantDecided`.
    package func decide(
        _ merchant: PartyID, _ status: Auth.MerchantStatus, reason: String?, by cause: Cause
    ) async throws(Fault) -> Auth.MerchantView? {
        try await store.write { transaction in
            guard let before = try Auth.MerchantView.fetch(transaction, merchant) else { return nil }
            guard before.status != status || before.reason != reason else { return before }
            try transaction.run(
                "UPDATE approvals SET status = ?, reason = ?, decided = ? WHERE account = ?", status.rawValue, reason,
                cause.time, merchant)
            try transaction.publish(
                Auth.MerchantDecided(merchant: merchant, status: status, reason: reason, time: cause.time), by: cause)
            return try Auth.MerchantView.fetch(transaction, merchant)
        }
    }

    /// In the order of their ids.
    package func merchants(
        _ status: Auth.MerchantStatus?, after: PartyID?, limit: Int
    ) async throws(Fault) -> [Auth.MerchantView] {
        try await store.read { transaction in
            // Each of the two queries uses an index: `merchants_by_status`, or the table itself.
            let condition = status == nil ? "" : "status = ? AND"
            let statement = try transaction.statement(
                "\(Auth.MerchantView.columns) WHERE \(condition) account > ? ORDER BY account LIMIT ?")
            if let status { statement.bind(status.rawValue) }
            statement.bind(after?.bytes ?? []).bind(Int64(limit))
            var merchants: [Auth.MerchantView] = []
            try statement.each { row in
                merchants.append(try Auth.MerchantView(row, in: transaction))
                return true
            }
            return merchants
        }
    }
}

extension Auth.MerchantView {
    fileprivate static let columns = """
        SELECT account, username, name, status, created, decided, reason FROM approvals JOIN accounts ON id = account
        """

    fileprivate static func fetch(_ transaction: Transaction, _ merchant: PartyID) throws -> Auth.MerchantView? {
        return try transaction.first(columns + " WHERE account = ?", merchant) {
            try Auth.MerchantView($0, in: transaction)
        }
    }

    fileprivate init(_ row: Row, in transaction: Transaction) throws {
        let merchant: PartyID = try row[0]
        self.init(
            merchant: merchant, username: try row[1], name: try row[2],
            status: try row.choice(3),
            profile: try Auth.Profile.fetch(transaction, of: merchant), registered: try row[4],
            decided: try row[5], reason: try row[6])
    }
}

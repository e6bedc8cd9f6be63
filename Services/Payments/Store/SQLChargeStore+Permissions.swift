import Contracts
import Primitives
import Storage

// Merchants that may request money from customers who are elsewhere.

extension ChargeTable {
    /// Payments of a customer that are searched for the merchant. Payments without a request have no index by party
    /// (ADR 32).
    private static let paymentsSearched = 500
    /// Payments that are read at first.
    private static let paymentsSearchedFirst = 8

    /// Whether the customer has paid the merchant, or has allowed its requests.
    func isKnown(_ merchant: PartyID, to customer: PartyID, in transaction: Transaction) throws -> Bool {
        let isAllowed: Bool? = try transaction.value(
            """
            SELECT EXISTS (SELECT 1 FROM permissions WHERE customer = ?1 AND merchant IN (?2, zeroblob(16)))
                OR EXISTS (SELECT 1 FROM paid_requests WHERE customer = ?1 AND merchant = ?2)
            """, customer, merchant)
        if isAllowed == true { return true }
        var (row, left) = (try newestRow(of: customer), Self.paymentsSearched)
        // Mostly one of the newest is of that merchant.
        var count = Self.paymentsSearchedFirst
        while row != 0, left > 0 {
            let steps = try walk(of: customer, from: row, limit: count)
            let isPaid = steps.contains {
                $0.charge.state == .captured && $0.charge.merchant == merchant && $0.charge.customer == customer
            }
            if isPaid { return true }
            guard let older = steps.last?.older else { break }
            (row, left, count) = (older, left - count, min(left - count, Self.readMax))
        }
        return false
    }
}

extension SQLChargeStore {
    package func knows(_ customer: PartyID, _ merchant: PartyID) async throws(Fault) -> Bool {
        try await store.read { [charges] in try charges.isKnown(merchant, to: customer, in: $0) }
    }

    package func permit(
        _ customer: PartyID, _ merchant: PartyID?, _ allowed: Bool, max: Int
    ) async throws(Fault) -> Bool {
        let merchant = merchant ?? Self.everyone
        return try await store.write { transaction in
            guard allowed else {
                try transaction.run("DELETE FROM permissions WHERE customer = ? AND merchant = ?", customer, merchant)
                return true
            }
            let others = try transaction.value(
                "SELECT count(*) FROM permissions WHERE customer = ? AND merchant NOT IN (?, ?)", customer, merchant,
                Self.everyone, as: Int.self)
            guard merchant == Self.everyone || others ?? 0 < max else { return false }
            try transaction.run(
                "INSERT INTO permissions (customer, merchant) VALUES (?, ?) ON CONFLICT DO NOTHING", customer, merchant)
            return true
        }
    }

    package func permissions(of customer: PartyID) async throws(Fault) -> (everyone: Bool, merchants: [PartyID]) {
        let all: [PartyID] = try await store.read {
            try $0.values("SELECT merchant FROM permissions WHERE customer = ? ORDER BY merchant", customer)
        }
        return (all.contains(Self.everyone), all.filter { $0 != Self.everyone })
    }

    private static let everyone = PartyID(high: 0, low: 0)
}

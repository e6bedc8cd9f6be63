import Contracts
import Primitives
import Storage

// Pay codes that can be typed, and the attempts to redeem codes.

extension SQLChargeStore {
    package func keep(
        _ code: PayCode, typedAs digest: [UInt8]
    ) async throws(Fault) -> Bool {
        try await store.write { transaction in
            let added = try transaction.run(
                """
                INSERT INTO typed_codes (digest, id, customer, card, expires) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """, digest, code.id, code.customer, code.card, code.expires)
            return added > 0
        }
    }

    package func code(typedAs digest: [UInt8]) async throws(Fault) -> PayCode? {
        try await store.read { transaction in
            try transaction.first(
                "SELECT id, customer, card, expires FROM typed_codes WHERE digest = ?", digest
            ) { row in
                PayCode(id: try row[0], customer: try row[1], card: try row[2], expires: try row[3])
            }
        }
    }

    package func redeem(
        _ code: ChargeID, by attempt: OperationID, content: [UInt8], at time: Timestamp
    ) async throws(Fault) -> Redemption {
        try await store.write { [charges] transaction in
            let known = try Self.redemption(by: attempt, of: code, content, in: transaction)
            // A code that has paid is redeemed no more: nothing is recorded.
            guard known == .first, try charges.find(code)?.charge.state != .captured else { return known }
            try transaction.run(
                "INSERT INTO redemptions (attempt, code, time, content) VALUES (?, ?, ?, ?)", attempt, code, time,
                content)
            return .first
        }
    }

    package func redemption(
        by attempt: OperationID, of code: ChargeID, content: [UInt8]
    ) async throws(Fault) -> Redemption {
        try await store.read { try Self.redemption(by: attempt, of: code, content, in: $0) }
    }

    /// Forgets codes that ended before that time, and attempts that were made before it.
    ///
    /// - Parameter time: of the wallet, which refuses a clock that is ahead. By such a clock an attempt would be
    ///   forgotten whose key could then sell a second time.
    static func forgetCodes(before time: Timestamp, in transaction: Transaction) throws {
        // Posted: nothing depends on how many there were, and a server would be waited for twice.
        try transaction.post("DELETE FROM typed_codes WHERE expires < ?", time)
        try transaction.post("DELETE FROM redemptions WHERE time < ?", time)
    }

    private static func redemption(
        by attempt: OperationID, of code: ChargeID, _ content: [UInt8], in transaction: Transaction
    ) throws -> Redemption {
        let known = try transaction.first("SELECT code, content FROM redemptions WHERE attempt = ?", attempt) { row in
            (code: try row[0] as ChargeID, content: try row[1] as [UInt8]?)
        }
        guard let known else { return .first }
        guard known.code == code else { return .ofAnotherCode }
        return known.content ?? content == content ? .again : .ofOtherContent
    }
}

import Contracts
import Primitives
import Storage

// Pay codes that can be typed, and the attempts to redeem codes.

extension SQLChargeStore {
    package func keep(
        _ code: PayCode, typedAs digest: [UInt8], forgotten: Timestamp
    ) async throws(Fault) -> Bool {
        try await store.write { transaction in
            try transaction.run("DELETE FROM typed_codes WHERE expires < ?", forgotten)
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
        _ code: ChargeID, by attempt: OperationID, content: [UInt8], at time: Timestamp, forgotten: Timestamp
    ) async throws(Fault) -> Redemption {
        try await store.write { [charges] transaction in
            let known = try Self.redemption(by: attempt, of: code, content, in: transaction)
            // A code that has paid is redeemed no more: nothing is recorded.
            guard known == .first, try charges.find(code)?.charge.state != .captured else { return known }
            try transaction.run(
                "INSERT INTO redemptions (attempt, code, time, content) VALUES (?, ?, ?, ?)", attempt, code, time,
                content)
            try transaction.run("DELETE FROM redemptions WHERE time < ?", forgotten)
            return .first
        }
    }

    package func redemption(
        by attempt: OperationID, of code: ChargeID, content: [UInt8]
    ) async throws(Fault) -> Redemption {
        try await store.read { try Self.redemption(by: attempt, of: code, content, in: $0) }
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

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
        _ code: ChargeID, by attempt: OperationID, at time: Timestamp, forgotten: Timestamp
    ) async throws(Fault) -> Redemption {
        try await store.write { [charges] transaction in
            if try charges.find(code)?.charge.state == .captured {
                // Nothing is redeemed any more, so nothing is recorded.
                return try Self.code(redeemedBy: attempt, in: transaction) == code ? .again : .first
            }
            let added = try transaction.run(
                "INSERT INTO redemptions (attempt, code, time) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", attempt, code,
                time)
            guard added > 0 else {
                return try Self.code(redeemedBy: attempt, in: transaction) == code ? .again : .ofAnotherCode
            }
            try transaction.run("DELETE FROM redemptions WHERE time < ?", forgotten)
            return .first
        }
    }

    package func code(redeemedBy attempt: OperationID) async throws(Fault) -> ChargeID? {
        try await store.read { try Self.code(redeemedBy: attempt, in: $0) }
    }

    private static func code(redeemedBy attempt: OperationID, in transaction: Transaction) throws -> ChargeID? {
        try transaction.value("SELECT code FROM redemptions WHERE attempt = ?", attempt)
    }
}

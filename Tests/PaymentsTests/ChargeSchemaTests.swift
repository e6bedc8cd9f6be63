import Bus
import Contracts
import GRDB
import PaymentsService
import Primitives
import TestKit
import Testing

/// The second guard: what the schema refuses by itself, whatever the code above it let pass.
@Suite("charge schema")
struct ChargeSchemaTests {
    @Test(
        "illegal states are refused",
        arguments: [
            // Decided exactly when it is no longer requested.
            "UPDATE charges SET state = 2 WHERE state = 0",
            "UPDATE charges SET decided = 1 WHERE state = 0",
            "UPDATE charges SET decided = NULL WHERE state = 1",
            "UPDATE charges SET state = 0 WHERE state = 1",
            // Captured exactly when the wallet has an entry.
            "UPDATE charges SET state = 1, decided = 1 WHERE state = 0",
            "UPDATE charges SET entry = NULL WHERE state = 1",
            "UPDATE charges SET card = NULL WHERE state = 1",
            "UPDATE charges SET card_balance = NULL WHERE state = 1",
            "UPDATE charges SET state = 2 WHERE state = 1",
            // A request ends some time.
            "UPDATE charges SET expires = NULL WHERE state = 0",
            "UPDATE charges SET state = 5, decided = 1 WHERE state = 0",
            "UPDATE charges SET state = -1, decided = 1 WHERE state = 0",
            "UPDATE charges SET amount = 0",
            "UPDATE charges SET amount = 'much'",
            "UPDATE charges SET refunded = amount + 1 WHERE state = 1",
            "UPDATE charges SET refunded = -1 WHERE state = 1",
            "UPDATE charges SET currency = 'US'",
            "UPDATE charges SET id = x'00'",
            "UPDATE charges SET merchant = x'00'",
            "UPDATE charges SET customer = NULL",
            "UPDATE charges SET card = x'00' WHERE state = 1",
            "INSERT INTO charge_rows SELECT id, 9 FROM charges UNION ALL SELECT id, 10 FROM charges",
            "INSERT INTO charge_rows VALUES (x'00', 9)",
            "UPDATE charge_rows_follow SET through = -1",
            "UPDATE charges SET customer_before = -1",
            "UPDATE charges SET merchant_before = NULL",
            "INSERT INTO newest_charges VALUES (x'00', 1)",
            "UPDATE newest_charges_follow SET through = -1",
            "INSERT INTO former_parties SELECT row, merchant, -1 FROM charges",
            "INSERT INTO former_parties SELECT row, x'00', 0 FROM charges",
            "INSERT INTO former_parties SELECT 1, merchant, 0 FROM charges",
            "UPDATE cursors SET sequence = -1",
            "INSERT INTO facts SELECT * FROM facts",
            "INSERT INTO disabled (customer) VALUES (x'00')"
        ])
    func refused(sql: String) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("payments.sqlite")
        do {
            let store = try SQLChargeStore(.file(path))
            _ = try await store.request(
                .sample(.test(1)), causedBy: AskContext(deadline: PaymentsHarness.start))
            try await store.apply([.published(Wallet.PaymentPosted.sample(.test(2)), 1)])
        }
        let file = try DatabaseQueue(waitingFor: path)
        let error = await #expect(throws: DatabaseError.self) { try await file.write { try $0.execute(sql: sql) } }
        #expect(error?.resultCode == .SQLITE_CONSTRAINT)
    }
}

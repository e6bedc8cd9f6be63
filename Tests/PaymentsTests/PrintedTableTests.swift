import Bus
import Contracts
import PaymentsService
import Primitives
import Testing
import Wire

@Suite("the table customerTransactions (A30)")
struct PrintedTableTests {
    @Test("001-110 … 001-116: the printed columns in the printed order, a row for each charge, with its cents (A34)")
    func rows() async throws {
        let store = try SQLChargeStore()
        let context = AskContext(deadline: PaymentsHarness.start)
        for number in 1...UInt64(3) { _ = try await store.request(.sample(.test(number)), causedBy: context) }
        try await store.apply([
            .published(Wallet.PaymentPosted.sample(.test(1), amountMinor: 150), 1),
            .published(
                Wallet.PaymentClosed(payment: .test(2), reason: .declined, time: PaymentsHarness.start + .seconds(2)), 2
            )
        ])
        let page = try await store.store.table(.customerTransactions, after: 0, limit: 2)
        #expect(page.next == 2)
        let rest = try await store.store.table(.customerTransactions, after: 2, limit: 2)
        let rows = try (page.rows + rest.rows).map { row in
            try JSONValue(parsing: row.bytes).text
        }
        func row(_ index: Int, _ time: String, _ paid: Int, _ cancelled: Int) -> String {
            #"{"merchant":"\#(PartyID.shop)","productIndex":\#(index),"purchaseTime":"\#(time)","customer":"\#(PartyID.alice)","#
                + #""cost":"1.50","paid":\#(paid),"cancelled":\#(cancelled)}"#
        }
        // 1,795,000,000 s after 1970.
        #expect(
            rows == [
                row(1, "2026-11-18 11:06:41", 1, 0), row(2, "2026-11-18 11:06:42", 0, 1),
                row(3, "2026-11-18 11:06:40", 0, 0)
            ])
        #expect(
            try await store.store.table(.customerTransactions, after: 3, limit: 2) == TablePage(rows: [], next: nil))
    }
}

import AuthService
import Bus
import Contracts
import Primitives
import Testing
import Wire

@Suite("the tables Customers and Merchants (A30)")
struct PrintedTableTests {
    private func columns(_ row: RawJSON) throws -> [String: JSONValue] {
        guard case .object(let members) = try JSONValue(parsing: row.bytes) else { return [:] }
        return Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
    }

    private func names(_ row: RawJSON) throws -> [String] {
        guard case .object(let members) = try JSONValue(parsing: row.bytes) else { return [] }
        return members.map(\.key)
    }

    @Test("001-93 … 001-107: the printed columns in the printed order; no hash of a password leaves")
    func rows() async throws {
        let auth = try AuthHarness()
        try await auth.register()
        try await auth.register(.bob, .merchant, username: "bob")
        let customers = try await auth.store.table(.customers, after: 0, limit: 10)
        #expect(customers.rows.count == 1 && customers.next == nil)
        #expect(
            try names(customers.rows[0]) == [
                "userName", "pwd", "customerName", "gender", "student", "currentLat", "currentLon", "birthday",
                "timestamp", "charged", "email"
            ])
        let alice = try columns(customers.rows[0])
        #expect((alice["userName"], alice["pwd"], alice["charged"]) == (.string("alice"), .null, .integer(0)))
        let merchants = try await auth.store.table(.merchants, after: 0, limit: 10)
        #expect(try merchants.rows.map(names) == [["userName", "pwd", "merchantName", "businessName"]])
        #expect(try columns(merchants.rows[0])["userName"] == .string("bob"))
    }
}

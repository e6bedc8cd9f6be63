import Contracts
import GatewayService
import Primitives
import Testing
import Wire

@Suite("document 001's tables (A30)")
struct TableRouteTests {
    private let harness = GatewayHarness()

    @Test("rows come with usernames where auth knows them")
    func names() async throws {
        let answer = try await harness.send(
            "GET", "/v1/tables?name=customerTransactions&offset=0&limit=10", as: "administrator")
        #expect(answer.status == 200)
        let unknown = "0" + String(repeating: "1", count: 31)
        #expect(
            answer.text
                == #"{"table":"customerTransactions","rows":[{"merchant":"shop","productIndex":7,"customer":"\#(unknown)","paid":1}],"next":1}"#
        )
        let asked = try #require(harness.services.asked(ReadTable<Payments>.self).first)
        #expect(asked == ReadTable(table: .customerTransactions, after: 0, limit: 10))
    }

    @Test("of no other name, and of each table from the service that keeps it")
    func table() async throws {
        for query in ["", "?name=customers", "?name=nosuch", "?name=Customers&offset=-1", "?name=Customers&limit=101"] {
            #expect(try await harness.send("GET", "/v1/tables" + query, as: "administrator").code == "bus.malformed")
        }
        #expect(try await harness.send("GET", "/v1/tables?name=Customers", as: "administrator").status == 200)
        #expect(harness.services.asked(ReadTable<Auth>.self).map(\.table) == [.customers])
    }

    @Test("are the administrator's", arguments: ["customer-pin", "merchant-pin"])
    func roles(token: String) async throws {
        #expect(try await harness.send("GET", "/v1/tables?name=Customers", as: token).status == 403)
    }
}

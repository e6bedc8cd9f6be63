import GatewayService
import HTTPTypes
import Testing

@Suite("the tiles under maps")
struct MapTilesTests {
    private let page = Array("<p>".utf8)

    @Test(
        "are at an address of http or https with the three numbers",
        arguments: [
            "https://tiles.example.com/{z}/{x}/{y}.png", "http://127.0.0.1:8080/{z}/{y}/{x}",
            "https://tiles.example.com/t?z={z}&x={x}&y={y}&key=a;b"
        ])
    func addresses(address: String) { #expect(MapTiles(address, credit: "") != nil) }

    @Test(
        "are nowhere else",
        arguments: [
            "", "{z}{x}{y}", "/{z}/{x}/{y}.png", "ftp://tiles.example.com/{z}/{x}/{y}",
            "https://tiles.example.com/{z}/{x}", "https://{z}.example.com/{x}/{y}", "http://[::1]/{z}/{y}/{x}",
            "https://me:secret@tiles.example.com/{z}/{x}/{y}", "https://{s}.example.com/{z}/{x}/{y}",
            "https://a.example.com;script-src/{z}/{x}/{y}", "https://tiles.example.com/{z}/{x}/{y}{r}.png"
        ])
    func noAddresses(address: String) { #expect(MapTiles(address, credit: "") == nil) }

    @Test("are named to the pages, whose policy lets pictures come from there and from nowhere else")
    func policy() async throws {
        let tiles = try #require(MapTiles("https://tiles.example.com:8443/{z}/{x}/{y}.png", credit: "© \"Town\""))
        let pages = Pages(["ops/index.html": page, "till/index.html": page], tiles: tiles)
        let harness = GatewayHarness(pages: pages)
        let named = try await harness.send("GET", "/pages/leaflet/tiles.json")
        #expect(named.json == ["address": "https://tiles.example.com:8443/{z}/{x}/{y}.png", "credit": "© \"Town\""])
        let till = try await harness.send("GET", "/till").headers
        let policy = try #require(till[.contentSecurityPolicy])
        #expect(policy.contains("; img-src 'self' data: https://tiles.example.com:8443; connect-src 'self';"))
        #expect(till[.referrerPolicy] == "strict-origin")
        // A page without maps has none.
        let ops = try await harness.send("GET", "/ops").headers
        #expect(ops[.contentSecurityPolicy]?.contains("; img-src 'self' data:; connect-src 'self';") == true)
        #expect(ops[.referrerPolicy] == "no-referrer")
    }

    @Test("are missing where nobody has named a server")
    func none() async throws {
        let harness = GatewayHarness(pages: Pages(["till/index.html": page]))
        #expect(try await harness.send("GET", "/pages/leaflet/tiles.json").text == "{}")
        let policy = try await harness.send("GET", "/till").headers[.contentSecurityPolicy]
        #expect(policy?.contains("; img-src 'self' data:; connect-src 'self';") == true)
    }
}

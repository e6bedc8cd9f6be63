import GatewayService
import NIOHTTP1
import Testing

@Suite("places for connections")
struct ConnectionTableTests {
    private static let second: UInt64 = 1_000_000_000
    private let ada = IPAddress("192.0.2.1")
    private let bob = IPAddress("192.0.2.2")

    /// Who has to close for another one; nil where that is refused.
    private func closing(
        _ table: inout ConnectionTable, for use: ConnectionUse, of client: IPAddress?, at now: UInt64
    ) -> [ObjectIdentifier]? {
        switch table.admit(use, of: client, at: now) {
        case .admitted(let closing): closing.map(ObjectIdentifier.init)
        case .refused: nil
        }
    }

    @Test("first who says nothing, then who is idle, then who has just come; of each the longest; never who is busy")
    func order() {
        var table = ConnectionTable(countMax: 7, perClientMax: 7)
        let now = 100 * Self.second
        func made(_ phase: ConnectionUse.Phase?, _ seconds: UInt64) -> ConnectionUse {
            let use = ConnectionUse(since: now - seconds * Self.second)
            if let phase { use.set(phase, at: now - seconds * Self.second) }
            return use
        }
        let (busy, young, idle, idler, silent, reading, moreSilent) = (
            made(.busy, 90), ConnectionUse(since: now - Self.second / 2), made(.idle, 20), made(.idle, 50),
            made(nil, 2),
            made(.waiting, 3), made(nil, 5)
        )
        for use in [busy, young, idle, idler, silent, reading, moreSilent] {
            #expect(closing(&table, for: use, of: ada, at: now) == [])
        }
        for expected in [moreSilent, reading, silent, idler, idle] {
            let newcomer = made(.busy, 0)
            #expect(closing(&table, for: newcomer, of: bob, at: now) == [ObjectIdentifier(expected)])
            table.closed(expected)
        }
        #expect(closing(&table, for: made(.busy, 0), of: bob, at: now) == [ObjectIdentifier(young)])
        table.closed(young)
        #expect(closing(&table, for: made(nil, 0), of: bob, at: now) == nil)
        #expect(table.count == 7)
        busy.set(.idle, at: now)
        #expect(closing(&table, for: made(nil, 0), of: bob, at: now) == [ObjectIdentifier(busy)])
    }

    @Test("an address that has its share makes room by itself; shared addresses have none")
    func share() {
        var table = ConnectionTable(countMax: 10, perClientMax: 2)
        let uses = (0..<4).map { ConnectionUse(since: UInt64($0) * Self.second) }
        let now = 10 * Self.second
        #expect(closing(&table, for: uses[0], of: bob, at: now) == [])
        #expect(closing(&table, for: uses[1], of: ada, at: now) == [])
        #expect(closing(&table, for: uses[2], of: ada, at: now) == [])
        #expect(closing(&table, for: uses[3], of: ada, at: now) == [ObjectIdentifier(uses[1])])
        for _ in 0..<6 { #expect(closing(&table, for: ConnectionUse(since: now), of: nil, at: now) == []) }
        // One that was told to go and is busy by then counts again.
        table.stays(uses[1])
        for use in uses { use.set(.busy, at: now) }
        #expect(closing(&table, for: ConnectionUse(since: now), of: ada, at: now) == nil)
        table.closed(uses[1])
        table.closed(uses[2])
        #expect(closing(&table, for: ConnectionUse(since: now), of: ada, at: now) == [])
    }

    @Test("a flood of new connections takes its own places, not those of clients between two requests")
    func flood() {
        var table = ConnectionTable(countMax: 16, perClientMax: 16)
        let idle = ConnectionUse(since: 0)
        idle.set(.idle, at: 0)
        #expect(closing(&table, for: idle, of: bob, at: 0) == [])
        let flood = (1...100).map { ConnectionUse(since: UInt64($0)) }
        for (index, use) in flood.enumerated() {
            let gone = closing(&table, for: use, of: ada, at: 200)
            #expect(gone == (index < 15 ? [] : [ObjectIdentifier(flood[index - 15])]))
            if index >= 15 { table.closed(flood[index - 15]) }
        }
    }

    @Test("a flood is not searched for one by one")
    func batches() {
        var table = ConnectionTable(countMax: 4096, perClientMax: 4096)
        for index in 0..<4096 {
            #expect(closing(&table, for: ConnectionUse(since: UInt64(index)), of: ada, at: 0) == [])
        }
        let gone = closing(&table, for: ConnectionUse(since: 5000), of: bob, at: 10 * Self.second)
        #expect(gone?.count == 64)
        for index in 0..<63 {
            #expect(closing(&table, for: ConnectionUse(since: UInt64(6000 + index)), of: bob, at: 0) == [])
        }
    }

    @Test(
        "addresses are read as they are written",
        arguments: [
            ("192.0.2.1", "192.0.2.0/24", true), ("192.0.3.1", "192.0.2.0/24", false),
            ("::ffff:192.0.2.1", "192.0.2.1", true),
            ("10.255.0.1", "10.0.0.0/8", true), ("2001:db8::1", "2001:db8::/32", true),
            ("2001:db9::1", "2001:db8::/32", false),
            ("2001:db8::1", "2001:db8::1", true), ("2001:db8::2", "2001:db8::1", false), ("1.2.3.4", "0.0.0.0/0", true),
            ("::1", "0.0.0.0/0", false), ("fd00:1:2:3:4::", "fd00:1:2:3:4::/80", true),
            ("fd00:1:2:3:5::", "fd00:1:2:3:4::/80", false)
        ])
    func ranges(_ address: String, _ range: String, isWithin: Bool) throws {
        #expect(try #require(IPAddress.Range(range)).contains(try #require(IPAddress(address))) == isWithin)
    }

    @Test(
        "what is no range is none",
        arguments: ["", "x", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/", "10.0.0.0/-1"])
    func noRanges(_ text: String) { #expect(IPAddress.Range(text) == nil) }

    @Test("this machine is what loopback is")
    func loopback() {
        for (address, isLoopback) in [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false),
            ("::2", false), ("::7f00:1", false)
        ] { #expect(IPAddress(address)?.isLoopback == isLoopback) }
    }

    @Test("the last address that is no trusted proxy's is the client's, and only of a trusted proxy's word")
    func proxies() throws {
        let range = try #require(IPAddress.Range("10.0.0.0/8"))
        let proxies = TrustedProxies([range])
        func client(_ peer: String, _ lines: String..., of proxies: TrustedProxies) -> IPAddress? {
            let name = lines.first?.contains("=") == true ? "Forwarded" : "X-Forwarded-For"
            return IPAddress(peer).map { proxies.client(of: $0, HTTPHeaders(lines.map { (name, $0) })) }
        }
        #expect(client("10.0.0.1", "198.51.100.1", of: proxies) == IPAddress("198.51.100.1"))
        #expect(client("10.0.0.1", "1.1.1.1, 198.51.100.1, 10.0.0.2", of: proxies) == IPAddress("198.51.100.1"))
        #expect(client("10.0.0.1", "1.1.1.1", "198.51.100.1", of: proxies) == IPAddress("198.51.100.1"))
        #expect(client("10.0.0.1", "198.51.100.1:4711", of: proxies) == IPAddress("198.51.100.1"))
        #expect(client("10.0.0.1", "[2001:db8::1]:4711", of: proxies) == IPAddress("2001:db8::1"))
        #expect(client("10.0.0.1", "1.1.1.1, unknown", of: proxies) == IPAddress("10.0.0.1"))
        #expect(client("10.0.0.1", of: proxies) == IPAddress("10.0.0.1"))
        #expect(client("10.0.0.1", "10.0.0.3, 10.0.0.2", of: proxies) == IPAddress("10.0.0.3"))
        // A client's text and the comma that a proxy writes behind it may be one character.
        #expect(client("10.0.0.1", "6.6.6.6:\u{600}, 198.51.100.1", of: proxies) == IPAddress("198.51.100.1"))
        #expect(client("10.0.0.1", "6.6.6.6:\u{600},198.51.100.1", of: proxies) == IPAddress("198.51.100.1"))
        #expect(client("10.0.0.1", "6.6.6.6, \u{301}198.51.100.1", of: proxies) == IPAddress("10.0.0.1"))
        // Nobody else is believed, and no field that the proxies do not write.
        #expect(client("192.0.2.1", "198.51.100.1", of: proxies) == IPAddress("192.0.2.1"))
        #expect(client("10.0.0.1", "for=198.51.100.1", of: proxies) == IPAddress("10.0.0.1"))
        let others = TrustedProxies([range], field: .forwarded)
        #expect(
            client("10.0.0.1", "for=1.1.1.1, for=198.51.100.1;proto=https", of: others) == IPAddress("198.51.100.1"))
        #expect(client("10.0.0.1", "proto=https; For=\"[2001:db8::1]:4711\"", of: others) == IPAddress("2001:db8::1"))
        #expect(client("10.0.0.1", "198.51.100.1", of: others) == IPAddress("10.0.0.1"))
    }
}

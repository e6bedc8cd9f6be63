import Bus
import Contracts
import Primitives
import TestKit
import Testing

@Suite("accounts by id")
struct AccountDirectoryTests {
    private let nobody = PartyID(high: 1, low: 2)

    @Test("for its name, an account that auth does not have is asked for again only after a while")
    func missing() async throws {
        let clock = ManualClock()
        let transport = MemoryTransport { _, _ in .refused(.partyNotFound) }
        let accounts = AccountDirectory(
            asking: Bus(name: "tests", transport: transport, clock: clock.wall), clock: clock.wall)
        for _ in 0..<3 { #expect(await accounts.found([nobody, nobody], within: .seconds(1)).isEmpty) }
        #expect(transport.asked.count == 1)
        clock.advance(AccountDirectory.missingMax)
        #expect(await accounts.found([nobody], within: .seconds(1)).isEmpty)
        #expect(transport.asked.count == 2)
        // A caller that needs more than a name gets what auth says now.
        let context = AskContext(deadline: clock.now + .seconds(1))
        #expect(try await accounts.account(nobody, in: context) == nil)
        #expect(transport.asked.count == 3)
        accounts.forget(nobody)
        #expect(await accounts.found([nobody], within: .seconds(1)).isEmpty)
        #expect(transport.asked.count == 4)
    }

    @Test("where auth is not there, it is asked for one of many names")
    func away() async {
        let clock = ManualClock()
        let transport = MemoryTransport { _, _ in .refused(.deadlineExceeded) }
        let accounts = AccountDirectory(
            asking: Bus(name: "tests", transport: transport, clock: clock.wall), clock: clock.wall)
        #expect(await accounts.found([nobody, PartyID(high: 1, low: 3)], within: .seconds(1)).isEmpty)
        #expect(transport.asked.count == 1)
    }

    @Test("for a list, a merchant who is not approved is asked for again after some seconds, or when that was decided")
    func listed() async throws {
        let clock = ManualClock()
        let pending = Auth.AccountView(
            account: nobody, role: .merchant, username: "shop", name: "Shop", status: .pending)
        let transport = MemoryTransport { _, _ in
            .envelope(Envelope(id: "1", source: "auth", type: Auth.ReadAccount.type.reply, data: pending.json).json)
        }
        let accounts = AccountDirectory(
            asking: Bus(name: "tests", transport: transport, clock: clock.wall), clock: clock.wall)
        func shown() async throws -> [PartyID] {
            let context = AskContext(deadline: clock.now + .seconds(1))
            return try await accounts.shown(skip: 0, limit: 10, in: context, of: { $0 }, from: { _, _ in [nobody] })
                .items
        }
        for _ in 0..<3 { #expect(try await shown().isEmpty) }
        #expect(transport.asked.count == 1)
        clock.advance(.seconds(5))
        for _ in 0..<3 { #expect(try await shown().isEmpty) }
        #expect(transport.asked.count == 2)
        accounts.forget(nobody)
        #expect(try await shown().isEmpty)
        #expect(transport.asked.count == 3)
    }
}

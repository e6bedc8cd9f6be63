import Bus
import Contracts
import NotificationsService
import Primitives
import TestKit
import Testing

@Suite("what the owner of a web hook sees")
struct OwnDeliveryTests {
    private static let address = "https://shop.example.com/hook"

    private func test(
        _ number: UInt64, of account: PartyID = .shop, at endpoint: UInt64 = 1, _ house: NoticesHarness
    ) async throws(Fault) -> Notifications.TestEndpoint.Reply {
        try await TestEndpointHandler(house.service).admit(
            .init(delivery: .test(number), account: account, endpoint: .test(endpoint)),
            in: house.context(Actor(role: .merchant, party: account)))
    }

    private func deliveries(
        of account: PartyID = .shop, to endpoint: UInt64 = 1, before: Int64? = nil, limit: Int = 10,
        _ house: NoticesHarness
    ) async throws(Fault) -> Notifications.ReadDeliveries.Reply {
        try await ReadDeliveriesHandler(house.service).admit(
            .init(account: account, endpoint: .test(endpoint), before: before, limit: limit),
            in: house.context(Actor(role: .merchant, party: account)))
    }

    @Test("a test is sent once for a key, and says what came of it")
    func tested() async throws {
        let house = try await NoticesHarness()
        try await house.add(4, Self.address, of: .shop, as: .test(1))
        try await house.carrying { () async throws in
            let first = try await test(7, house)
            #expect((first.delivery.state, first.delivery.attempts, first.replayed) == (.delivered, 1, false))
            #expect(try await test(7, house).replayed)
            #expect(await refusal { () throws(Fault) in try await test(7, at: 2, house) } == .noticeIDReused)
        }
        #expect(house.provider.sent.map(\.title) == ["notifications.endpoint.tested.v1"])
        #expect(house.provider.sent[0].text.contains(PartyID.shop.hex))
    }

    @Test("what fails is said with its reason, and listed, newest first, page by page")
    func listed() async throws {
        let house = try await NoticesHarness()
        house.provider.answer(.refused("HTTP 400"))
        try await house.add(4, Self.address, of: .shop, as: .test(1))
        try await house.carrying { () async throws in
            for number in [7, 8, 9] as [UInt64] {
                let tried = try await test(number, house).delivery
                #expect(tried.state == .dead && tried.reason == "HTTP 400" && tried.attempts == 1)
            }
        }
        let page = try await deliveries(limit: 2, house)
        #expect(page.deliveries.map(\.delivery) == [.test(9), .test(8)])
        let rest = try await deliveries(before: page.next, house)
        #expect(rest.deliveries.map(\.delivery) == [.test(7)] && rest.next == nil)
    }

    @Test("nobody sees or tests what is another's, no web hook, or not there")
    func strangers() async throws {
        let house = try await NoticesHarness()
        try await house.add(4, Self.address, of: .shop, as: .test(1))
        try await house.add(1, "phone", of: .shop, as: .test(2))
        for (account, endpoint) in [(PartyID.bakery, UInt64(1)), (.shop, 3)] {
            #expect(
                await refusal { () throws(Fault) in try await test(7, of: account, at: endpoint, house) }
                    == .endpointNotFound)
            #expect(
                await refusal { () throws(Fault) in try await deliveries(of: account, to: endpoint, house) }
                    == .endpointNotFound)
        }
        #expect(await refusal { () throws(Fault) in try await test(7, at: 2, house) } == .endpointNotFound)
        #expect(try await deliveries(to: 2, house).deliveries.isEmpty)
    }
}

import Bus
import Contracts
import NotificationsService
import Primitives
import TestKit
import Testing

@Suite("what is remembered of those who are told")
struct RecipientsTests {
    enum Change: CaseIterable {
        case off, muted, quiet, offersQuiet, removed, movedToAnother, recovered, goneAtItsProvider
    }

    /// Alice's phone gets a push of the first request; `change` comes before the second.
    @Test("each change counts for the next notice", arguments: Change.allCases)
    func changes(change: Change) async throws {
        let house = try await NoticesHarness()
        try await house.add(1, "phone", of: .alice, as: .test(1))
        try await house.consume([.requested(1)])
        let first = try #require(try await house.queued().first)
        #expect(first.due == house.clock.now)
        let minute = house.clock.now.milliseconds / 60_000 % 1440
        switch change {
        case .off: try await house.set(.alice, enabled: false)
        case .muted: try await house.set(.alice, muted: [.request])
        case .quiet: try await house.set(.alice, quiet: .init(from: minute, until: (minute + 60) % 1440, offset: 0))
        case .offersQuiet:
            let quiet = Offers.QuietHoursMoved(customer: .alice, from: minute, until: (minute + 60) % 1440, offset: 0)
            try await house.consume([.published(quiet, 1)])
        case .removed:
            _ = try await RemoveEndpointHandler(house.service).admit(
                .init(account: .alice, endpoint: .test(1)), in: house.context())
        case .movedToAnother: try await house.add(1, "phone", of: .carol, as: .test(2))
        case .recovered:
            let changed = Auth.CredentialChanged(
                account: .alice, credential: .resetPassword, time: house.clock.now)
            try await house.consume([.published(changed, 1)])
        case .goneAtItsProvider:
            try await house.store.settle(first.id, .gone(reason: "unregistered"), at: house.clock.now)
        }
        let before = Set(try await house.queued().map(\.id))
        try await house.consume([.requested(2)])
        #expect(Set(try await house.queued().map(\.id)).subtracting(before).isEmpty)
        #expect(try await house.inbox(.alice).notices.contains { $0.kind == .request && $0.number > 1 })
    }

    @Test("a phone that is registered, and notifications that are on again, count for the next notice")
    func begins() async throws {
        let house = try await NoticesHarness()
        try await house.consume([.requested(1)])
        #expect(try await house.queued().isEmpty)
        try await house.add(1, "phone", of: .alice, as: .test(1))
        try await house.set(.alice, enabled: false)
        try await house.consume([.requested(2)])
        #expect(try await house.queued().isEmpty)
        try await house.set(.alice)
        try await house.consume([.requested(3)])
        #expect(try await house.queued().count == 1)
    }

    @Test("what a change had written that failed counts for nothing")
    func failed() async throws {
        let house = try await NoticesHarness()
        try await house.add(1, "phone", of: .alice, as: .test(1))
        let minute = house.clock.now.milliseconds / 60_000 % 1440
        let quiet = Offers.QuietHoursMoved(customer: .alice, from: minute, until: (minute + 60) % 1440, offset: 0)
        let offers = (2...500).map { sequence in
            Envelope.published(
                Offers.OfferSent(
                    offer: .test(UInt64(sequence)), kind: .ad, merchant: .shop, merchantName: "The Shop",
                    customer: .alice, title: "Half price", content: "All coffee", occasion: .entered, place: nil,
                    expires: NoticesHarness.start + .seconds(86_400), time: NoticesHarness.start), sequence)
        }
        try await house.store.change { transaction in
            let pages: Int64? = try transaction.value("PRAGMA page_count")
            try transaction.script("PRAGMA max_page_count = \(pages ?? 0)")
        }
        // The hours are written and read again before there is no room for the notices.
        #expect(
            await refusal { () throws(Fault) in try await house.consume([.published(quiet, 1)] + offers) }
                == .unavailable)
        try await house.store.change { try $0.script("PRAGMA max_page_count = 1000000") }
        try await house.consume([.requested(1)])
        #expect(try await house.queued().map(\.due) == [house.clock.now])
    }

    @Test("a merchant's web hook is told of payments since it is registered, until it is removed")
    func hooks() async throws {
        let house = try await NoticesHarness()
        try await house.consume([.captured(1)])
        #expect(try await house.queued().isEmpty)
        try await house.add(4, "https://shop.example/hook", of: .shop, as: .test(1))
        try await house.consume([.captured(2)])
        #expect(try await house.queued().count == 1)
        _ = try await RemoveEndpointHandler(house.service).admit(
            .init(account: .shop, endpoint: .test(1)), in: house.context())
        try await house.consume([.captured(3)])
        #expect(try await house.queued().isEmpty)
    }
}

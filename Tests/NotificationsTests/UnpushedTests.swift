import Contracts
import NotificationsService
import Primitives
import Testing

@Suite("a request for money that cannot be pushed")
struct UnpushedTests {
    private func title(_ house: NoticesHarness) async throws -> String? {
        try await house.inbox(.shop).notices.first?.title
    }

    @Test("tells the merchant at once, and why in one word (A94)", arguments: ["off", "muted", "quiet", "unregistered"])
    func reasons(reason: String) async throws {
        let house = try await NoticesHarness()
        if reason != "unregistered" { try await house.add(1, "android", of: .alice, as: .test(1)) }
        let minute = house.clock.now.milliseconds / 60_000 % 1440
        switch reason {
        case "off": try await house.set(.alice, enabled: false)
        case "muted": try await house.set(.alice, muted: [.request])
        case "quiet":
            try await house.set(.alice, quiet: .init(from: minute, until: (minute + 60) % 1440, offset: 0))
        default: break
        }
        try await house.consume([.requested(1)])
        #expect(try await title(house) == "The customer was not notified: \(reason)")
        #expect(try await house.queued().isEmpty)
        // The request waits in the inbox all the same.
        #expect(try await house.inbox(.alice).notices.map(\.kind) == [.request])
    }

    @Test("and one that is pushed is no news to the merchant")
    func pushed() async throws {
        let house = try await NoticesHarness()
        try await house.add(1, "android", of: .alice, as: .test(1))
        try await house.consume([.requested(1)])
        #expect(try await house.inbox(.shop).notices.isEmpty)
        #expect(try await house.queued().count == 1)
    }

    @Test("a push that waits is taken back when its request is paid or closed (A94)")
    func takenBack() async throws {
        let house = try await NoticesHarness()
        try await house.add(1, "android", of: .alice, as: .test(1))
        try await house.consume([.requested(1), .requested(2)])
        #expect(try await house.queued().count == 2)
        try await house.consume([
            .published(
                Payments.ChargeClosed(
                    charge: .test(1), merchant: .shop, customer: .alice, amount: Money(420), reason: .declined,
                    time: NoticesHarness.start), 3)
        ])
        #expect(try await house.queued().count == 1)
    }
}

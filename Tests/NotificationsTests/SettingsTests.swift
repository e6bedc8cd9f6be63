import Contracts
import NotificationsService
import Primitives
import TestKit
import Testing

@Suite("settings")
struct SettingsTests {
    /// 2026-11-21T00:00:00Z.
    private static let midnight: Int64 = 1_795_219_200_000

    private func at(_ hour: Int64, _ minute: Int64 = 0) -> Timestamp {
        Timestamp(milliseconds: Self.midnight + (hour * 60 + minute) * 60_000)
    }

    @Test("off stops all, muted kinds stop themselves, quiet hours put off (A69, A85)")
    func verdicts() {
        #expect(Settings().verdict(on: .offer, at: at(1)) == .now)
        #expect(Settings(enabled: false).verdict(on: .request, at: at(1)) == .never("notifications_off"))
        #expect(Settings(muted: [.offer]).verdict(on: .offer, at: at(1)) == .never("kind_muted"))
        #expect(Settings(muted: [.offer]).verdict(on: .request, at: at(1)) == .now)
        let quiet = QuietHours(from: 0, until: 120, by: .fixed(minutes: 0))
        #expect(Settings(quiet: quiet).verdict(on: .request, at: at(1)) == .later(at(2)))
    }

    private func read(_ house: NoticesHarness) async throws(Fault) -> Notifications.QuietHours? {
        try await ReadSettingsHandler(house.service).admit(.init(account: .alice), in: house.context()).quiet
    }

    @Test("quiet hours by a zone's name, or by an offset as before; a name that is none is refused (A99)")
    func zones() async throws {
        let house = try await NoticesHarness()
        try await house.set(.alice, quiet: .init(from: 1320, until: 420, offset: 0, zone: "America/Phoenix"))
        // The answer has the present offset too.
        #expect(try await read(house) == .init(from: 1320, until: 420, offset: -420, zone: "America/Phoenix"))
        try await house.set(.alice, quiet: .init(from: 1320, until: 420, offset: 90))
        #expect(try await read(house) == .init(from: 1320, until: 420, offset: 90))
        for zone in ["Mars/Olympus", "CET", "/etc/localtime"] {
            let code = await refusal { () throws(Fault) in
                try await house.set(.alice, quiet: .init(from: 1320, until: 420, offset: 0, zone: zone))
            }
            #expect(code == .quietHoursInvalid)
        }
        #expect(try await read(house) == .init(from: 1320, until: 420, offset: 90))
    }

    @Test("quiet hours that offers had are taken over, unless the customer has set others (A99)")
    func moved() async throws {
        let house = try await NoticesHarness()
        let moved = Offers.QuietHoursMoved(customer: .alice, from: 60, until: 120, offset: -420)
        try await house.consume([.published(moved, 1)])
        #expect(try await read(house) == .init(from: 60, until: 120, offset: -420))
        try await house.set(.alice, quiet: .init(from: 1320, until: 420, offset: 0, zone: "Europe/Berlin"))
        try await house.consume([.published(moved, 2)])
        #expect(try await read(house)?.zone == "Europe/Berlin")
        // The other settings stay.
        try await house.set(.alice, enabled: false, muted: [.refund])
        try await house.consume([.published(moved, 3)])
        let view = try await ReadSettingsHandler(house.service).admit(.init(account: .alice), in: house.context())
        #expect(!view.enabled && view.muted == [.refund] && view.quiet?.from == 60)
    }
}

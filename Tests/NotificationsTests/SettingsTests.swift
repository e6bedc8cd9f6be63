import Contracts
import NotificationsService
import Primitives
import Testing

@Suite("settings and quiet hours")
struct SettingsTests {
    /// 2026-11-21T00:00:00Z.
    private static let midnight: Int64 = 1_795_219_200_000

    private func at(_ hour: Int64, _ minute: Int64 = 0) -> Timestamp {
        Timestamp(milliseconds: Self.midnight + (hour * 60 + minute) * 60_000)
    }

    @Test("quiet hours over midnight: from is in them, until is not")
    func overMidnight() throws {
        let quiet = try #require(QuietTime(from: 22 * 60, until: 7 * 60, offset: 0))
        #expect(quiet.end(from: at(21, 59)) == nil)
        #expect(quiet.end(from: at(22)) == at(31))
        #expect(quiet.end(from: at(3, 30)) == at(7))
        #expect(quiet.end(from: at(7)) == nil)
        #expect(quiet.end(from: Timestamp(milliseconds: at(7).milliseconds - 1)) == at(7))
    }

    @Test("the offset is what local time is ahead")
    func offset() throws {
        // 22:00 in Flagstaff is 05:00 UTC of the next day.
        let quiet = try #require(QuietTime(from: 22 * 60, until: 7 * 60, offset: -420))
        #expect(quiet.end(from: at(4, 59)) == nil)
        #expect(quiet.end(from: at(5)) == at(14))
        let kiribati = try #require(QuietTime(from: 0, until: 60, offset: 840))
        #expect(kiribati.end(from: at(10)) == at(11))
    }

    @Test("no quiet hours of nothing, of other days, or in other worlds")
    func invalid() {
        #expect(QuietTime(from: 60, until: 60, offset: 0) == nil)
        #expect(QuietTime(from: -1, until: 60, offset: 0) == nil)
        #expect(QuietTime(from: 0, until: 1440, offset: 0) == nil)
        #expect(QuietTime(from: 0, until: 60, offset: 841) == nil)
    }

    @Test("off stops all, muted kinds stop themselves, quiet hours put off (A69, A85)")
    func verdicts() {
        #expect(Settings().verdict(on: .offer, at: at(1)) == .now)
        #expect(Settings(enabled: false).verdict(on: .request, at: at(1)) == .never("notifications_off"))
        #expect(Settings(muted: [.offer]).verdict(on: .offer, at: at(1)) == .never("kind_muted"))
        #expect(Settings(muted: [.offer]).verdict(on: .request, at: at(1)) == .now)
        let quiet = QuietTime(from: 0, until: 120, offset: 0)
        #expect(Settings(quiet: quiet).verdict(on: .request, at: at(1)) == .later(at(2)))
    }
}

import Contracts
import NotificationsService
import Primitives
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
        let quiet = QuietHours(from: 0, until: 120, utcOffsetMinutes: 0)
        #expect(Settings(quiet: quiet).verdict(on: .request, at: at(1)) == .later(at(2)))
    }
}

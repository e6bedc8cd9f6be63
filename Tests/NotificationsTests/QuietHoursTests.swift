import NotificationsService
import Primitives
import Testing

@Suite("quiet hours")
struct QuietHoursTests {
    /// 2026-11-21T00:00:00Z.
    private static let midnight: Int64 = 1_795_219_200_000

    private func at(_ hour: Int64, _ minute: Int64 = 0) -> Timestamp {
        Timestamp(milliseconds: Self.midnight + (hour * 60 + minute) * 60_000)
    }

    @Test("pass midnight: their first minute is in them, their last one is not")
    func overMidnight() {
        let quiet = QuietHours(from: 22 * 60, until: 7 * 60, by: .fixed(minutes: 0))
        #expect(quiet.end(from: at(21, 59)) == nil)
        #expect(quiet.end(from: at(22)) == at(31))
        #expect(quiet.end(from: at(3, 30)) == at(7))
        #expect(quiet.end(from: at(7)) == nil)
        #expect(quiet.end(from: Timestamp(milliseconds: at(7).milliseconds - 1)) == at(7))
    }

    @Test("are local: the offset is what local time is ahead of UTC")
    func offset() {
        // 22:00 in Flagstaff is 05:00 UTC of the next day.
        let quiet = QuietHours(from: 22 * 60, until: 7 * 60, by: .fixed(minutes: -420))
        #expect(quiet.end(from: at(4, 59)) == nil)
        #expect(quiet.end(from: at(5)) == at(14))
        let kiribati = QuietHours(from: 0, until: 60, by: .fixed(minutes: 840))
        #expect(kiribati.end(from: at(10)) == at(11))
    }

    @Test("last one minute, or the whole day where both minutes are the same")
    func lengths() {
        let minute = QuietHours(from: 480, until: 481, by: .fixed(minutes: 0))
        #expect(minute.contains(at(8)) && minute.contains(at(8) + .milliseconds(59_999)))
        #expect(!minute.contains(at(8, 1)) && !minute.contains(at(8) - .milliseconds(1)))
        let day = QuietHours(from: 5, until: 5, by: .fixed(minutes: 0))
        #expect(day.contains(at(8)) && day.end(from: at(8)) == at(24, 5))
    }

    @Test("before 1970 too")
    func early() {
        let quiet = QuietHours(from: 0, until: 1, by: .fixed(minutes: 0))
        #expect(quiet.contains(Timestamp(milliseconds: -86_400_000)))
        #expect(!quiet.contains(Timestamp(milliseconds: -60_000)))
    }

    private func berlin(_ from: Int, _ until: Int) throws -> QuietHours {
        QuietHours(from: from, until: until, by: .zone(try #require(ZoneName("Europe/Berlin"))))
    }

    private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: Array(text.utf8))) }

    @Test("by a zone's name they follow summer time (A99)")
    func summerTime() throws {
        let quiet = try berlin(22 * 60, 7 * 60)
        // CET, an hour ahead of UTC; CEST, two.
        #expect(quiet.end(from: try time("2026-01-15T20:59:59Z")) == nil)
        #expect(quiet.end(from: try time("2026-01-15T21:00:00Z")) == (try time("2026-01-16T06:00:00Z")))
        #expect(quiet.end(from: try time("2026-07-15T20:00:00Z")) == (try time("2026-07-16T05:00:00Z")))
        #expect(quiet.end(from: try time("2026-07-16T05:00:00Z")) == nil)
        // The nights in which the clocks are changed end at seven all the same.
        #expect(quiet.end(from: try time("2026-03-28T22:00:00Z")) == (try time("2026-03-29T05:00:00Z")))
        #expect(quiet.end(from: try time("2026-10-24T21:00:00Z")) == (try time("2026-10-25T06:00:00Z")))
    }

    @Test("an end that the clocks skip or show twice (A99)")
    func skipped() throws {
        // On 29 March it is 01:59, then 03:00.
        let spring = try berlin(22 * 60, 2 * 60 + 30)
        #expect(spring.end(from: try time("2026-03-29T00:00:00Z")) == (try time("2026-03-29T01:30:00Z")))
        // On 25 October it is 02:30 at 00:30 UTC, and again at 01:30.
        let autumn = try berlin(22 * 60, 2 * 60 + 30)
        #expect(autumn.end(from: try time("2026-10-24T23:00:00Z")) == (try time("2026-10-25T00:30:00Z")))
        #expect(autumn.end(from: try time("2026-10-25T00:45:00Z")) == nil)
        #expect(autumn.end(from: try time("2026-10-25T01:10:00Z")) == (try time("2026-10-25T01:30:00Z")))
    }

    @Test(
        "zones are named as IANA names them",
        arguments: [
            ("Europe/Berlin", true), ("America/Argentina/Buenos_Aires", true), ("UTC", true), ("Etc/UTC", true),
            ("Asia/Kolkata", true), ("America/Phoenix", true), ("EST", false), ("CET", false), ("", false),
            ("Mars/Olympus", false), ("Europe", false), ("/etc/passwd", false), ("../etc/passwd", false),
            ("Europe/../Europe/Berlin", false), ("europe/berlin ", false), ("GMT+1", false), ("+01:00", false)
        ])
    func names(name: String, isOne: Bool) { #expect((ZoneName(name) != nil) == isOne) }
}

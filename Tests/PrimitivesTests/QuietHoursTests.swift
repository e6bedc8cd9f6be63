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
        let quiet = QuietHours(from: 22 * 60, until: 7 * 60, utcOffsetMinutes: 0)
        #expect(quiet.end(from: at(21, 59)) == nil)
        #expect(quiet.end(from: at(22)) == at(31))
        #expect(quiet.end(from: at(3, 30)) == at(7))
        #expect(quiet.end(from: at(7)) == nil)
        #expect(quiet.end(from: Timestamp(milliseconds: at(7).milliseconds - 1)) == at(7))
    }

    @Test("are local: the offset is what local time is ahead of UTC")
    func offset() {
        // 22:00 in Flagstaff is 05:00 UTC of the next day.
        let quiet = QuietHours(from: 22 * 60, until: 7 * 60, utcOffsetMinutes: -420)
        #expect(quiet.end(from: at(4, 59)) == nil)
        #expect(quiet.end(from: at(5)) == at(14))
        let kiribati = QuietHours(from: 0, until: 60, utcOffsetMinutes: 840)
        #expect(kiribati.end(from: at(10)) == at(11))
    }

    @Test("last one minute, or the whole day where both minutes are the same")
    func lengths() {
        let minute = QuietHours(from: 480, until: 481, utcOffsetMinutes: 0)
        #expect(minute.contains(at(8)) && minute.contains(at(8) + .milliseconds(59_999)))
        #expect(!minute.contains(at(8, 1)) && !minute.contains(at(8) - .milliseconds(1)))
        let day = QuietHours(from: 5, until: 5, utcOffsetMinutes: 0)
        #expect(day.contains(at(8)) && day.end(from: at(8)) == at(24, 5))
    }

    @Test("count minutes of the local day before 1970 too")
    func minutes() {
        let quiet = QuietHours(from: 0, until: 1, utcOffsetMinutes: 0)
        #expect(quiet.minuteOfDay(Timestamp(milliseconds: -60_000)) == 1439)
        #expect(quiet.minuteOfDay(at(13, 30)) == 13 * 60 + 30)
    }
}

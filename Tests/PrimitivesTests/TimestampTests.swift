import Foundation
import Primitives
import Testing

@Suite("Timestamps")
struct TimestampTests {
    private func read(_ text: String) -> Timestamp? { Timestamp(rfc3339: Array(text.utf8)) }

    private static let first: Int64 = -62_167_219_200_000
    private static let last: Int64 = 253_402_300_799_999

    @Test(
        "moments everyone knows",
        arguments: [
            ("1970-01-01T00:00:00.000Z", Int64(0)), ("1969-12-31T23:59:59.999Z", -1),
            ("2000-02-29T12:00:00.000Z", 951_825_600_000), ("2038-01-19T03:14:08.000Z", 2_147_483_648_000),
            ("0000-01-01T00:00:00.000Z", first), ("9999-12-31T23:59:59.999Z", last),
            ("1900-03-01T00:00:00.000Z", -2_203_891_200_000), ("2400-02-29T00:00:00.000Z", 13_574_563_200_000)
        ])
    func known(text: String, milliseconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
        #expect(read(text) == Timestamp(milliseconds: milliseconds))
    }

    @Test("moments are apart in either direction")
    func apart() {
        let now = Timestamp(milliseconds: 100_000)
        for other in [85_000, 115_000, 900_000] {
            #expect(now.isApart(from: Timestamp(milliseconds: Int64(other)), by: .seconds(15)))
        }
        for other in [85_001, 100_000, 114_999] {
            #expect(!now.isApart(from: Timestamp(milliseconds: Int64(other)), by: .seconds(15)))
        }
    }

    @Test("any moment is read back as written")
    func roundTrip() {
        var random = SplitMix64.seeded()
        for _ in 0..<50_000 {
            let time = Timestamp(milliseconds: Int64.random(in: Self.first...Self.last, using: &random))
            #expect(read(time.rfc3339) == time)
        }
    }

    @Test("every day of four centuries and its neighbours, counted one by one")
    func everyDay() {
        var days: Int64 = -135_140  // 1600-01-01
        for year in 1600..<2001 {
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            for (month, count) in zip(1..., [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                for day in 1...count {
                    let text = "\(year)-\(padded(month))-\(padded(day))T00:00:00.000Z"
                    #expect(read(text)?.milliseconds == days * 86_400_000)
                    #expect(Timestamp(milliseconds: days * 86_400_000).rfc3339 == text)
                    days += 1
                }
                #expect(read("\(year)-\(padded(month))-\(padded(count + 1))T00:00:00Z") == nil)
                #expect(read("\(year)-\(padded(month))-00T00:00:00Z") == nil)
            }
        }
    }

    private func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }

    @Test("agrees with Foundation on times with offsets")
    func foundation() throws {
        var random = SplitMix64.seeded()
        for _ in 0..<2000 {
            let seconds = Int64.random(in: 0...4_102_444_800, using: &random)
            let zone = try #require(TimeZone(secondsFromGMT: Int.random(in: -1079...1079, using: &random) * 60))
            let date = Date(timeIntervalSince1970: TimeInterval(seconds))
            let text = date.formatted(
                Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
                    .time(includingFractionalSeconds: false).timeZone(separator: .colon))
            #expect(read(text)?.milliseconds == seconds * 1000, "\(text)")
        }
    }

    @Test(
        "other spellings of one moment",
        arguments: [
            "2026-11-21T09:30:00Z", "2026-11-21t09:30:00z", "2026-11-21T09:30:00.0Z", "2026-11-21T09:30:00.0009999999Z",
            "2026-11-21T09:30:00+00:00", "2026-11-21T09:30:00-00:00", "2026-11-21T10:30:00+01:00",
            "2026-11-20T09:31:00-23:59", "2026-11-22T09:29:00.000+23:59", "2026-11-21T04:00:00-05:30"
        ])
    func spellings(text: String) {
        #expect(read(text)?.rfc3339 == "2026-11-21T09:30:00.000Z")
    }

    @Test(
        "fractions count to the millisecond",
        arguments: [(".1", 100), (".12", 120), (".123", 123), (".1239", 123), (".009", 9)])
    func fractions(text: String, milliseconds: Int64) {
        #expect(read("1970-01-01T00:00:00\(text)Z")?.milliseconds == milliseconds)
        #expect(read("1970-01-01T00:00:00\(text)" + String(repeating: "9", count: 100) + "Z") != nil)
    }

    @Test(
        "what is no RFC 3339 time is refused",
        arguments: [
            "", "Z", "2026-11-21", "2026-11-21T09:30Z", "2026-11-21T09:30:00", "2026-11-21T09:30:00.Z",
            "2026-11-21T09:30:00,5Z", "2026-11-21 09:30:00Z", "2026-11-21T24:00:00Z", "2026-11-21T09:60:00Z",
            "2026-11-21T23:59:60Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-11-21T09:30:00+24:00", "2026-11-21T09:30:00+01:60",
            "2026-11-21T09:30:00+0100", "2026-11-21T09:30:00+01", "2026-11-21T09:30:00Z ", " 2026-11-21T09:30:00Z",
            "2026-11-21T09:30:00ZZ", "26-11-21T09:30:00.000Z", "-026-11-21T09:30:00Z", "+2026-11-21T09:30:00Z",
            "2026-1-021T09:30:00.0Z", "２０２６-11-21T09:30:00Z"
        ])
    func invalid(text: String) {
        #expect(read(text) == nil)
    }

    @Test("no byte of a time can be another one, a letter's case apart")
    func everyByte() {
        let text = Array("2026-11-21T09:30:00.500+01:00".utf8)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        for place in text.indices where !digits.contains(text[place]) {
            for byte in UInt8.min ... .max where byte != text[place] && byte | 0x20 != text[place] | 0x20 {
                var changed = text
                changed[place] = byte
                // A sign may be the other sign, and a fraction may go on.
                if place == 23, byte == UInt8(ascii: "-") || digits.contains(byte) { continue }
                #expect(Timestamp(rfc3339: changed) == nil, "\(changed)")
            }
        }
        // Bytes that differ in bit 5 only, as the cases of a letter do.
        for (place, byte) in [(4, 0x0D), (13, 0x1A), (19, 0x0E), (23, 0x0B), (26, 0x1A)] as [(Int, UInt8)] {
            var changed = text
            changed[place] = byte
            #expect(Timestamp(rfc3339: changed) == nil)
        }
    }

    @Test("a time that could not be written again is refused, and one beyond is written as the nearest that can be")
    func limits() {
        #expect(read("0000-01-01T00:00:00+00:01") == nil)
        #expect(read("9999-12-31T23:59:59.999-00:01") == nil)
        #expect(read("0000-01-01T00:01:00+00:01")?.milliseconds == Self.first)
        #expect(Timestamp(milliseconds: .min).rfc3339 == "0000-01-01T00:00:00.000Z")
        #expect(Timestamp(milliseconds: .max).rfc3339 == "9999-12-31T23:59:59.999Z")
    }

    @Test("sums and differences are exact")
    func arithmetic() {
        let time = Timestamp(milliseconds: 1000)
        #expect(time + .milliseconds(1) - time == .milliseconds(1))
        #expect(time - .seconds(2) == Timestamp(milliseconds: -1000))
        #expect(time < time + .milliseconds(1))
        #expect(Duration.microseconds(1999).wholeMilliseconds == 1)
        #expect(Duration.milliseconds(Int64.max / 1000).wholeMilliseconds == .max / 1000)
        #expect(Duration.milliseconds(-1500).wholeMilliseconds == -1500)
    }
}

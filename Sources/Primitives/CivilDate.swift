import Wire

/// A day of the Gregorian calendar, such as a birthday: no time, no zone. On the wire `2001-05-30` (RFC 3339,
/// full-date).
package struct CivilDate: Hashable, Comparable, Sendable {
    /// 0 to 9999.
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to the month's last.
    package let day: Int

    /// Nil for a day that there is not, such as 30 February.
    package init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Int(daysIn(Int64(month), of: Int64(year)))
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day in UTC.
    package init(of time: Timestamp) {
        let day = civil(fromDays: time.milliseconds / 86_400_000 - (time.milliseconds % 86_400_000 < 0 ? 1 : 0))
        self.init(clampedYear: day.year, Int(day.month), Int(day.day))
    }

    private init(clampedYear year: Int64, _ month: Int, _ day: Int) {
        self.year = Int(min(max(year, 0), 9999))
        self.month = month
        self.day = day
    }

    /// Ten characters, `2001-05-30`; nil for anything else.
    package init?(_ text: String) { self.init(utf8: Array(text.utf8)) }

    private init?(utf8 bytes: [UInt8]) {
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(0 as Int?) { value, byte in
                guard let value, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                return value * 10 + Int(byte - UInt8(ascii: "0"))
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// Whole years from this day to that one: an age. Whoever was born on 29 February is a year older on 1 March of a
    /// common year. Negative before this day.
    package func wholeYears(until other: CivilDate) -> Int {
        other.year - year - ((other.month, other.day) < (month, day) ? 1 : 0)
    }
}

extension CivilDate: CustomStringConvertible {
    package var description: String {
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

extension CivilDate: WireValue, Codable {
    package func write(to writer: inout JSONWriter) {
        writer.string(description)
    }

    package static func read(_ reader: inout JSONReader) throws(WireError) -> CivilDate {
        try reader.text { text throws(WireError) in
            guard let date = CivilDate(utf8: Array(text.utf8)) else { throw notADate }
            return date
        }
    }

    package init(from decoder: any Decoder) throws {
        guard let date = CivilDate(try decoder.singleValueContainer().decode(String.self)) else { throw Self.notADate }
        self = date
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    private static let notADate = WireError(.invalidValue(why: "must be a date like 2001-05-30"))
}

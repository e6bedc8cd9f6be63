import Wire

/// A moment: whole milliseconds since 1970-01-01T00:00:00Z. On the wire RFC 3339 in UTC with three decimals.
package struct Timestamp: Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    package static func + (time: Timestamp, span: Duration) -> Timestamp {
        Timestamp(milliseconds: time.milliseconds + span.wholeMilliseconds)
    }

    package static func - (time: Timestamp, span: Duration) -> Timestamp {
        Timestamp(milliseconds: time.milliseconds - span.wholeMilliseconds)
    }

    package static func - (left: Timestamp, right: Timestamp) -> Duration {
        .milliseconds(left.milliseconds - right.milliseconds)
    }
}

extension Duration {
    package var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}

extension Timestamp {
    /// Whether another moment is so far away, in either direction: what is due every so often is due at once where a
    /// clock was set back.
    package func isApart(from other: Timestamp, by duration: Duration) -> Bool {
        let apart = self - other
        return apart >= duration || apart <= .zero - duration
    }
    /// Years RFC 3339 can write: 0000 to 9999.
    private static let writable = Int64(-62_167_219_200_000)...Int64(253_402_300_799_999)

    /// Appends `2026-11-21T09:30:00.000Z`.
    package func appendRFC3339(to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.rfc3339Count) { text in
            writeRFC3339(to: text.baseAddress!)
            bytes.append(contentsOf: UnsafeBufferPointer(text))
        }
    }

    private static let rfc3339Count = 24

    /// Fills the first 24 bytes.
    private func writeRFC3339(to text: UnsafeMutablePointer<UInt8>) {
        let clamped = min(max(milliseconds, Self.writable.lowerBound), Self.writable.upperBound)
        let (days, inDay) = floorDivide(clamped, by: 86_400_000)
        let (year, month, day) = civil(fromDays: days)
        /// The lowest two digits, and what follows them.
        func put(_ value: Int64, at offset: Int, then separator: UInt8) {
            let value = UInt8(truncatingIfNeeded: value % 100)
            text[offset] = UInt8(ascii: "0") + value / 10
            text[offset + 1] = UInt8(ascii: "0") + value % 10
            text[offset + 2] = separator
        }
        put(year / 100, at: 0, then: 0)
        put(year, at: 2, then: UInt8(ascii: "-"))
        put(month, at: 5, then: UInt8(ascii: "-"))
        put(day, at: 8, then: UInt8(ascii: "T"))
        put(inDay / 3_600_000, at: 11, then: UInt8(ascii: ":"))
        put(inDay / 60_000 % 60, at: 14, then: UInt8(ascii: ":"))
        put(inDay / 1000 % 60, at: 17, then: UInt8(ascii: "."))
        put(inDay % 1000 / 10, at: 20, then: UInt8(ascii: "0") + UInt8(inDay % 10))
        text[23] = UInt8(ascii: "Z")
    }

    package var rfc3339: String {
        var bytes: [UInt8] = []
        appendRFC3339(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads what `appendRFC3339` writes, quickly; nil for anything else.
    private init?(usual text: UnsafeBufferPointer<UInt8>) {
        guard text.count == 24, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            text[19] == UInt8(ascii: "."), text[23] == UInt8(ascii: "Z")
        else { return nil }
        var wrong = false
        func digit(_ offset: Int) -> Int64 {
            let digit = text[offset] &- UInt8(ascii: "0")
            if digit > 9 { wrong = true }
            return Int64(digit)
        }
        func pair(_ offset: Int) -> Int64 { digit(offset) * 10 + digit(offset + 1) }
        let (year, month, day) = (pair(0) * 100 + pair(2), pair(5), pair(8))
        let (hour, minute, second) = (pair(11), pair(14), pair(17))
        let fraction = pair(20) * 10 + digit(22)
        guard !wrong, (1...12).contains(month), (1...daysIn(month, of: year)).contains(day), hour < 24, minute < 60,
            second < 60
        else { return nil }
        let seconds = days(fromYear: year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
        self.init(milliseconds: seconds * 1000 + fraction)
    }

    /// Reads RFC 3339 section 5.6 with any offset; digits beyond milliseconds are dropped. A leap second (`:60`) is
    /// refused, as there is no such millisecond to count, and so is a time whose year in UTC has not four digits.
    package init?(rfc3339 text: some RandomAccessCollection<UInt8>) {
        let text = Array(text)
        guard text.count >= 20 else { return nil }
        func number(_ from: Int, _ count: Int) -> Int64? {
            guard from + count <= text.count else { return nil }
            var value: Int64 = 0
            for byte in text[from..<(from + count)] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return value
        }
        func at(_ index: Int, _ character: Unicode.Scalar) -> Bool {
            guard index < text.count else { return false }
            let wanted = UInt8(ascii: character)
            // Letters may be small ones.
            return text[index] == wanted || wanted >= UInt8(ascii: "A") && text[index] == wanted | 0x20
        }
        guard let year = number(0, 4), at(4, "-"), let month = number(5, 2), at(7, "-"), let day = number(8, 2),
            at(10, "T"), let hour = number(11, 2), at(13, ":"), let minute = number(14, 2), at(16, ":"),
            let second = number(17, 2), (1...12).contains(month), (1...daysIn(month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        var end = 19
        var fraction: Int64 = 0
        if at(end, ".") {
            end += 1
            var scale: Int64 = 100
            let start = end
            while end < text.count, let digit = number(end, 1) {
                fraction += digit * scale
                scale /= 10
                end += 1
            }
            guard end > start else { return nil }
        }
        var offsetMinutes: Int64 = 0
        if at(end, "Z") {
            end += 1
        } else {
            guard at(end, "+") || at(end, "-"),
                let hours = number(end + 1, 2), at(end + 3, ":"), let minutes = number(end + 4, 2),
                hours < 24, minutes < 60
            else { return nil }
            offsetMinutes = (hours * 60 + minutes) * (text[end] == UInt8(ascii: "-") ? -1 : 1)
            end += 6
        }
        guard end == text.count else { return nil }
        let minutes = days(fromYear: year, month, day) * 1440 + hour * 60 + minute - offsetMinutes
        let milliseconds = (minutes * 60 + second) * 1000 + fraction
        guard Self.writable.contains(milliseconds) else { return nil }
        self.init(milliseconds: milliseconds)
    }
}

extension Timestamp: WireValue, Codable {
    package func write(to writer: inout JSONWriter) {
        writer.plainString(countMax: Self.rfc3339Count) { destination in
            writeRFC3339(to: destination)
            return Self.rfc3339Count
        }
    }

    package static func read(_ reader: inout JSONReader) throws(WireError) -> Timestamp {
        if let text = try reader.plainText() {
            if let time = Timestamp(usual: text) { return time }
            guard let time = Timestamp(rfc3339: text) else { throw notATime }
            return time
        }
        return try reader.text { text throws(WireError) in
            guard let time = Timestamp(rfc3339: text.utf8) else { throw notATime }
            return time
        }
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = Timestamp(rfc3339: Array(text.utf8)) else { throw Self.notATime }
        self = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rfc3339)
    }

    private static var notATime: WireError { WireError(.invalidValue(why: "must be an RFC 3339 time")) }
}

// Days and dates of the proleptic Gregorian calendar, after Howard Hinnant's "chrono-Compatible Low-Level Date
// Algorithms": the year starts in March, so that the leap day comes last.

private func floorDivide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

func days(fromYear year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = floorDivide(shifted, by: 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
}

func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
}

func daysIn(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}

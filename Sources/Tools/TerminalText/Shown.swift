/// Figures as people read them: three digits that count, a unit, thousands in groups. `–` is what is not known.
package enum Shown {
    package static let unknown = "–"

    /// Microseconds as `850 µs`, `1.25 ms`, `12.5 ms`, `1.02 s`.
    package static func latency(micros: Double?) -> String {
        guard let micros, micros.isFinite else { return unknown }
        switch abs(micros) {
        case ..<9.95: return fixed(micros, 1) + " µs"
        case ..<999.5: return fixed(micros, 0) + " µs"
        case ..<999_500: return significant(micros / 1000) + " ms"
        default: return significant(micros / 1_000_000) + " s"
        }
    }

    /// `1,234/s`; below ten with one decimal.
    package static func rate(_ perSecond: Double?) -> String {
        guard let perSecond, perSecond.isFinite else { return unknown }
        return (perSecond == 0 || abs(perSecond) >= 9.95 ? fixed(perSecond, 0) : fixed(perSecond, 1)) + "/s"
    }

    /// `1,234,567`.
    package static func count(_ number: Int) -> String {
        (number < 0 ? "-" : "") + grouped(String(number.magnitude))
    }

    /// `12.5 MiB`.
    package static func bytes(_ bytes: Int64) -> String { self.bytes(Double(bytes)) }

    package static func bytes(_ bytes: Double) -> String {
        var value = bytes
        var unit = 0
        let units = ["B", "KiB", "MiB", "GiB", "TiB"]
        while abs(value) >= 999.5, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return (unit == 0 ? fixed(value, 0) : significant(value)) + " " + units[unit]
    }

    /// `4 s`, `4.5 s`, `2 min 5 s`, `1 h 2 min`.
    package static func span(seconds: Double?) -> String {
        guard let seconds, seconds.isFinite else { return unknown }
        guard seconds >= 59.95 else {
            let tenths = (seconds * 10).rounded()
            return fixed(seconds, tenths.truncatingRemainder(dividingBy: 10) == 0 ? 0 : 1) + " s"
        }
        let whole = Int(min(seconds, 1e12).rounded())
        let (minutes, rest) = whole.quotientAndRemainder(dividingBy: 60)
        if minutes >= 60 {
            return "\(count(minutes / 60)) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
        }
        return "\(minutes) min" + (rest == 0 ? "" : " \(rest) s")
    }

    /// A part of a whole as `12.5 %`; a part that is there is never `0 %`, one that is missing never `100 %`.
    package static func share(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return unknown }
        let percent = Double(part) / Double(whole) * 100
        if part > 0, percent < 0.01 { return "< 0.01 %" }
        if part < whole, percent > 99.99 { return "> 99.99 %" }
        switch percent {
        case 0: return "0 %"
        case 100: return "100 %"
        case ..<0.995: return fixed(percent, 2) + " %"
        case ..<99: return fixed(percent, 1) + " %"
        default: return fixed(percent, 2) + " %"
        }
    }

    /// A percentile without needless zeros: `50 %`, `99.9 %`.
    package static func percentile(_ percentile: Double) -> String {
        var text = fixed(percentile, 6)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text + " %"
    }

    /// Cores kept busy, as `0.85`.
    package static func cores(_ cores: Double?) -> String {
        guard let cores, cores.isFinite else { return unknown }
        return fixed(cores, 2)
    }

    /// Three digits that count.
    package static func significant(_ value: Double) -> String {
        switch abs(value) {
        case ..<9.995: fixed(value, 2)
        case ..<99.95: fixed(value, 1)
        default: fixed(value, 0)
        }
    }

    /// So many decimals, rounded half away from zero, thousands in groups.
    package static func fixed(_ value: Double, _ decimals: Int) -> String {
        var factor = 1.0
        for _ in 0..<decimals { factor *= 10 }
        let scaled = (abs(value) * factor).rounded()
        guard scaled < 9e18 else { return unknown }
        let digits = String(UInt64(scaled))
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let whole = grouped(String(padded.dropLast(decimals)))
        let sign = value < 0 && scaled > 0 ? "-" : ""
        return sign + whole + (decimals == 0 ? "" : "." + padded.suffix(decimals))
    }

    private static func grouped(_ digits: String) -> String {
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}

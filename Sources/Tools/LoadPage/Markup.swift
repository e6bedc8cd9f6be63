extension String {
    /// Figures and their units do not part at the end of a line.
    var tied: String {
        let units: Set<Substring> = ["µs", "ms", "s", "min", "h", "%", "B", "KiB", "MiB", "GiB", "TiB"]
        var text = ""
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            let bare = word.prefix { !",.;:)".contains($0) }
            let isTied = text.last.map { $0.isNumber } == true && units.contains(bare)
            text += (text.isEmpty ? "" : isTied ? "\u{A0}" : " ") + word
        }
        return text
    }
}

/// Text that is markup. What is put into it as `\(text)` is escaped; only other markup goes in as it is.
package struct Markup: Sendable, Equatable, ExpressibleByStringInterpolation {
    package private(set) var text: String

    package init(stringLiteral value: String) { text = value }
    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
    /// Text of this program that is markup already.
    init(trusted text: String) { self.text = text }

    package static let none: Markup = ""

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ outside: some StringProtocol) {
            text += Markup.escaped(outside)
        }
        package mutating func appendInterpolation(_ number: Int) { text += String(number) }
        package mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
        package mutating func appendInterpolation(_ parts: [Markup]) { for part in parts { text += part.text } }
    }

    /// For text and for attributes in double quotes. What XML does not allow becomes U+FFFD.
    package static func escaped(_ outside: some StringProtocol) -> String {
        var text = ""
        for scalar in outside.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            case "\n", "\t": text.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
            // A text that changes the direction of reading could show a figure back to front.
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

import Primitives
import Wire

/// A line of a log as people read it: JSON of ours becomes words, whatever else there is stays as it is.
package struct LogLine: Sendable {
    package enum Level: Sendable { case quiet, usual, warning, error }

    /// As written; nil of a line that has none.
    package let time: String?
    package let level: Level
    /// Without the time: `info: ready after=3`.
    package let words: String
    /// With the time, but for its day: `10:00:00.123 info: ready after=3`.
    package var text: String { clock.isEmpty ? words : "\(clock) \(words)" }
    private let clock: String

    package init(_ line: String) {
        guard line.utf8.first == UInt8(ascii: "{"),
            case .object(let members)? = try? JSONValue(parsing: Array(line.utf8)),
            case .string(let time)? = members.first(where: { $0.key == "time" })?.value,
            case .string(let level)? = members.first(where: { $0.key == "level" })?.value,
            case .string(let message)? = members.first(where: { $0.key == "message" })?.value
        else {
            (time, level, words, clock) = (nil, .usual, Self.printable(line), "")
            return
        }
        let known: Set<String> = ["time", "level", "service", "message"]
        let fields = members.filter { !known.contains($0.key) }.map { " \($0.key)=\(Self.word($0.value))" }.joined()
        self.time = time
        self.level =
            switch level {
            case "trace", "debug": .quiet
            case "warning": .warning
            case "error", "critical": .error
            default: .usual
            }
        clock = Self.printable(String(time.count > 12 ? time.dropFirst(11).dropLast() : Substring(time)))
        words = Self.printable("\(level): \(message)\(fields)")
    }

    /// Why a process has failed, as the end of its log says it: warnings, errors and lines that are not JSON, each
    /// once, as a process that is started again repeats them. The last line where there are none of these.
    package static func causes(in tail: [String]) -> [String] {
        let lines = tail.map { LogLine($0) }.filter { !$0.words.isEmpty }
        let telling = lines.filter { $0.time == nil || $0.level == .warning || $0.level == .error }
        let once = (telling.isEmpty ? lines.suffix(1) : telling[...]).map(\.words)
            .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return once.suffix(causesMax)
    }
    private static let causesMax = 3

    private static func word(_ value: JSONValue) -> String {
        guard case .string(let text) = value else { return value.text }
        return text
    }

    /// Nothing that a process writes moves the cursor or changes colours, other than our own.
    private static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value < 32 && $0 != "\t" || $0.value == 127 }) else {
            return text
        }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.value < 32 && $0 != "\t" || $0.value == 127 ? "·" : $0 }))
    }
}

/// Lines of several services, one under the other: the name in front, in a colour of its own on terminals.
package struct LogLayout: Sendable {
    /// Of terminals, readable on light and dark: cyan, green, yellow, blue, magenta, and their bright ones.
    private static let colours = [36, 32, 33, 34, 35, 96, 92, 93, 94, 95]

    private let names: [String]
    private let width: Int
    private let isColoured: Bool

    package init(_ names: [String], isColoured: Bool) {
        self.names = names
        self.isColoured = isColoured
        width = names.map(\.count).max() ?? 0
    }

    package func line(_ name: String, _ line: LogLine) -> String {
        let padded = name + String(repeating: " ", count: max(0, width - name.count))
        guard isColoured else { return "\(padded) | \(line.text)" }
        let colour = Self.colours[(names.firstIndex(of: name) ?? 0) % Self.colours.count]
        let text =
            switch line.level {
            case .quiet: "\u{1B}[2m\(line.text)\u{1B}[0m"
            case .usual: line.text
            case .warning: "\u{1B}[33m\(line.text)\u{1B}[0m"
            case .error: "\u{1B}[31m\(line.text)\u{1B}[0m"
            }
        return "\u{1B}[\(colour)m\(padded) |\u{1B}[0m \(text)"
    }
}

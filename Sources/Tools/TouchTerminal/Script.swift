import TouchApp

/// One command of a script.
package enum ScriptStep: Hashable, Sendable {
    case input(Input, written: String)
    /// Shows the display again.
    case display
    /// The last input once more, under its id, as a network may do.
    case again
    /// Looks again, as after news from elsewhere.
    case refresh
    /// A merchant scans the pay code that is shown.
    case scan
    /// The script is wrong unless this screen is shown.
    case expect(ScreenName)
    /// From now on the services are in this condition.
    case service(MemoryBacking.Condition)

    /// The command in its one spelling.
    package var written: String {
        switch self {
        case .input(_, let written): written
        case .display: "display()"
        case .again: "again"
        case .refresh: "refresh"
        case .scan: "scan"
        case .expect(let name): "expect \(name.rawValue)"
        case .service(let condition): "service \(condition.rawValue)"
        }
    }
}

/// What is wrong with a script, and where.
package struct ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    package let reason: String

    package init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }

    package var description: String { "line \(line): \(reason)" }
}

/// A script: one command a line, `#` begins a comment.
package struct Script: Sendable {
    /// In bytes; a day of touching would not fill it.
    package static let bytesMax = 1 << 20

    package let steps: [ScriptStep]

    package init(_ text: String) throws(ScriptError) {
        guard text.utf8.count <= Self.bytesMax else {
            throw ScriptError(line: 1, reason: "the script has more than \(Self.bytesMax) bytes")
        }
        var steps: [ScriptStep] = []
        // A carriage return and a line feed are one character in Swift, and a line's end like each of them.
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let command = line.prefix { $0 != "#" }
            let words = Self.words(command)
            if words.isEmpty { continue }
            do throws(Wrong) { steps.append(try Self.step(words)) } catch {
                throw ScriptError(line: index + 1, reason: error.reason)
            }
        }
        self.steps = steps
    }

    private struct Wrong: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// `touch(1, 5)` and `touch 1 5` have the same words.
    private static func words(_ command: Substring) -> [Substring] {
        command.split { $0 == " " || $0 == "\t" || $0 == "," || $0 == "(" || $0 == ")" }
    }

    private static func step(_ words: [Substring]) throws(Wrong) -> ScriptStep {
        let name = words[0]
        let arguments = words.dropFirst()
        func plain(_ step: ScriptStep) throws(Wrong) -> ScriptStep {
            guard arguments.isEmpty else { throw Wrong("\(name) takes nothing") }
            return step
        }
        switch name {
        case "touch":
            guard arguments.count == 2, let x = Int(words[1]), let y = Int(words[2]) else {
                throw Wrong("touch takes a column and a row, as in touch(1,5)")
            }
            return .input(.touch(x, y), written: "touch(\(x),\(y))")
        case "menu1": return try plain(.input(.menu(.first), written: "menu1()"))
        case "menu2": return try plain(.input(.menu(.second), written: "menu2()"))
        case "menu3": return try plain(.input(.menu(.third), written: "menu3()"))
        case "menu4": return try plain(.input(.menu(.fourth), written: "menu4()"))
        case "menu5": return try plain(.input(.menu(.fifth), written: "menu5()"))
        case "topLeftCmd": return try plain(.input(.topLeft, written: "topLeftCmd()"))
        case "topRightCmd": return try plain(.input(.topRight, written: "topRightCmd()"))
        case "display": return try plain(.display)
        case "again": return try plain(.again)
        case "refresh": return try plain(.refresh)
        case "scan": return try plain(.scan)
        case "expect":
            guard let name = ScreenName(matching: arguments.joined(separator: " ")) else {
                throw Wrong("expect takes a screen's name, as in expect My Cards - Main")
            }
            return .expect(name)
        case "service":
            let known = MemoryBacking.Condition.allCases
            guard arguments.count == 1, let condition = known.first(where: { $0.rawValue == words[1] }) else {
                throw Wrong("service takes one of \(known.map(\.rawValue).joined(separator: ", "))")
            }
            return .service(condition)
        default:
            throw Wrong(
                """
                \(name) is no command; there are touch, menu1 to menu5, topLeftCmd, topRightCmd, display, again, \
                refresh, scan, expect and service
                """)
        }
    }
}

import Primitives

/// Collects what one check finds: the first of it in words, all of it in number.
package struct Findings {
    package static let keptMax = 50

    package let name: String
    package let statement: String
    package let subject: String?
    package var examined = 0
    package private(set) var total = 0
    private var lines: [String] = []

    /// - Parameters:
    ///   - statement: what holds when nothing is found.
    ///   - subject: what it is about, where it is not money.
    package init(_ name: String, _ statement: String, about subject: String? = nil) {
        self.name = name
        self.statement = statement
        self.subject = subject
    }

    package mutating func add(_ line: @autoclosure () -> String) {
        total += 1
        if lines.count < Self.keptMax { lines.append(line()) }
    }

    package var check: MoneyVerdict.Check {
        MoneyVerdict.Check(
            name: name, statement: statement, passed: total == 0, examined: examined, findings: lines,
            findingsTotal: total, subject: subject)
    }
}

/// Money as people read it.
package func dollars(_ minor: Int64) -> String { Money(minor).display }

/// "entries 17 and 19"
package func entryList(_ entries: [Int64]) -> String {
    let texts = entries.map { "\($0)" }
    if texts.count < 2 { return "entry \(texts.first ?? "none")" }
    return "entries \(texts.dropLast().joined(separator: ", ")) and \(texts.last!)"
}

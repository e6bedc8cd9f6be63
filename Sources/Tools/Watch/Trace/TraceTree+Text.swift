import Bus
import Primitives
import TerminalText

extension TraceTree {
    private static let (nameColumn, figureColumn) = (58, 10)

    /// One line each: what, how long after the beginning, how long it took, and what became of it.
    package func text(colour: Bool, isWhole: Bool) -> String {
        let paint = Paint(isOn: colour)
        let began = Timestamp(milliseconds: startMicroseconds / 1000).rfc3339
        var lines = [paint.strong("trace \(correlation.hex)") + paint.quiet("  began \(began)")]
        lines.append(
            root.point.map { line($0, "", after: 0, paint, isWhole) }
                ?? paint.quiet("(what began it is not remembered any more: only what it led to)"))
        for (place, child) in root.children.enumerated() {
            add(child, "", after: 0, isLast: place == root.children.count - 1, paint, isWhole, &lines)
        }
        return lines.joined(separator: "\n")
    }

    private func add(
        _ node: Node, _ indent: String, after cause: Int64, isLast: Bool, _ paint: Paint, _ isWhole: Bool,
        _ lines: inout [String]
    ) {
        guard let point = node.point else { return }
        lines.append(line(point, indent + (isLast ? "└─ " : "├─ "), after: cause, paint, isWhole))
        for (place, child) in node.children.enumerated() {
            add(
                child, indent + (isLast ? "   " : "│  "), after: max(cause, offset(point)),
                isLast: place == node.children.count - 1, paint, isWhole, &lines)
        }
    }

    /// - Parameter cause: when what it follows from began. A fact's own time is cut to milliseconds, and not before
    ///   that.
    private func line(
        _ point: TracePoint, _ branch: String, after cause: Int64, _ paint: Paint, _ isWhole: Bool
    ) -> String {
        let width = Self.nameColumn - branch.count
        let began = point.kind == .fact ? max(cause, offset(point)) : offset(point)
        let offset = "+" + (began == 0 ? "0" : Shown.latency(micros: Double(began)))
        let took = point.microseconds.map { Shown.latency(micros: Double($0)) } ?? ""
        var name = point.name.printable
        if let sequence = point.sequence { name += " #\(sequence)" }
        let painted = point.kind == .fact ? paint.good(name) : paint.strong(name)
        var line =
            paint.quiet(branch) + painted + String(repeating: " ", count: max(1, width - name.count))
            + left(offset) + " " + left(took) + "  "
        if let status = point.status { line += "\(status) " }
        if let fault = point.fault { line += paint.bad(fault.printable) + " " }
        if let data = point.data { line += MessageWords.of(data, isWhole: isWhole) }
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }

    private func left(_ text: String) -> String {
        String(repeating: " ", count: max(0, Self.figureColumn - text.count)) + text
    }
}

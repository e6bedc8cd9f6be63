import Wire

/// What a run has found, for people and for machines.
package struct ShadowReport: Sendable {
    private let service: String
    private let tally: Tally
    private let missed: Int
    /// Hides a value that may not be shown: its path's last name, and the value.
    private let mask: @Sendable (_ name: String, _ value: JSONValue) -> JSONValue

    /// - Parameter missed: asks that could not be compared: no room, or an answer that never came.
    package init(
        _ service: String, _ tally: Tally, missed: Int,
        masking mask: @escaping @Sendable (_ name: String, _ value: JSONValue) -> JSONValue
    ) {
        self.service = service
        self.tally = tally
        self.missed = missed
        self.mask = mask
    }

    package var text: String {
        var lines = ["\(service): \(tally.compared) asks compared, \(tally.different) answered differently"]
        if tally.settled > 0 { lines[0] += ", \(tally.settled) the same at another look" }
        if missed > 0 { lines[0] += ", \(missed) missed" }
        if !tally.rows.isEmpty { lines += ["", "microseconds"] + table }
        if !tally.differences.isEmpty { lines += ["", "differences"] }
        for seen in tally.differences {
            let (live, shadow) = shown(seen.first)
            lines.append("  \(seen.type)  \(seen.first.kind)  \(seen.count)×, first: live \(live), shadow \(shadow)")
        }
        if tally.kindsBeyond > 0 { lines.append("  and \(tally.kindsBeyond) of other kinds") }
        lines += counted(tally.notOffered, "not offered by the shadow, which may leave them out")
        lines += counted(tally.leftOut, "not given to the shadow, as they are about the process")
        lines += counted(tally.prevented, "asked by the shadow and not done, as they change something")
        return lines.joined(separator: "\n")
    }

    private var table: [String] {
        let width = max(4, tally.rows.keys.map(\.count).max() ?? 0)
        let head = ["type".padded(to: width)] + ["compared", "live p50", "p99", "shadow p50", "p99", "ratio p50"]
        let rows = tally.rows.sorted { $0.key < $1.key }.map { type, row in
            let (live, shadow) = (row.live.valueAtPercentile(50), row.shadow.valueAtPercentile(50))
            return [type.padded(to: width)]
                + [
                    "\(row.compared)", "\(live)", "\(row.live.valueAtPercentile(99))", "\(shadow)",
                    "\(row.shadow.valueAtPercentile(99))", Self.ratio(shadow, live)
                ].enumerated().map { index, text in text.padded(left: head[index + 1].count) }
        }
        return ([head] + rows).map { "  " + $0.joined(separator: "  ") }
    }

    /// To two decimals; of nothing there is no ratio.
    private static func ratio(_ one: UInt64, _ other: UInt64) -> String {
        guard other > 0 else { return "–" }
        let hundredths = (one * 100 + other / 2) / other
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    private func counted(_ counts: [String: Int], _ title: String) -> [String] {
        guard !counts.isEmpty else { return [] }
        return ["", title] + counts.sorted { $0.key < $1.key }.map { "  \($0.key)  \($0.value)" }
    }

    private func shown(_ difference: Difference) -> (live: String, shadow: String) {
        let name = difference.path.split(separator: ".").last.map { String($0.prefix { $0 != "[" }) } ?? ""
        func text(_ value: JSONValue?) -> String { value.map { mask(name, $0).text } ?? "nothing" }
        return (text(difference.live), text(difference.shadow))
    }

    package var json: JSONValue {
        let rows = tally.rows.sorted { $0.key < $1.key }.map { type, row in
            JSONValue.object([
                .init("type", .string(type)), .init("compared", .integer(Int64(row.compared))),
                .init("different", .integer(Int64(row.different))),
                .init("liveP50Microseconds", .integer(Int64(row.live.valueAtPercentile(50)))),
                .init("liveP99Microseconds", .integer(Int64(row.live.valueAtPercentile(99)))),
                .init("shadowP50Microseconds", .integer(Int64(row.shadow.valueAtPercentile(50)))),
                .init("shadowP99Microseconds", .integer(Int64(row.shadow.valueAtPercentile(99))))
            ])
        }
        let differences = tally.differences.map { seen in
            let (live, shadow) = shown(seen.first)
            return JSONValue.object([
                .init("type", .string(seen.type)), .init("path", .string(seen.first.kind)),
                .init("count", .integer(Int64(seen.count))), .init("live", .string(live)),
                .init("shadow", .string(shadow))
            ])
        }
        return .object([
            .init("service", .string(service)), .init("compared", .integer(Int64(tally.compared))),
            .init("different", .integer(Int64(tally.different))), .init("missed", .integer(Int64(missed))),
            .init("settled", .integer(Int64(tally.settled))),
            .init("types", .array(rows)), .init("differences", .array(differences)),
            .init("notOffered", counts(tally.notOffered)), .init("leftOut", counts(tally.leftOut)),
            .init("prevented", counts(tally.prevented))
        ])
    }

    private func counts(_ counts: [String: Int]) -> JSONValue {
        .object(counts.sorted { $0.key < $1.key }.map { .init($0.key, .integer(Int64($0.value))) })
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
    fileprivate func padded(left width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

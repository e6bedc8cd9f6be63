import Foundation

/// Processor time of the measured processes, from /proc: what one operation costs each of them.
struct ProcessorTime {
    private let processes: [(name: String, id: Int)]
    private var before: [Double]
    private var ownBefore: Double

    /// - Parameter list: `broker=123,wallet=456`.
    init(_ list: String) {
        processes = list.split(separator: ",").compactMap { item in
            let parts = item.split(separator: "=")
            guard parts.count == 2, let id = Int(parts[1]) else { return nil }
            return (String(parts[0]), id)
        }
        before = processes.map { Self.microseconds(of: "\($0.id)") }
        ownBefore = Self.microseconds(of: "self")
    }

    /// Microseconds per operation since the last call, one figure per process; begins anew.
    mutating func perOperation(_ operations: Int) -> String {
        let now = processes.map { Self.microseconds(of: "\($0.id)") }
        let own = Self.microseconds(of: "self")
        func each(_ spent: Double) -> String { String(format: "%.1f", spent / Double(max(1, operations))) }
        let parts =
            zip(processes, zip(before, now)).map { "\($0.0.name) \(each($0.1.1 - $0.1.0))" }
            + ["load \(each(own - ownBefore))"]
        (before, ownBefore) = (now, own)
        return parts.joined(separator: ", ")
    }

    /// User and system time so far; 0 for a process that is gone.
    private static func microseconds(of process: String) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),  // gone: nothing to add
            let end = text.lastIndex(of: ")")
        else { return 0 }
        let fields = text[end...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
        return (user + system) * 1_000_000 / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}

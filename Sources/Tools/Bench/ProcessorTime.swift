import Foundation

/// Processor time of the measured processes, from /proc: what one operation costs each of them.
struct ProcessorTime {
    private let processes: [(name: String, id: Int)]
    private var before: [Double] = []
    private var ownBefore = 0.0

    /// - Parameter list: `broker=123,wallet=456`.
    init(_ list: String) {
        processes = list.split(separator: ",").compactMap { item in
            let parts = item.split(separator: "=")
            guard parts.count == 2, let id = Int(parts[1]) else { return nil }
            return (String(parts[0]), id)
        }
        start()
    }

    /// Begins anew.
    mutating func start() {
        before = processes.map { Self.microseconds(of: "\($0.id)") }
        ownBefore = Self.microseconds(of: "self")
    }

    /// Microseconds per operation since the start, by process; this one is `load`.
    func perOperation(_ operations: Int) -> [String: Double] {
        let each = 1 / Double(max(1, operations))
        var spent = ["load": (Self.microseconds(of: "self") - ownBefore) * each]
        for (process, before) in zip(processes, before) {
            spent[process.name] = (Self.microseconds(of: "\(process.id)") - before) * each
        }
        return spent
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

import Foundation

/// One measured figure. Its JSON has the same fields as the lines of the yardsticks in
/// `Sources/Tools/Benchmarks/Peers`.
struct Figure: Encodable {
    let name: String
    let count: Int
    let seconds: Double
    let perSecond: Double
    let p50Micros: Double
    let p99Micros: Double
    let maxMicros: Double
    /// Microseconds of processor time for one operation, by process; `load` is the measuring process itself.
    let processorMicros: [String: Double]

    /// - Parameters:
    ///   - microseconds: what was waited for, each time.
    ///   - time: started anew when the measurement began.
    init(_ name: String, count: Int, seconds: Double, _ microseconds: [Double], _ time: inout ProcessorTime) {
        let sorted = microseconds.sorted()
        func at(_ fraction: Double) -> Double {
            sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(fraction * Double(sorted.count)))]
        }
        self.name = name
        self.count = count
        self.seconds = seconds
        perSecond = Double(count) / seconds
        (p50Micros, p99Micros, maxMicros) = (at(0.5), at(0.99), at(1))
        processorMicros = time.perOperation(count)
    }

    var text: String {
        let rate = String(Int(perSecond))
        let processors = processorMicros.sorted { $0.key < $1.key }.map {
            "\($0.key) \(String(format: "%.1f", $0.value))"
        }
        return """
            \(name.padding(toLength: 46, withPad: " ", startingAt: 0)) \(String(repeating: " ", count: max(0, 8 - rate.count)))\(rate)/s  \
            p50 \(Int(p50Micros)) µs, p99 \(Int(p99Micros)) µs, max \(Int(maxMicros)) µs
                processor µs each: \(processors.joined(separator: ", "))
            """
    }
}

import ArgumentParser
import Bus
import BusZMQ
import Foundation
import Primitives

/// Speed, measured against a set that runs for nothing else. `deploy/bench` starts one and runs this.
@main
struct BillfoldBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "billfold-bench",
        abstract: "Prints asks/s through the broker, ledger posts/s, and durable payments/s over the bus and over HTTP."
    )

    @Option(name: .customLong("run"), help: "Directory of the bus's sockets (BILLFOLD_RUN).")
    var runDirectory: String

    @Option(help: "The gateway's address and port.")
    var http = "127.0.0.1:8080"

    @Option(help: "Directory for the ledger that is measured alone; on the disk that is to be measured.")
    var scratch: String

    @Option(help: "Seconds for each figure.")
    var seconds = 4.0

    @Option(help: "Asks in flight over the bus.")
    var inFlight = 256

    @Option(help: "HTTP connections.")
    var connections = 64

    @Option(help: "Processes whose processor time per operation is printed: broker=123,wallet=456.")
    var processes = ""

    func run() async throws {
        var time = ProcessorTime(processes)
        print("fdatasync before: \(try DiskProbe.line(in: scratch))")
        try await EchoBench(runDirectory: runDirectory, seconds: seconds).run(&time)
        try LedgerBench(directory: scratch, seconds: seconds).run(&time)
        let payments = PaymentsBench(runDirectory: runDirectory, seconds: seconds, inFlight: inFlight)
        let till = try await payments.prepare()
        try await payments.run(till, &time)
        try HTTPBench(address: http, seconds: seconds, connections: connections).run(&time)
        print("fdatasync after:  \(try DiskProbe.line(in: scratch))")
    }
}

/// How fast the disk makes 4 KiB durable: the figures of shared machines mean nothing without it.
enum DiskProbe {
    static func line(in directory: String) throws -> String {
        let path = directory + "/probe"
        let file = open(path, O_CREAT | O_RDWR | O_TRUNC, 0o600)
        guard file >= 0 else { throw ValidationError("cannot write to \(directory)") }
        defer {
            close(file)
            unlink(path)
        }
        var page = [UInt8](repeating: 1, count: 4096)
        let micros = (0..<200).map { index in
            page[0] = UInt8(truncatingIfNeeded: index)
            pwrite(file, page, page.count, off_t(index % 64) * 4096)
            let start = monotonicNanoseconds()
            fdatasync(file)
            return Double(monotonicNanoseconds() - start) / 1000
        }
        return Spread(micros).text
    }
}

/// Percentiles of a measurement in microseconds.
struct Spread {
    private let sorted: [Double]

    init(_ microseconds: [Double]) { sorted = microseconds.sorted() }

    func at(_ fraction: Double) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(fraction * Double(sorted.count)))]
    }

    var text: String { "p50 \(Int(at(0.5))) µs, p99 \(Int(at(0.99))) µs, max \(Int(at(1))) µs" }
}

/// One line of results, the same for every figure.
func report(_ what: String, count: Int, seconds: Double, _ spread: Spread, _ time: inout ProcessorTime) {
    let name = what.padding(toLength: 46, withPad: " ", startingAt: 0)
    print("\(name) \(String(Int(Double(count) / seconds)).leftPadded(to: 8))/s  \(spread.text)")
    print("    processor µs each: \(time.perOperation(count))")
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}

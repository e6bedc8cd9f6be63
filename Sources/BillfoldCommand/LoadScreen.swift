import Foundation
import LoadReport

/// What a load test shows on the terminal.
final class LoadScreen: Sendable {
    private let isLive: Bool

    init(isQuiet: Bool) { isLive = !isQuiet && isatty(STDERR_FILENO) == 1 }

    func show(_ progress: LoadProgress) {
        guard isLive else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(progress.phase.rawValue) \(progress.ok) ok \(Int(progress.okPerSecond))/s \(progress.note ?? "")".utf8))
    }

    func clear() {
        if isLive { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }

    static func print(_ run: LoadRun) {
        for totals in [run.overall] + run.scenarios {
            Swift.print("\(totals.name): \(totals.ok) ok, \(Int(totals.okPerSecond))/s, p50 \(totals.latency.p50Micros) p99 \(totals.latency.p99Micros) max \(totals.latency.maxMicros), planned \(totals.planned) refused \(totals.refused) errors \(totals.errors) repeated \(totals.repeated)")
        }
        for process in run.processes { Swift.print("\(process.name): \(process.cpuMicrosPerOperation ?? 0) µs/op, \(process.maxResidentBytes >> 20) MiB") }
        for setting in run.settings { Swift.print("\(setting.name): \(setting.value)") }
        for warning in run.warnings { Swift.print("WARNING \(warning)") }
        for check in run.verdict.checks {
            Swift.print("\(check.passed ? "ok  " : "FAIL") \(check.name): \(check.question) (\(check.examined))")
            for finding in check.findings.prefix(10) { Swift.print("       \(finding)") }
        }
        Swift.print(run.verdict.passed ? "PASS" : "FAIL")
    }

    static func html(_ run: LoadRun) -> Data { Data() }
}

import Bus
import BusZMQ
import Glibc
import HTTPClient
import Primitives
import ServiceKit

/// Compares gateways that run a new program with those that run the old one, by what they count of their requests.
enum CanaryWatch {
    /// Between two readings.
    private static let pause = Duration.milliseconds(500)

    /// Reads on a thread of its own, as this HTTP client blocks, and calls `judged` once: when the time is over, when
    /// the new ones are worse, or when one cannot be read.
    ///
    /// - Parameters:
    ///   - new: addresses of those with the new program.
    ///   - goesOn: whether anybody still waits.
    static func start(
        new: [String], old: [String], for time: Duration, while goesOn: @escaping @Sendable () -> Bool,
        judged: @escaping @Sendable (Canary.Verdict) -> Void
    ) {
        OSThread {
            do {
                let (newBefore, oldBefore) = (try figures(new), try figures(old))
                let end = monotonicNanoseconds() + UInt64(time.wholeMilliseconds) * 1_000_000
                while goesOn() {
                    usleep(UInt32(pause.wholeMilliseconds) * 1000)
                    let verdict = Canary.compare(try figures(new) - newBefore, with: try figures(old) - oldBefore)
                    if case .worse = verdict { return judged(verdict) }
                    if monotonicNanoseconds() >= end { return judged(verdict) }
                }
            } catch { judged(.unknown("its requests cannot be counted: \(error)")) }
        }.detach()
    }

    private struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    private static func figures(_ addresses: [String]) throws -> Canary.Figures {
        try addresses.reduce(Canary.Figures()) { sum, address in
            let response = try HTTPClient(HealthProbe.reachable(address)).request("GET", "/metrics")
            guard response.status == 200 else { throw Unreadable(description: "\(address) answers \(response.status)") }
            return sum + Canary.Figures(metrics: String(decoding: response.body, as: UTF8.self))
        }
    }
}

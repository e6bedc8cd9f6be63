import Contracts
import Synchronization

/// How many requests each route has answered, how, and how fast.
package final class RequestFigures: Sendable {
    /// Upper bounds of the histogram, in microseconds.
    private static let bounds: [Int64] = [500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 500_000, 10_000_000]

    private struct Row {
        /// By the first digit of the status.
        var statuses = [Int64](repeating: 0, count: 6)
        var buckets = [Int64](repeating: 0, count: RequestFigures.bounds.count + 1)
        var microseconds: Int64 = 0
    }

    private let names: [String]
    private let rows: Mutex<[Row]>

    init(_ routes: [Route]) {
        names = routes.map(\.name) + ["none"]
        rows = Mutex([Row](repeating: Row(), count: names.count))
    }

    /// - Parameter index: the route's place in the table; nil where no route was found.
    func count(_ index: Int?, status: Int, nanoseconds: UInt64) {
        let microseconds = Int64(nanoseconds / 1000)
        let bucket = Self.bounds.firstIndex { microseconds <= $0 } ?? Self.bounds.count
        rows.withLock { rows in
            let at = index ?? rows.count - 1
            rows[at].statuses[min(max(status / 100, 0), 5)] += 1
            rows[at].buckets[bucket] += 1
            rows[at].microseconds += microseconds
        }
    }

    /// What the gateway tells of itself beside what every process does.
    package var samples: [ServiceStats.Sample] {
        var samples: [ServiceStats.Sample] = []
        for (name, row) in zip(names, rows.withLock { $0 }) where row.statuses.contains(where: { $0 > 0 }) {
            for (digit, count) in row.statuses.enumerated() where count > 0 {
                samples.append(
                    .init(
                        name: "http_requests_total", kind: "counter",
                        labels: ["route": name, "status": "\(digit)xx"], value: count))
            }
            var sum: Int64 = 0
            let buckets = zip(Self.bounds, row.buckets).map { bound, count in
                sum += count
                return ServiceStats.Bucket(upTo: bound, count: sum)
            }
            samples.append(
                .init(
                    name: "http_request_seconds", kind: "histogram", labels: ["route": name],
                    value: row.microseconds, count: row.buckets.reduce(0, +), buckets: buckets))
        }
        return samples
    }
}

/// Compares a new program with the old one while both do a share of the work: how many requests fail, and how long they
/// take.
package enum Canary {
    /// The requests that processes have answered.
    package struct Figures: Sendable, Equatable {
        package private(set) var requests: Int64
        /// Answered with a status of 500 or above.
        package private(set) var failures: Int64
        /// Requests by how long they took: up to so many seconds, and not less than the bound before.
        package private(set) var times: [Double: Int64]

        package init(requests: Int64 = 0, failures: Int64 = 0, times: [Double: Int64] = [:]) {
            (self.requests, self.failures, self.times) = (requests, failures, times)
        }

        package static func + (one: Figures, other: Figures) -> Figures { one.combined(with: other, +) }

        /// The requests since an earlier reading of the same processes.
        package static func - (now: Figures, before: Figures) -> Figures { now.combined(with: before, -) }

        private func combined(with other: Figures, _ operation: (Int64, Int64) -> Int64) -> Figures {
            var times = times
            for (bound, count) in other.times { times[bound] = operation(times[bound] ?? 0, count) }
            return Figures(
                requests: operation(requests, other.requests), failures: operation(failures, other.failures),
                times: times)
        }

        var failing: Double { requests == 0 ? 0 : Double(failures) / Double(requests) }

        /// Seconds within which 99 of 100 requests were answered, as far as the bounds tell.
        var slowest: Double {
            let all = times.values.reduce(0, +)
            var rest = all - all * 99 / 100
            for (bound, count) in times.sorted(by: { $0.key > $1.key }) {
                rest -= count
                if rest < 0 || (rest == 0 && count > 0) { return bound }
            }
            return 0
        }
    }

    package enum Verdict: Sendable, Equatable {
        case asGood
        case worse(String)
        /// One of both has answered too few requests to be compared.
        case unknown(String)
    }

    /// So many requests of both are needed.
    package static let requestsMin: Int64 = 100
    /// The share of all requests that may fail more often than with the old program.
    package static let failingMore = 0.01
    /// The slowest hundredth may take so many times as long: one bound of the histogram more, but not two.
    package static let slowerTimes = 3.0
    /// Seconds within which nobody minds how many times as long it takes.
    package static let fastEnough = 0.025

    package static func compare(_ new: Figures, with old: Figures) -> Verdict {
        guard new.requests >= requestsMin, old.requests >= requestsMin else {
            return .unknown(
                "the new one got \(new.requests) requests and the old one \(old.requests), "
                    + "and each needs \(requestsMin) to be compared")
        }
        if new.failing > old.failing + failingMore {
            return .worse(
                "\(percent(new.failing)) of its requests failed, and \(percent(old.failing)) of the old one's")
        }
        if new.slowest > max(old.slowest * slowerTimes, fastEnough) {
            return .worse(
                "one in a hundred of its requests took up to \(milliseconds(new.slowest)), "
                    + "and of the old one's up to \(milliseconds(old.slowest))")
        }
        return .asGood
    }

    private static func percent(_ share: Double) -> String { "\(Double(Int((share * 1000).rounded())) / 10)%" }
    private static func milliseconds(_ seconds: Double) -> String {
        seconds.isFinite ? "\(Int((seconds * 1000).rounded(.up))) ms" : "any time"
    }
}

extension Canary.Figures {
    /// Reads what a gateway's `/metrics` says of its own requests.
    package init(metrics text: some StringProtocol) {
        self.init()
        // Counts up to a bound include those of the bounds below, by route.
        var sums: [String: [(bound: Double, count: Int64)]] = [:]
        for line in text.split(separator: "\n") {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                continue
            }
            let series = line[..<space]
            if series.hasPrefix("billfold_http_requests_total{") {
                requests += Int64(value)
                if Self.label("status", in: series) == "5xx" { failures += Int64(value) }
            } else if series.hasPrefix("billfold_http_request_seconds_bucket{"),
                let route = Self.label("route", in: series), let bound = Self.label("le", in: series)
            {
                let limit = bound == "+Inf" ? .infinity : Double(bound) ?? 0
                sums[route, default: []].append((limit, Int64(value)))
            }
        }
        for row in sums.values {
            var below: Int64 = 0
            for (bound, count) in row.sorted(by: { $0.bound < $1.bound }) {
                times[bound, default: 0] += count - below
                below = count
            }
        }
    }

    private static func label(_ name: String, in series: some StringProtocol) -> String? {
        guard let range = series.firstRange(of: "\(name)=\"") else { return nil }
        return String(series[range.upperBound...].prefix { $0 != "\"" })
    }
}

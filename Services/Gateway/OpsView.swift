import Contracts
import Primitives
import Wire

/// The running set as the operator's page draws it: counts since each process began, of which the page makes rates.
package struct OpsView: WireMessage, Equatable {
    package let time: Timestamp
    package let services: [Service]
    /// What was refused lately, newest first.
    package let faults: [Refusal]
    /// Messages that the broker dropped, by reason; absent where it does not answer.
    package let drops: [String: Int64]?
    /// As the wallet could read it last, each minute; absent where it tells nothing of it.
    package let ledger: Ledger?
    /// Absent where payments does not tell.
    package let payments: PaymentCount?

    package init(
        time: Timestamp, services: [Service], faults: [Refusal], drops: [String: Int64]?, ledger: Ledger? = nil,
        payments: PaymentCount? = nil
    ) {
        self.time = time
        self.services = services
        self.faults = faults
        self.drops = drops
        self.ledger = ledger
        self.payments = payments
    }

    package struct Ledger: Codable, Sendable, Equatable {
        /// The sum over all accounts by currency, in minor units: zero.
        package let totals: [String: Int64]
        package let entries: Int64
        /// The newest check of the whole ledger; absent where there was none since the wallet was started.
        package let verified: Wallet.Verification?
    }

    package struct PaymentCount: Codable, Sendable, Equatable {
        /// Charges that were paid, since the process that counts them was started.
        package let captured: Int64
        /// The process that has counted them.
        package let counter: String
    }

    package struct Service: Codable, Sendable, Equatable {
        package let service: String
        /// Processes that answer for it.
        package let workers: Int64
        package let paused: Bool
        /// Asks that wait, and how long the oldest of them has waited.
        package let queued: Int64
        package let oldestMilliseconds: Int64
        /// Asks that its processes have, of those that they take at once.
        package let inFlight: Int64
        package let credit: Int64
        /// Asks that were taken for it; of the gateway, HTTP requests.
        package let asks: Int64
        /// Who has counted them: one process, which begins at nothing when it starts again, or the broker.
        package let counter: String
        /// Whether it was asked for its figures, and has not answered in time.
        package let silent: Bool
        /// What one of its processes tells of itself; absent where none does.
        package let process: Process?
    }

    package struct Process: Codable, Sendable, Equatable {
        package let version: String?
        package let instance: String?
        /// Problems of a process that answers, a sentence each.
        package let troubles: [String]
        package let uptimeMilliseconds: Int64
        package let residentKiB: Int64
        /// Asks or requests that it has answered, and of them refused.
        package let answered: Int64
        package let refused: Int64
        /// How many of them were answered within so many microseconds, cumulative.
        package let buckets: [ServiceStats.Bucket]
    }

    package struct Refusal: Codable, Sendable, Equatable {
        package let time: Timestamp
        package let service: String
        /// The ask's type; of an HTTP request, method and path.
        package let name: String
        package let code: String?
        /// Of an HTTP request.
        package let status: Int64?
        package let correlation: MessageID
    }
}

extension OpsView.Service {
    /// - Parameters:
    ///   - queue: what the broker knows of it; nil where that does not know it.
    ///   - stats: what one of its processes tells.
    ///   - isSilent: whether none of them has answered.
    package init(_ service: String, queue: Broker.QueueStats?, stats: ServiceStats?, isSilent: Bool = false) {
        let process = stats.map { OpsView.Process($0) }
        // A lone process's own count: the broker's has the looks at it too.
        let own = (queue?.workers ?? 0) > 1 ? nil : process
        self.init(
            service: service, workers: Int64(queue?.workers ?? 0), paused: queue?.paused ?? false,
            queued: Int64(queue?.queued ?? 0), oldestMilliseconds: queue?.oldestMilliseconds ?? 0,
            inFlight: Int64(queue?.inFlight ?? 0), credit: Int64(queue?.credit ?? 0),
            asks: own?.answered ?? queue?.asks ?? 0, counter: own?.instance ?? "broker", silent: isSilent,
            process: process)
    }
}

extension OpsView.Process {
    fileprivate init(_ stats: ServiceStats) {
        let isGateway = stats.service == Gateway.service
        var (answered, refused) = (Int64(0), Int64(0))
        var buckets: [Int64: Int64] = [:]
        for sample in stats.metrics {
            switch sample.name {
            case isGateway ? "http_request_seconds" : "asks_seconds":
                // Being looked at is not what a service is for.
                if let type = sample.labels["type"] ?? sample.labels["route"],
                    Self.looks.contains(where: type.hasSuffix)
                {
                    continue
                }
                answered += sample.count ?? 0
                for bucket in sample.buckets ?? [] { buckets[bucket.upTo, default: 0] += bucket.count }
            case "ask_faults_total" where !isGateway: refused += sample.value
            case "http_requests_total" where isGateway:
                if let status = sample.labels["status"], status >= "4" { refused += sample.value }
            default: break
            }
        }
        self.init(
            version: stats.version, instance: stats.instance, troubles: stats.troubles,
            uptimeMilliseconds: stats.uptimeMilliseconds, residentKiB: stats.residentKiB, answered: answered,
            refused: refused,
            buckets: buckets.sorted { $0.key < $1.key }.map { ServiceStats.Bucket(upTo: $0.key, count: $0.value) })
    }

    private static let looks = [
        ".stats.read.v1", ".spans.read.v1", ".queues.read.v1", "readOps", "readHealth", "readMetrics"
    ]
}

extension OpsView.Ledger {
    /// - Parameter stats: what the wallet tells; nil for one that tells nothing of its ledger.
    package init?(_ stats: ServiceStats) {
        var (totals, values) = ([String: Int64](), [String: Int64]())
        for sample in stats.metrics where sample.name.hasPrefix("ledger_") {
            if sample.name == "ledger_total_minor", let currency = sample.labels["currency"] {
                totals[currency] = sample.value
            } else if sample.labels.isEmpty {
                values[sample.name] = sample.value
            }
        }
        guard let entries = values["ledger_entries"] else { return nil }
        let verified = values["ledger_check_timestamp_seconds"].map {
            Wallet.Verification(
                time: Timestamp(milliseconds: $0 / 1000), checked: values["ledger_check_entries"] ?? 0,
                problems: values["ledger_check_problems"] ?? 0)
        }
        self.init(totals: totals, entries: entries, verified: verified)
    }
}

extension OpsView.PaymentCount {
    /// - Parameter stats: what payments tells; nil for one that does not count its facts.
    package init?(_ stats: ServiceStats) {
        let counts = stats.metrics.filter { $0.name == "facts_total" }
        guard let instance = stats.instance, !counts.isEmpty else { return nil }
        let type = Payments.ChargeCaptured.type.name
        self.init(captured: counts.first { $0.labels["type"] == type }?.value ?? 0, counter: instance)
    }
}

extension OpsView.Refusal {
    package init(_ span: Span, of service: String) {
        self.init(
            time: Timestamp(milliseconds: span.startMicroseconds / 1000), service: service, name: span.name,
            code: span.fault, status: span.status.map { Int64($0) }, correlation: span.correlation)
    }
}

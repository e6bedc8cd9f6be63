import Bus
import Contracts
import Primitives
import Wire

extension Samples {
    static let shared: [Sample] =
        readFacts(of: Auth.self, like: Auth.PINLocked(account: customer, time: time))
        + readFacts(of: Wallet.self, like: paymentPosted)
        + readFacts(of: Payments.self, like: closedCharge)
        + readFacts(of: Location.self, like: entered)
        + readFacts(of: Offers.self, like: redeemed)
        + readFacts(of: Notifications.self, like: noticeAdded)
        + head(of: Auth.self) + head(of: Wallet.self) + head(of: Payments.self) + head(of: Location.self)
        + head(of: Offers.self) + head(of: Notifications.self)
        + readTable(of: Auth.self, .merchants) + readTable(of: Payments.self, .customerTransactions)
        + readTable(of: Location.self, .merchantLocation) + readTable(of: Offers.self, .coupons)
        + writeBackup(of: Auth.self) + writeBackup(of: Wallet.self) + writeBackup(of: Payments.self)
        + writeBackup(of: Location.self) + writeBackup(of: Offers.self) + writeBackup(of: Notifications.self)
        + readStats(of: Auth.self) + readStats(of: Wallet.self) + readStats(of: Payments.self)
        + readStats(of: Location.self) + readStats(of: Offers.self) + readStats(of: Notifications.self)
        + readStats(of: Broker.self) + readStats(of: Gateway.self)
        + readSpans(of: Auth.self) + readSpans(of: Wallet.self) + readSpans(of: Payments.self)
        + readSpans(of: Location.self) + readSpans(of: Offers.self) + readSpans(of: Notifications.self)
        + readSpans(of: Broker.self) + readSpans(of: Gateway.self)
        + ask(Broker.ReadQueues(), reply: queues)
        + ask(
            Broker.ReadWorkers(service: "wallet"), bare: Broker.ReadWorkers(), reply: workers,
            bareReply: Broker.ReadWorkers.Reply(workers: [foreignWorker]))
        + ask(
            Broker.PauseService(service: "wallet", forMilliseconds: 5_000),
            bare: Broker.PauseService(service: "wallet"),
            reply: Broker.Paused(service: "wallet", paused: true))
        + ask(
            Broker.ResumeService(service: "wallet"), reply: Broker.Paused(service: "wallet", paused: false))

    /// Refusals travel under any ask's type with `.fault` behind it.
    static let faults: [Sample] = [
        Sample(
            file: "fault", message: fullFault,
            envelope: answer(Wallet.PostPayment.type.fault, from: "wallet", fullFault.json)),
        Sample(
            file: "fault.bare", message: Fault(.busy),
            envelope: least(Auth.OpenSession.type.fault, from: "auth", Fault(.busy).json))
    ]
    private static let fullFault = Fault(.insufficientFunds, "$3.50 of $1.00", retryAfterSeconds: 30, replayed: true)

    static func readFacts<Source: FactSource, F: Fact>(of source: Source.Type, like fact: F) -> [Sample] {
        ask(
            ReadFacts<Source>(after: 40, limit: 1000),
            reply: FactsPage(facts: [41, 42].map { RawJSON(published(fact, $0).json) }, head: 42),
            bareReply: FactsPage(facts: [], head: 0))
    }

    private static func readTable<Service: BusService>(of service: Service.Type, _ table: PrintedTable) -> [Sample] {
        ask(
            ReadTable<Service>(table: table, after: 100, limit: 100),
            reply: TablePage(rows: [RawJSON(Array(#"{"merchant":"corner.cafe","productIndex":7}"#.utf8))], next: 101),
            bareReply: TablePage(rows: [], next: nil))
    }

    static func writeBackup<Service: BusService>(of service: Service.Type) -> [Sample] {
        func copy(entries: Int64?, hash: String?, chain: String? = nil) -> DataCopy {
            DataCopy(
                file: "\(Service.service)/data.sqlite", bytes: 4_096_000,
                sha256: String(repeating: "9f2c61d0", count: 8), head: 1009, cursors: ["wallet": 1000],
                keys: ["\(Service.service)/some.key"], pauseMicroseconds: 850, entries: entries, hash: hash,
                chain: chain)
        }
        return ask(
            WriteBackup<Service>(directory: "/var/backups/billfold/monday", keys: "/media/vault/monday"),
            bare: WriteBackup<Service>(directory: "/var/backups/billfold/monday"),
            reply: copy(
                entries: 900, hash: String(repeating: "0a", count: 32),
                chain: Service.self == Wallet.self ? String(repeating: "c4", count: 32) : nil),
            bareReply: copy(entries: nil, hash: nil))
    }

    // Dictionaries have one entry each: their order is not the same in every process.
    static func readStats<Service: BusService>(of service: Service.Type) -> [Sample] {
        ask(
            ReadStats<Service>(),
            reply: ServiceStats(
                service: Service.service, uptimeMilliseconds: 3_600_000, residentKiB: 20_480,
                metrics: [
                    ServiceStats.Sample(
                        name: "billfold_ask_microseconds", kind: "histogram",
                        labels: ["type": "\(Service.service).stats.read.v1"], value: 1234, count: 2,
                        buckets: [ServiceStats.Bucket(upTo: 500, count: 1), ServiceStats.Bucket(upTo: 1000, count: 2)]),
                    ServiceStats.Sample(name: "billfold_open", kind: "gauge", labels: [:], value: -1)
                ], version: "1.2.3", instance: "9f2c61d0a7b3e845", processID: 4711, startedAt: time),
            // As before there were versions.
            bareReply: ServiceStats(
                service: Service.service, uptimeMilliseconds: 0, residentKiB: 20_480, metrics: []))
    }

    static func readSpans<Service: BusService>(of service: Service.Type) -> [Sample] {
        ask(
            ReadSpans<Service>(id: MessageID(standingFor: askID), refused: false, limit: 100),
            bare: ReadSpans<Service>(id: nil, refused: true, limit: 1),
            reply: ReadSpans<Service>.Reply(spans: [
                Span(
                    id: MessageID(standingFor: envelopeID), parent: MessageID(standingFor: askID),
                    correlation: MessageID(standingFor: askID), trace: TraceID(traceparent: traceparent),
                    name: "wallet.payment.post.v1", startMicroseconds: 1_795_253_400_000_250, microseconds: 812,
                    fault: "wallet.insufficient_funds", status: 402),
                Span(
                    id: MessageID(standingFor: askID), parent: nil, correlation: MessageID(standingFor: askID),
                    trace: nil, name: "POST /v1/payments", startMicroseconds: 1_795_253_400_000_000,
                    microseconds: 1430, fault: nil, status: nil)
            ]))
    }

    private static let workers = Broker.ReadWorkers.Reply(
        workers: [
            Broker.WorkerStats(
                service: "wallet", dialect: "billfold", credit: 512, inFlight: 6, draining: false,
                connectedMilliseconds: 3_600_000, silentMilliseconds: 12, processID: 4711)
        ])
    private static let foreignWorker = Broker.WorkerStats(
        service: "offers", dialect: "mdp02", credit: 1, inFlight: 0, draining: false, connectedMilliseconds: 2_000,
        silentMilliseconds: 900, processID: nil)
    private static let queues = Broker.ReadQueues.Reply(
        instance: "9f2c61d0a7b3e845", uptimeMilliseconds: 3_600_000,
        services: [
            Broker.QueueStats(
                service: "wallet", workers: 1, credit: 250, queued: 3, queuedBytes: 1500, oldestMilliseconds: 12,
                inFlight: 6, paused: false, asks: 1009, answers: 1000)
        ],
        drops: ["unknown_token": 1])
}

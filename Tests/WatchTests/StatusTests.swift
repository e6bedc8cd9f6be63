import Contracts
import Primitives
import Testing
import Watch
import Wire

@Suite("a set's state")
struct StatusTests {
    private func queue(
        _ service: String, workers: Int = 1, asks: Int64 = 0, paused: Bool = false
    ) -> Broker.QueueStats {
        Broker.QueueStats(
            service: service, workers: workers, credit: 256, queued: 0, queuedBytes: 0, oldestMilliseconds: 0,
            inFlight: 0, paused: paused, asks: asks, answers: asks)
    }

    private func stats(
        _ service: String, instance: String = "a", uptime: Int64 = 60_000, asks: Int64 = 0, faults: Int64 = 0,
        type: String = "wallet.payment.post.v1", processID: Int64? = 7
    ) -> ServiceStats {
        ServiceStats(
            service: service, uptimeMilliseconds: uptime, residentKiB: 2048,
            metrics: [
                .init(
                    name: "asks_seconds", kind: "histogram", labels: ["type": type], value: 0, count: asks,
                    buckets: [.init(upTo: 100, count: asks / 2), .init(upTo: 1000, count: asks)]),
                .init(name: "ask_faults_total", kind: "counter", labels: ["type": type, "code": "x.y"], value: faults)
            ], version: "1.0.0", instance: instance, processID: processID, startedAt: Timestamp(milliseconds: 0))
    }

    private func worker(_ service: String, _ dialect: String, draining: Bool = false) -> Broker.WorkerStats {
        Broker.WorkerStats(
            service: service, dialect: dialect, credit: 1, inFlight: 0, draining: draining, connectedMilliseconds: 5000,
            silentMilliseconds: 10, processID: nil)
    }

    private func look(
        _ seconds: UInt64, _ queues: [Broker.QueueStats], _ stats: [String: [ServiceStats]] = [:],
        workers: [Broker.WorkerStats]? = nil
    ) -> SetLook {
        SetLook(
            nanoseconds: seconds * 1_000_000_000, time: Timestamp(milliseconds: Int64(seconds) * 1000),
            queues: .init(instance: "b", uptimeMilliseconds: 0, services: queues, drops: [:]), stats: stats,
            workers: workers)
    }

    private func wallet(_ now: SetLook, since before: SetLook) throws -> ServiceStatus {
        try #require(now.status(since: before).first { $0.service == "wallet" })
    }

    @Test("a foreign process that does not tell its number is one process")
    func untold() throws {
        let before = look(10, [queue("wallet")], ["wallet": [stats("wallet", processID: nil)]])
        let now = look(
            12, [queue("wallet")], ["wallet": [stats("wallet", uptime: 62_000, processID: nil)]],
            workers: [worker("wallet", "MDPW01")])
        #expect(try wallet(now, since: before).workers.count == 1)
    }

    @Test("rates, percentiles and faults are of the time between two looks")
    func rates() throws {
        let before = look(10, [queue("wallet", asks: 100)], ["wallet": [stats("wallet", asks: 100, faults: 3)]])
        let now = look(
            12, [queue("wallet", asks: 500)], ["wallet": [stats("wallet", uptime: 62_000, asks: 500, faults: 5)]])
        let wallet = try wallet(now, since: before)
        #expect(wallet.state == .ok && wallet.rate == 200 && wallet.faultRate == 1)
        #expect(wallet.p50 == 100 && wallet.p99.map { $0.rounded() } == 982)
        #expect(wallet.versions == ["1.0.0"] && wallet.residentBytes == 2_097_152)
    }

    @Test("a process that has started anew began at nothing")
    func restarted() throws {
        let before = look(10, [queue("wallet")], ["wallet": [stats("wallet", asks: 100)]])
        let now = look(11, [queue("wallet")], ["wallet": [stats("wallet", instance: "b", uptime: 500, faults: 2)]])
        #expect(try wallet(now, since: before).faultRate == 2)
    }

    @Test("being looked at is no work")
    func looks() throws {
        let before = look(10, [queue("wallet")], ["wallet": [stats("wallet", asks: 1, type: "wallet.stats.read.v1")]])
        let now = look(11, [queue("wallet")], ["wallet": [stats("wallet", asks: 9, type: "wallet.stats.read.v1")]])
        #expect(try wallet(now, since: before).p50 == nil)
    }

    @Test("states")
    func states() throws {
        func state(_ now: SetLook) throws -> ServiceStatus.State { try wallet(now, since: now).state }
        #expect(try state(look(1, [])) == .missing)
        #expect(try state(look(1, [queue("wallet", workers: 0)])) == .missing)
        #expect(try state(look(1, [queue("wallet")])) == .untold)
        #expect(try state(look(1, [queue("wallet", paused: true)], ["wallet": [stats("wallet")]])) == .paused)
        #expect(
            try state(
                look(1, [queue("wallet", workers: 0)], workers: [worker("wallet", "billfold", draining: true)]))
                == .draining)
    }

    @Test(
        "a service that answers and says that something is wrong with it is unwell, with the reason",
        arguments: [
            ("facts_diverged", "it reads no more facts of location"),
            ("facts_stopped", "it stands still behind the facts of location"), ("store_refusing", "its store refuses")
        ])
    func unwell(gauge: String, words: String) throws {
        func stats(_ value: Int64) -> ServiceStats {
            ServiceStats(
                service: "wallet", uptimeMilliseconds: 1, residentKiB: 1,
                metrics: [.init(name: gauge, kind: "gauge", labels: ["source": "location"], value: value)])
        }
        let well = look(1, [queue("wallet")], ["wallet": [stats(0)]])
        #expect(try wallet(well, since: well).state == .ok)
        let now = look(1, [queue("wallet")], ["wallet": [stats(0), stats(1)]])
        let found = try wallet(now, since: now)
        #expect(found.state == .unwell && found.troubles.count == 1 && found.troubles[0].contains(words))
        #expect(SetStatusText.table([found], colour: false, instances: false).contains("wallet: "))
        #expect(SetStatusText.table([found], colour: false, instances: false).contains(words))
        let json = SetStatusText.json([found], at: Timestamp(milliseconds: 0), overSeconds: 1)
        #expect(json.text.contains("\"state\":\"unwell\"") && json.text.contains(words))
    }

    @Test("a foreign worker is shown as one, and a foreign service after the set's own")
    func foreign() throws {
        let now = look(
            1, [queue("wallet", workers: 2), queue("rates")], ["wallet": [stats("wallet")]],
            workers: [worker("wallet", "billfold"), worker("wallet", "mdp01")])
        let services = now.status(since: now)
        #expect(services.last?.service == "rates" && services.last?.state == .untold)
        let workers = try wallet(now, since: now).workers
        #expect(workers.count == 2 && workers[0].stats != nil && workers[1].seen?.dialect == "mdp01")
        let table = SetStatusText.table(services, colour: false, instances: true)
        #expect(table.contains("wallet   mdp01") && table.contains("\nrates"))
        #expect(table.contains("\nwallet: 2 processes\n"))
        #expect(SetStatusText.json(services, at: now.time, overSeconds: 1)["services"] != nil)
    }

    @Test("a foreign service that has ended is shown only while something waits for it")
    func foreignEnded() {
        func services(_ rates: Broker.QueueStats) -> [String] {
            let now = look(1, [queue("wallet"), rates], ["wallet": [stats("wallet")]])
            return now.status(since: now).map(\.service)
        }
        #expect(services(queue("rates", workers: 1)).contains("rates"))
        #expect(services(queue("rates", workers: 0, paused: true)).contains("rates"))
        #expect(!services(queue("rates", workers: 0)).contains("rates"))
        // Of the set's own, one that is missing stays.
        #expect(services(queue("offers", workers: 0)).contains("offers"))
    }

    @Test("colours are on the states alone, and every line fits into 80 columns")
    func colours() throws {
        let present = SetLook.expected.filter { $0 != "offers" }
        let figures = present.map {
            ($0, [stats($0, instance: "0123456789abcdef", uptime: 12_345_678, asks: 123_456, faults: 9_999)])
        }
        let busy = look(
            2, SetLook.expected.map { queue($0, workers: $0 == "offers" ? 0 : 1, asks: 1) },
            Dictionary(uniqueKeysWithValues: figures), workers: [worker("wallet", "billfold")])
        let services = busy.status(since: look(1, []))
        let plain = SetStatusText.table(services, colour: false, instances: true)
        #expect(plain.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let lines = SetStatusText.table(services, colour: true, instances: false).split(separator: "\n")
        let broker = try #require(lines.first { $0.hasPrefix("broker") })
        #expect(broker.hasPrefix("broker         \u{1B}[32mok\u{1B}[0m"))
        #expect(broker.count { $0 == "\u{1B}" } == 2)
        let offers = try #require(lines.first { $0.hasPrefix("offers") })
        #expect(offers.hasPrefix("offers         \u{1B}[1;31mmissing\u{1B}[0m"))
    }

    @Test("what is beyond the last bound took at least that long; nothing has no percentile")
    func distributions() {
        var distribution = Distribution()
        #expect(distribution.quantile(0.5) == nil)
        distribution.add(
            .init(
                name: "x", kind: "histogram", labels: [:], value: 0, count: 10,
                buckets: [.init(upTo: 100, count: 5), .init(upTo: 200, count: 5)]))
        #expect(distribution.quantile(0.5) == 100 && distribution.quantile(0.25) == 50)
        #expect(distribution.quantile(0.99) == 200)
    }
}

import Contracts
import GatewayService
import Primitives
import Testing

@Suite("the operator's view")
struct OpsViewTests {
    private func timed(_ name: String, _ labels: [String: String], _ counts: (Int64, Int64)) -> ServiceStats.Sample {
        .init(
            name: name, kind: "histogram", labels: labels, value: 0, count: counts.1,
            buckets: [.init(upTo: 100, count: counts.0), .init(upTo: 1000, count: counts.1)])
    }

    private func stats(_ service: String, _ metrics: [ServiceStats.Sample]) -> ServiceStats {
        ServiceStats(
            service: service, uptimeMilliseconds: 7, residentKiB: 8, metrics: metrics, version: "1.0.0", instance: "a")
    }

    @Test("sums what a service has answered over its types, but for being looked at")
    func sums() {
        let view = OpsView.Service(
            "wallet",
            queue: .init(
                service: "wallet", workers: 2, credit: 500, queued: 3, queuedBytes: 9, oldestMilliseconds: 4,
                inFlight: 5, paused: true, asks: 60, answers: 50),
            stats: stats(
                "wallet",
                [
                    timed("asks_seconds", ["type": "wallet.payment.post.v1"], (2, 5)),
                    timed("asks_seconds", ["type": "wallet.card.read.v1"], (1, 1)),
                    timed("asks_seconds", ["type": "wallet.stats.read.v1"], (100, 100)),
                    .init(name: "ask_faults_total", kind: "counter", labels: ["code": "a.b"], value: 2),
                    .init(name: "ask_faults_total", kind: "counter", labels: ["code": "a.c"], value: 1)
                ]))
        #expect(view.counter == "broker" && !view.silent)
        #expect(view.asks == 60 && view.workers == 2 && view.paused && view.queued == 3 && view.inFlight == 5)
        #expect(view.process?.answered == 6 && view.process?.refused == 3)
        #expect(view.process?.buckets == [.init(upTo: 100, count: 3), .init(upTo: 1000, count: 6)])
    }

    @Test("of the gateway it is HTTP requests")
    func gateway() {
        let view = OpsView.Service(
            "gateway", queue: nil,
            stats: stats(
                "gateway",
                [
                    timed("http_request_seconds", ["route": "createPayment"], (1, 4)),
                    timed("http_request_seconds", ["route": "readOps"], (90, 90)),
                    timed("asks_seconds", ["type": "x.y.z.v1"], (70, 70)),
                    .init(name: "http_requests_total", kind: "counter", labels: ["status": "2xx"], value: 3),
                    .init(name: "http_requests_total", kind: "counter", labels: ["status": "4xx"], value: 1)
                ]))
        #expect(view.asks == 4 && view.process?.answered == 4 && view.process?.refused == 1)
        #expect(view.counter == "a")
        #expect(OpsView.Service("offers", queue: nil, stats: nil).process == nil)
        #expect(OpsView.Service("offers", queue: nil, stats: nil, isSilent: true).silent)
    }

    @Test("what is wrong with a service that answers is told")
    func troubles() {
        let refusing = stats("wallet", [.init(name: "clock_refusing", kind: "gauge", labels: [:], value: 1)])
        let view = OpsView.Service("wallet", queue: nil, stats: refusing)
        #expect(view.process?.troubles == ["it writes nothing, because its clock is wrong"])
    }

    private func gauge(_ name: String, _ value: Int64, _ labels: [String: String] = [:]) -> ServiceStats.Sample {
        .init(name: name, kind: "gauge", labels: labels, value: value)
    }

    @Test("the ledger's sum by currency and its newest check, if there was one")
    func ledger() {
        let sums = [
            gauge("ledger_entries", 12), gauge("ledger_total_minor", 0, ["currency": "USD"]),
            gauge("ledger_total_minor", -1, ["currency": "EUR"]),
            gauge("ledger_balance_minor", 7, ["currency": "USD", "kind": "card"])
        ]
        let ledger = OpsView.Ledger(stats("wallet", sums))
        #expect(ledger?.totals == ["USD": 0, "EUR": -1] && ledger?.entries == 12 && ledger?.verified == nil)
        let check = [
            gauge("ledger_check_timestamp_seconds", 5_000_000), gauge("ledger_check_entries", 11),
            gauge("ledger_check_problems", 2)
        ]
        #expect(
            OpsView.Ledger(stats("wallet", sums + check))?.verified
                == Wallet.Verification(time: Timestamp(milliseconds: 5000), checked: 11, problems: 2))
        #expect(OpsView.Ledger(stats("wallet", [])) == nil)
    }

    @Test("payments are the charges that were captured, not other facts")
    func payments() {
        func counted(_ type: String, _ value: Int64) -> ServiceStats.Sample {
            .init(name: "facts_total", kind: "counter", labels: ["type": type], value: value)
        }
        let told = [counted("payments.charge.captured.v1", 3), counted("payments.charge.refunded.v1", 4)]
        let count = OpsView.PaymentCount(stats("payments", told))
        #expect(count?.captured == 3 && count?.counter == "a")
        #expect(OpsView.PaymentCount(stats("payments", [])) == nil)
    }
}

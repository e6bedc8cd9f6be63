import Supervision
import Testing

@Suite("A canary")
struct CanaryTests {
    private func figures(_ requests: Int64, failures: Int64 = 0, _ times: [Double: Int64]) -> Canary.Figures {
        Canary.Figures(requests: requests, failures: failures, times: times)
    }

    @Test("is worse where more requests fail, or the slowest take much longer, than with the old program")
    func verdicts() {
        let old = figures(1000, failures: 2, [0.001: 900, 0.005: 95, 0.01: 5])
        #expect(Canary.compare(old, with: old) == .asGood)
        #expect(Canary.compare(figures(200, failures: 2, [0.001: 190, 0.005: 10]), with: old) == .asGood)
        guard case .worse(let failing) = Canary.compare(figures(200, failures: 3, [0.001: 200]), with: old),
            case .worse(let slow) = Canary.compare(figures(200, [0.001: 150, 0.1: 50]), with: old)
        else {
            _ = Issue.record("neither is worse")
            return
        }
        #expect(failing == "1.5% of its requests failed, and 0.2% of the old one's")
        #expect(slow.hasPrefix("one in a hundred of its requests took up to 100 ms"))
        // Nobody minds how many times as long a short time is.
        #expect(Canary.compare(figures(200, [0.01: 200]), with: figures(200, [0.001: 200])) == .asGood)
        // One slow request in more than a hundred is none of the slowest hundredth.
        #expect(Canary.compare(figures(200, [0.001: 199, 0.1: 1]), with: old) == .asGood)
    }

    @Test("is not known where one of both has answered too little")
    func unknown() {
        let (few, many) = (figures(99, failures: 99, [1: 99]), figures(1000, [0.001: 1000]))
        for (new, old) in [(few, many), (many, few)] {
            guard case .unknown = Canary.compare(new, with: old) else {
                _ = Issue.record("\(new) and \(old) were compared")
                continue
            }
        }
    }

    @Test("is read from a gateway's metrics, all routes together, without what was counted before")
    func metrics() {
        let text = """
            # TYPE billfold_http_requests_total counter
            billfold_http_requests_total{service="gateway",route="a",status="2xx"} 7
            billfold_http_requests_total{service="gateway",route="a",status="5xx"} 2
            billfold_http_requests_total{service="gateway",route="b",status="4xx"} 1
            billfold_http_request_seconds_bucket{service="gateway",route="a",le="0.001"} 5
            billfold_http_request_seconds_bucket{service="gateway",route="a",le="0.01"} 8
            billfold_http_request_seconds_bucket{service="gateway",route="a",le="+Inf"} 9
            billfold_http_request_seconds_bucket{service="gateway",route="b",le="0.001"} 1
            billfold_http_request_seconds_bucket{service="gateway",route="b",le="+Inf"} 1
            billfold_asks_seconds_bucket{service="auth",le="0.001"} 100
            """
        let read = Canary.Figures(metrics: text)
        #expect(read == figures(10, failures: 2, [0.001: 6, 0.01: 3, .infinity: 1]))
        #expect(read - read == figures(0, [0.001: 0, 0.01: 0, .infinity: 0]))
        #expect(read + Canary.Figures() == read)
    }
}

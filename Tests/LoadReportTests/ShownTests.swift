import TerminalText
import Testing

@Suite("Figures in words")
struct ShownTests {
    @Test(
        "latencies",
        arguments: [
            (0, "0.0 µs"), (9.94, "9.9 µs"), (9.96, "10 µs"), (850, "850 µs"), (999.4, "999 µs"), (999.6, "1.00 ms"),
            (1254, "1.25 ms"), (9996, "10.0 ms"), (99_960, "100 ms"), (999_400, "999 ms"), (999_600, "1.00 s"),
            (1_420_000, "1.42 s"), (3_600_000_000, "3,600 s"), (-1500, "-1.50 ms")
        ] as [(Double, String)])
    func latency(micros: Double, text: String) {
        #expect(Shown.latency(micros: micros) == text)
    }

    @Test("what is not known, or no number, is a dash")
    func unknown() {
        #expect(Shown.latency(micros: nil) == "–")
        #expect(Shown.latency(micros: .nan) == "–")
        #expect(Shown.rate(.infinity) == "–")
        #expect(Shown.span(seconds: nil) == "–")
        #expect(Shown.fixed(1e300, 2) == "–")
    }

    @Test(
        "rates",
        arguments: [
            (0, "0/s"), (0.26, "0.3/s"), (9.94, "9.9/s"), (9.96, "10/s"), (999.6, "1,000/s"),
            (1_234_567.4, "1,234,567/s")
        ] as [(Double, String)])
    func rate(perSecond: Double, text: String) {
        #expect(Shown.rate(perSecond) == text)
    }

    @Test(
        "counts",
        arguments: [
            (0, "0"), (999, "999"), (1000, "1,000"), (-12_345, "-12,345"), (Int.min, "-9,223,372,036,854,775,808")
        ])
    func count(number: Int, text: String) {
        #expect(Shown.count(number) == text)
    }

    @Test(
        "bytes",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "0.98 KiB"), (1024, "1.00 KiB"), (41_943_040, "40.0 MiB"),
            (Int64.max, "8,388,608 TiB")
        ] as [(Int64, String)])
    func bytes(bytes: Int64, text: String) {
        #expect(Shown.bytes(bytes) == text)
    }

    @Test(
        "spans",
        arguments: [
            (0, "0 s"), (0.04, "0 s"), (1.25, "1.3 s"), (2, "2 s"), (59.94, "59.9 s"), (59.96, "1 min"),
            (125, "2 min 5 s"),
            (3600, "1 h"), (3725, "1 h 2 min")
        ] as [(Double, String)])
    func span(seconds: Double, text: String) {
        #expect(Shown.span(seconds: seconds) == text)
    }

    @Test(
        "shares: a part that is there is never 0 %, one that is missing never all",
        arguments: [
            (0, 0, "–"), (0, 9, "0 %"), (9, 9, "100 %"), (1, 8, "12.5 %"), (1, 1_000_000, "< 0.01 %"),
            (999_999, 1_000_000, "> 99.99 %"), (21, 144_400, "0.01 %"), (995, 1000, "99.50 %")
        ])
    func share(part: Int, whole: Int, text: String) {
        #expect(Shown.share(part, of: whole) == text)
    }

    @Test(
        "percentiles without needless zeros",
        arguments: [(0, "0 %"), (50, "50 %"), (99.9, "99.9 %"), (99.9999, "99.9999 %"), (100, "100 %")]
            as [(Double, String)])
    func percentile(percentile: Double, text: String) {
        #expect(Shown.percentile(percentile) == text)
    }
}

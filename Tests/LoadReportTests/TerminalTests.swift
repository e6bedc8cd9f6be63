import LoadReport
import Testing

@Suite("Terminal")
struct TerminalTests {
    @Test("the table of a run, to the letter")
    func table() {
        #expect(LoadRun.small.table(colour: false) == Self.golden)
    }

    @Test("colour changes nothing but colour, and comes only when told")
    func colour() {
        let coloured = LoadRun.small.table(colour: true)
        #expect(coloured.contains("\u{1B}[1;31mFAIL\u{1B}[0m"))
        #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == Self.golden)
        #expect(!Self.golden.contains("\u{1B}"))
    }

    @Test(
        "a terminal gets no control characters from outside",
        arguments: [LoadRun.hostile, .odd, .empty, .allErrors, .onePoint])
    func controls(run: LoadRun) {
        let text = run.table(colour: false)
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
        #expect(!text.unicodeScalars.contains("\u{202E}"))
        #expect(text.contains("money: "))
    }

    @Test("no line ends with a space, the last one with a line feed")
    func lines() {
        let text = LoadRun.disturbed.table(colour: false)
        #expect(text.hasSuffix("found something.\n") || text.hasSuffix("examined)\n"))
        #expect(!text.contains(" \n") && !text.contains("\n\n\n"))
        #expect(text.contains("money: PASS  The money is right. All 6 checks passed."))
    }

    private static let golden = """
        Three seconds
        2026-11-21 10:00:00 UTC, over HTTP, through the gateway, open loop at 2,000/s
        1 s of warm-up, 3 s measured, seed 42
        100 % pay
        1,000 customers, 1,500 cards, 20 merchants, chosen zipf 0.9
        2 cores, Example 3000, 8.00 GiB of memory, kernel 6.1.0
        Mind: The generator was up to 12 ms late.

        scenario  planned   sent     ok  refused  errors  repeated     ok/s
        pay         6,000  6,000  5,988       10       2         7  1,996/s
        all         6,000  6,000  5,988       10       2         7  1,996/s

        latency     min     mean      p50      p90      p99    p99.9   p99.99     max
        pay      412 µs  1.38 ms  1.21 ms  2.20 ms  4.51 ms  18.9 ms  81.2 ms  812 ms
        all      412 µs  1.38 ms  1.21 ms  2.20 ms  4.51 ms  18.9 ms  81.2 ms  812 ms

        code                       what     operations
        wallet.insufficient_funds  refused          10
        bus.outcome_unknown        error             2

        process  CPU/operation  cores, mean  cores, max  memory, max  restarts
        wallet          213 µs         0.50        0.50     40.0 MiB         1
        load             98 µs         0.25        0.25     20.0 MiB         0

        fdatasync, 4 KiB     p50      p99      max
        before            450 µs  1.10 ms  5.30 ms
        after             470 µs  1.30 ms  6.10 ms

           at  done to the set
        2.1 s  kill wallet, away 0.6 s

           rate  answered ok      p99  errors  within the limit
        1,000/s      1,000/s  3.10 ms       0  yes
        2,000/s      1,400/s   912 ms       3  no
        3,000/s          0/s        –   9,000  no
        Highest rate with p99 within 20.0 ms: 1,000/s.

        money: FAIL  The money is not right. 1 of 2 checks found something.
          PASS  The sum over all accounts is zero (sum_is_zero, 1,521 examined)
          FAIL  Every payment that was answered ok is in the ledger, once (answers_kept, 5,988 examined)
                - payment 0a1b is in the ledger twice
                - payment 2c3d is missing
                … and 3 more

        """
}

@Suite("Progress")
struct ProgressTests {
    private let measuring = LoadProgress(
        phase: .measuring, elapsedSeconds: 24.4, totalSeconds: 60, okPerSecond: 1996, p50Micros: 1210, p99Micros: 4510,
        ok: 48_000, refused: 3, errors: 0, inFlight: 12)

    @Test("a status for a terminal")
    func line() {
        #expect(
            measuring.line(columns: 140, colour: false)
                == "measuring  [########············]  40 %  0:36 left  1,996/s  p50 1.21 ms  p99 4.51 ms  "
                + "0 errors  3 refused  12 in flight"
        )
    }

    @Test(
        "in a narrow terminal the least important goes first, the phase stays", arguments: [0, 10, 40, 60, 80, 100, 120]
    )
    func narrow(columns: Int) {
        let line = measuring.line(columns: columns, colour: false)
        #expect(line.count <= max(columns, "measuring".count))
        #expect(line.hasPrefix("measuring"))
        if columns >= 60 { #expect(line.contains("40 %") && line.contains("p99 4.51 ms") && line.contains("1,996/s")) }
    }

    @Test("colour takes no room, and drawing over takes the old line away")
    func colour() {
        var bad = measuring
        bad.errors = 1
        let plain = bad.line(columns: 90, colour: false)
        let coloured = bad.line(columns: 90, colour: true)
        #expect(plain.contains("1 error") && !plain.contains("1 errors"))
        #expect(coloured.contains("\u{1B}[1;31m1 error\u{1B}[0m"))
        #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
        #expect(bad.redrawn(columns: 90, colour: false) == "\r\(plain)\u{1B}[K")
    }

    @Test("warm-up is told, and what is not known is a dash")
    func warmUp() {
        let progress = LoadProgress(phase: .warmUp, elapsedSeconds: 2, totalSeconds: 10, note: "step 1\u{1B}[2J")
        let line = progress.line(columns: 200, colour: false)
        #expect(line.hasPrefix("warm-up  [####················]  20 %  0:08 left"))
        #expect(line.contains("p99 –") && line.contains("step 1\u{FFFD}[2J"))
    }

    @Test("phases without load show no load")
    func phases() {
        let preparing = LoadProgress(phase: .preparing, elapsedSeconds: 5, fraction: 0.25, note: "accounts")
        #expect(
            preparing.line(columns: 90, colour: false) == "preparing  [#####···············]  25 %  0:15 left  accounts"
        )
        let checking = LoadProgress(phase: .checking, elapsedSeconds: 3661)
        #expect(checking.line(columns: 90, colour: false) == "checking the money  1:01:01")
    }

    @Test(
        "a phase that lasts longer than planned is no more than done",
        arguments: [0, -5, 70, .infinity, .nan] as [Double])
    func late(elapsed: Double) {
        var progress = measuring
        progress.elapsedSeconds = elapsed
        #expect((0...1).contains(progress.done ?? 0))
        #expect(progress.line(columns: 200, colour: false).contains("in flight"))
        progress.totalSeconds = 0
        #expect(progress.done == nil)
    }
}

import Majordomo
import Testing

/// Copies for operators.
@Suite("Taps")
struct TapTests {
    private let key = Bytes(repeating: 7, count: 32)

    private func tapped(_ service: String = "s", _ limits: Limits = Limits()) -> Harness {
        let bus = Harness(limits)
        bus.router.operatorKey = key
        bus.send(BF.ready("s", credit: 10), from: "w")
        bus.send(BF.watch(service, key: key), from: "tap")
        return bus
    }

    @Test(
        "who has the key gets the ask and its answer under one number; the bus goes on as before", arguments: ["s", "*"]
    )
    func copies(service: String) throws {
        let bus = tapped(service)
        #expect(bus.take("tap") == [BF.watching(0)])
        bus.send(BF.ask("s", "question", tag: 5), from: "c")
        let asked = try #require(bus.take("w").first)
        bus.send(BF.reply(BF.token(asked), "answer"), from: "w")
        #expect(bus.take("c") == [[BF.answer(tag: 5), text("answer")]])
        let now = UInt64(bus.now.unixMs) * 1_000
        #expect(
            bus.take("tap") == [
                BF.copy(1, number: 1, unixMicroseconds: now, "s", "question"),
                BF.copy(2, number: 1, unixMicroseconds: now, "s", "answer")
            ])
    }

    @Test("a wrong key, no key at the broker and a short key give nothing", arguments: [true, false])
    func wrongKey(brokerHasKey: Bool) {
        let bus = Harness()
        if brokerHasKey { bus.router.operatorKey = key }
        bus.send(BF.ready("s", credit: 10), from: "w")
        bus.send(BF.watch("s", key: Bytes(repeating: 8, count: 32)), from: "tap")
        #expect(bus.take("tap") == [BF.watching(1)])
        bus.send([text("BFC1") + [8, 0, 0, 0] + Bytes(repeating: 0, count: 32)], from: "tap")
        bus.send(BF.ask("s"), from: "c")
        #expect(bus.take("tap").isEmpty)
    }

    @Test("a tap of another service gets nothing; one that falls silent or is gone is forgotten")
    func bounds() {
        let other = tapped("other")
        _ = other.take("tap")
        other.send(BF.ask("s"), from: "c")
        #expect(other.take("tap").isEmpty)

        let silent = tapped()
        _ = silent.take("tap")
        silent.send(BF.heartbeat, from: "w")
        silent.pass(ms: 9_000)
        #expect(!silent.isUntapped)
        silent.pass(ms: 1_100)
        #expect(silent.isUntapped)

        let gone = tapped()
        gone.gone = ["tap"]
        gone.send(BF.ask("s"), from: "c")
        #expect(gone.isUntapped)
        #expect(gone.drops(.copyLost) == 1)
        #expect(gone.take("w").count == 1)
    }

    @Test("there are only so many taps; who says it again stays one")
    func count() {
        var limits = Limits()
        limits.taps = 2
        let bus = tapped("s", limits)
        for name in ["tap", "second", "third"] { bus.send(BF.watch("s", key: key), from: name) }
        #expect(bus.take("tap") == [BF.watching(0), BF.watching(0)])
        #expect(bus.take("second") == [BF.watching(0)])
        #expect(bus.take("third") == [BF.watching(1)])
    }

    @Test("the broker's refusal is copied too")
    func refusals() {
        let bus = tapped("nobody")
        _ = bus.take("tap")
        bus.send(BF.ask("nobody", "lost", tag: 1), from: "c")
        bus.pass(ms: 9_000)
        bus.send(BF.watch("nobody", key: key), from: "tap")
        bus.pass(ms: 1_100)
        let refusal = bus.take("c")[0]
        #expect(refusal[0] == BF.answer(tag: 1, status: 1))
        let copies = bus.take("tap")
        #expect(copies.count == 3)
        #expect(copies[0] == BF.copy(1, number: 1, unixMicroseconds: 1_700_000_001_000_000, "nobody", "lost"))
        #expect(Bytes(copies[2][0].prefix(16)) == text("BFC1") + [10, 4, 0, 0] + big(UInt64(1)))
        #expect(copies[2][1] == refusal[1])
    }
}

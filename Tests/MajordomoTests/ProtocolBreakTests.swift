import Majordomo
import Testing

/// Tokens, 8/MMI, and messages that break a table.
@Suite("Tokens, MMI and protocol breaks")
struct ProtocolBreakTests {
    let bus = Harness()

    @Test("a token works once, for its worker, and a used, foreign or forged one is dropped and counted")
    func tokens() throws {
        bus.send(BF.ready("s", credit: 3), from: "w")
        bus.send(BF.ready("other", credit: 3), from: "thief")
        bus.send(BF.ask("s", tag: 1), from: "c")
        let token = BF.token(try #require(bus.take("w").first))
        bus.send(BF.reply(token, "stolen"), from: "thief")
        var forged = token
        forged[15] ^= 1
        bus.send(BF.reply(forged), from: "w")
        bus.send(BF.reply(Bytes(repeating: 0xFF, count: 16)), from: "w")
        #expect(bus.take("c").isEmpty)
        bus.send(BF.reply(token), from: "w")
        bus.send(BF.reply(token), from: "w")
        #expect(bus.take("c") == [[BF.answer(tag: 1), text("reply")]])
        #expect(bus.drops(.unknownToken) == 4)
        #expect(bus.stats.workers == 2)
    }

    @Test("a token of any other length is unknown, not fatal")
    func tokenLength() {
        bus.send(MDP01.ready("s"), from: "w")
        bus.send(MDP01.ask("s"), from: "c")
        for length in [0, 1, 5, 15, 17, 255] {
            bus.send(MDP01.reply(Bytes(repeating: 0, count: length)), from: "w")
        }
        #expect(bus.stats.workers == 1)
        #expect(bus.drops(.unknownToken) == 6)
    }

    @Test("two tokens for the same index share no random bits")
    func tokensDiffer() {
        bus.send(BF.ready("s", credit: 1), from: "w")
        var seen: Set<Bytes> = []
        for _ in 0..<100 {
            bus.send(BF.ask("s"), from: "c")
            let token = BF.token(bus.take("w")[0])
            seen.insert(Bytes(token[4...]))
            bus.send(BF.reply(token), from: "w")
        }
        #expect(seen.count == 100)
    }

    @Test("PARTIALs reach clients of 0.2; for clients that know one reply they are dropped and counted")
    func partials() throws {
        bus.send(MDP02.ready("s"), from: "w")
        for (ask, expected) in [(MDP01.ask("s"), 1), (MDP02.ask("s"), 2), (BF.ask("s"), 1)] {
            bus.send(ask, from: "c")
            let token = MDP02.token(try #require(bus.take("w").first))
            bus.send(MDP02.partial(token, "part"), from: "w")
            bus.send(MDP02.final(token, "end"), from: "w")
            let answers = bus.take("c")
            #expect(answers.count == expected)
            #expect(answers.last?.last == text("end"))
        }
        #expect(bus.drops(.partialUnsupported) == 2)
    }

    @Test("a reply too large is dropped, its client told that the outcome is unknown, its worker kept")
    func replyTooLarge() {
        bus.send(BF.ready("s", credit: 1), from: "w")
        bus.send(BF.ask("s", tag: 4), from: "c")
        let token = BF.token(bus.take("w")[0])
        bus.send(BF.reply(token, String(repeating: "x", count: 1 << 20 + 1)), from: "w")
        #expect(bus.take("c").map { $0[0] } == [BF.answer(tag: 4, status: 7)])
        #expect(bus.drops(.replyTooLarge) == 1)
        #expect(bus.stats.held == 0)
        bus.send(BF.ask("s", tag: 5), from: "c")
        #expect(bus.take("w").count == 1)
    }

    @Test("8/MMI: 200 with a live worker, 404 without, 501 for the rest, in every dialect")
    func mmi() {
        func asked(_ service: String, _ body: String) -> Message {
            bus.send(MDP01.ask(service, body), from: "c")
            return bus.take("c")[0]
        }
        #expect(asked("mmi.service", "s") == [empty, text("MDPC01"), text("mmi.service"), text("404")])
        bus.send(BF.ask("s"), from: "other")
        #expect(asked("mmi.service", "s").last == text("404"))
        bus.send(BF.ready("s", credit: 1), from: "w")
        #expect(asked("mmi.service", "s").last == text("200"))
        #expect(asked("mmi.echo", "s") == [empty, text("MDPC01"), text("mmi.echo"), text("501")])
        #expect(asked("mmi.", "s").last == text("501"))
        bus.send(BF.goodbye, from: "w")
        #expect(asked("mmi.service", "s").last == text("404"))
        bus.send(MDP02.ask("mmi.service", "s"), from: "c")
        #expect(bus.take("c") == [[text("MDPC02"), [3], text("mmi.service"), text("404")]])
        bus.send(BF.ask("mmi.service", "s", tag: 6), from: "c")
        #expect(bus.take("c") == [[BF.answer(tag: 6), text("404")]])
    }

    @Test("a worker's message that breaks its table is answered with DISCONNECT, and the worker is gone")
    func workerBreaks() {
        let token = Bytes(repeating: 1, count: 16)
        let breaks: [(Message, Message, Message)] = [
            (MDP01.ready("s"), [empty, text("MDPW01")], MDP01.disconnect),
            (MDP01.ready("s"), [empty, text("MDPW01"), [2]], MDP01.disconnect),
            (MDP01.ready("s"), [empty, text("MDPW01"), [9]], MDP01.disconnect),
            (MDP01.ready("s"), [empty, text("MDPW01"), empty], MDP01.disconnect),
            (MDP01.ready("s"), [empty, text("MDPW01"), [4], text("more")], MDP01.disconnect),
            (MDP01.ready("s"), [empty, text("MDPW01"), [3], token, empty], MDP01.disconnect),
            (MDP01.ready("s"), [empty, text("MDPW01"), [3], token, text("not empty"), text("b")], MDP01.disconnect),
            (MDP02.ready("s"), [text("MDPW02"), [7]], MDP02.disconnect),
            (MDP02.ready("s"), [text("MDPW02"), [4], token], MDP02.disconnect),
            (BF.ready("s", credit: 1), [text("BFW1") + [4, 0, 0, 0] + token], BF.disconnect),
            (BF.ready("s", credit: 1), [text("BFW1") + [4, 1, 0, 0] + token, text("b")], BF.disconnect),
            (BF.ready("s", credit: 1), [text("BFW1") + [5, 0, 0, 0], text("b")], BF.disconnect),
            (BF.ready("s", credit: 1), [text("BFW1") + [99, 0, 0, 0]], BF.disconnect)
        ]
        for (ready, message, disconnect) in breaks {
            bus.send(ready, from: "w")
            #expect(bus.stats.workers == 1)
            bus.send(message, from: "w")
            #expect(bus.take("w") == [disconnect], "\(message)")
            #expect(bus.stats.workers == 0)
        }
    }

    @Test("a client's message that breaks its table is refused where a reply has somewhere to go")
    func clientBreaks() {
        let long = String(repeating: "n", count: 255)
        for message in [
            [empty, text("MDPC01"), text("s")], [empty, text("MDPC01"), text("s\n"), text("b")],
            [text("MDPC02"), [1], text("s")], [text("MDPC02"), [1], empty, text("b")],
            [empty, text("MDPC01"), text(long)]
        ] {
            bus.send(message, from: "c")
            #expect(bus.take("c").first.flatMap { code($0.last!) } == "bus.malformed", "\(message)")
        }
        for message in [
            [BF.ask("s", tag: 2)[0]], BF.ask("S", tag: 2), BF.ask("", tag: 2), BF.ask("s", tag: 2, retry: 3),
            BF.ask("s", tag: 2) + [text("second")], BF.ask(String(repeating: "a", count: 64), tag: 2)
        ] {
            bus.send(message, from: "c")
            #expect(bus.take("c").map { $0[0] } == [BF.answer(tag: 2, status: 5)], "\(message)")
        }
    }

    @Test("what is neither a client's nor a worker's is dropped and counted")
    func unreadable() {
        let messages: [Message] = [
            [], [empty], [empty, empty], [empty, empty, empty], [text("x")], [text("MDPC02")], [text("MDPC03"), [1]],
            [empty, text("MDPC01")], [empty, text("MDPX01"), text("s"), text("b")], [text("MDPC01"), text("s")],
            [text("MDPC02"), [2], text("s"), text("b")], [text("MDPC02"), empty, text("s"), text("b")],
            [text("BFC1")], [text("BFC1") + [1, 0, 0, 0]], [text("BFC1") + [5, 0, 0]], [text("BFX1") + [1, 0, 0, 0]],
            [Bytes(repeating: 0, count: 1_000)], [empty, text("MDPC01"), Bytes(repeating: 65, count: 256), text("b")]
        ]
        for message in messages { bus.send(message, from: "c") }
        #expect(bus.takeAll().isEmpty)
        #expect(bus.drops(.malformed) == UInt64(messages.count))
        #expect(bus.stats.held == 0)
    }

    @Test("a peer that speaks two worker dialects is disconnected, not confused")
    func twoDialects() {
        bus.send(BF.ready("s", credit: 2), from: "w")
        bus.send(BF.ask("s", tag: 1), from: "c")
        let token = BF.token(bus.take("w")[0])
        bus.send(MDP01.reply(token), from: "w")
        #expect(bus.take("w") == [BF.disconnect])
        #expect(bus.take("c").map { $0[0] } == [BF.answer(tag: 1, status: 4)])
    }
}

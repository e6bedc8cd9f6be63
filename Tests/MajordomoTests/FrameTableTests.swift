import Majordomo
import Testing

/// Every command of every dialect, both directions, byte by byte as the RFCs' tables and README.md have it.
@Suite("Frame tables")
struct FrameTableTests {
    let bus = Harness()

    @Test("7/MDP: READY, REQUEST, REPLY between a client and a worker of 0.1")
    func mdp01() throws {
        bus.send([empty, text("MDPW01"), [0x01], text("echo")], from: "w")
        bus.send([empty, text("MDPC01"), text("echo"), text("one"), empty, text("two")], from: "c")
        let request = try #require(bus.take("w").first)
        let token = request[3]
        #expect(token.count == 16)
        #expect(request == [empty, text("MDPW01"), [0x02], token, empty, text("one"), empty, text("two")])

        bus.send([empty, text("MDPW01"), [0x03], token, empty, text("a"), text("b")], from: "w")
        #expect(bus.take("c") == [[empty, text("MDPC01"), text("echo"), text("a"), text("b")]])
    }

    @Test("7/MDP: HEARTBEAT and DISCONNECT to a worker")
    func mdp01Notices() {
        bus.send(MDP01.ready("echo"), from: "w")
        bus.pass(ms: 1_000)
        #expect(bus.take("w") == [[empty, text("MDPW01"), [0x04]]])
        bus.send([empty, text("MDPW01"), [0x04]], from: "w")
        #expect(bus.take("w").isEmpty)
        bus.send(MDP01.ready("echo"), from: "w")
        #expect(bus.take("w") == [[empty, text("MDPW01"), [0x05]]])
    }

    @Test("18/MDP: READY, REQUEST, PARTIAL, FINAL between a client and a worker of 0.2")
    func mdp02() throws {
        bus.send([text("MDPW02"), [0x01], text("echo")], from: "w")
        bus.send([text("MDPC02"), [0x01], text("echo"), text("one"), text("two")], from: "c")
        let request = try #require(bus.take("w").first)
        let token = request[2]
        #expect(token.count == 16)
        #expect(request == [text("MDPW02"), [0x02], token, empty, text("one"), text("two")])

        bus.send([text("MDPW02"), [0x03], token, empty, text("a")], from: "w")
        bus.send([text("MDPW02"), [0x03], token, empty, text("b")], from: "w")
        bus.send([text("MDPW02"), [0x04], token, empty, text("c"), text("d")], from: "w")
        #expect(
            bus.take("c") == [
                [text("MDPC02"), [0x02], text("echo"), text("a")],
                [text("MDPC02"), [0x02], text("echo"), text("b")],
                [text("MDPC02"), [0x03], text("echo"), text("c"), text("d")]
            ])
    }

    @Test("18/MDP: HEARTBEAT and DISCONNECT to a worker")
    func mdp02Notices() {
        bus.send(MDP02.ready("echo"), from: "w")
        bus.pass(ms: 1_000)
        #expect(bus.take("w") == [[text("MDPW02"), [0x05]]])
        bus.send([text("MDPW02"), [0x05]], from: "w")
        bus.send(MDP02.ready("echo"), from: "w")
        #expect(bus.take("w") == [[text("MDPW02"), [0x06]]])
    }

    @Test("majortomo: empty first frame, no service in replies, client commands one higher")
    func majortomo() throws {
        bus.send([empty, text("MDPW02"), [0x01], text("echo")], from: "w")
        bus.send([empty, text("MDPC02"), [0x02], text("echo"), text("one")], from: "c")
        let request = try #require(bus.take("w").first)
        let token = request[3]
        #expect(request == [empty, text("MDPW02"), [0x02], token, empty, text("one")])

        bus.send([empty, text("MDPW02"), [0x03], token, empty, text("a")], from: "w")
        bus.send([empty, text("MDPW02"), [0x04], token, empty, text("b")], from: "w")
        #expect(
            bus.take("c") == [
                [empty, text("MDPC02"), [0x03], text("a")],
                [empty, text("MDPC02"), [0x04], text("b")]
            ])
        bus.pass(ms: 1_000)
        #expect(bus.take("w") == [[empty, text("MDPW02"), [0x05]]])
        bus.send([empty, text("MDPW02"), [0x01], text("echo")], from: "w")
        #expect(bus.take("w") == [[empty, text("MDPW02"), [0x06]]])
    }

    @Test("billfold: READY with credit, ASK, REPLY, ANSWER")
    func billfold() throws {
        bus.send([text("BFW1") + [1, 0, 0x01, 0x00] + text("wallet")], from: "w")
        #expect(bus.service("wallet")?.credit == 256)
        let deadline = UInt64(bus.now.unixMs) + 5_000
        let tag: UInt64 = 0x0102_0304_0506_0708
        bus.send(
            [
                text("BFC1") + [1, 2, 0, 0] + [1, 2, 3, 4, 5, 6, 7, 8] + big(deadline) + text("wallet"),
                text("question")
            ], from: "c")
        let ask = try #require(bus.take("w").first)
        let token = Bytes(ask[0][8..<24])
        #expect(ask == [text("BFW1") + [2, 2, 0, 0] + token + big(deadline), text("question")])

        bus.send([text("BFW1") + [4, 0, 0, 0] + token, text("reply")], from: "w")
        #expect(bus.take("c") == [[text("BFC1") + [3, 0, 0, 0] + big(tag), text("reply")]])
    }

    @Test("billfold: PING and PONG, HEARTBEAT, GOODBYE, DISCONNECT")
    func billfoldShort() {
        bus.send([text("BFC1") + [5, 0, 0, 0]], from: "c")
        #expect(bus.take("c") == [[text("BFC1") + [5, 0, 0, 0] + big(bus.router.instance)]])
        bus.send(BF.ready("wallet", credit: 1), from: "w")
        bus.pass(ms: 1_000)
        #expect(bus.take("w") == [[text("BFW1") + [5, 0, 0, 0]]])
        bus.send([text("BFW1") + [7, 0, 0, 0]], from: "w")
        #expect(bus.take("w") == [[text("BFW1") + [7, 0, 0, 0]]])
        bus.send(BF.ready("wallet", credit: 1), from: "w")
        #expect(bus.take("w") == [[text("BFW1") + [6, 0, 0, 0]]])
    }

    @Test("a refusal has the frames of an answer and one problem as body, in every dialect")
    func refusals() throws {
        for (index, message) in [MDP01.ask("none"), MDP02.ask("none"), BF.ask("none", tag: 9)].enumerated() {
            bus.send(message, from: "c\(index)")
        }
        bus.send([empty, text("MDPC02"), [0x02], text("none"), text("body")], from: "c3")
        bus.pass(ms: 10_000)
        let mdp01 = try #require(bus.take("c0").first)
        #expect(mdp01.dropLast() == [empty, text("MDPC01"), text("none")])
        let mdp02 = try #require(bus.take("c1").first)
        #expect(mdp02.dropLast() == [text("MDPC02"), [0x03], text("none")])
        let billfold = try #require(bus.take("c2").first)
        #expect(billfold.dropLast() == [text("BFC1") + [3, 1, 0, 0] + big(UInt64(9))])
        let majortomo = try #require(bus.take("c3").first)
        #expect(majortomo.dropLast() == [empty, text("MDPC02"), [0x04]])
        for message in [mdp01, mdp02, billfold, majortomo] { #expect(code(message.last!) == "bus.no_worker") }
    }

    @Test("a refusal's body is a CloudEvents envelope around a problem", arguments: Fault.allCases)
    func problem(fault: Fault) {
        var body = Bytes()
        fault.writeBody(id: 0x0123_4567_89AB_CDEF, to: &body)
        let text = String(decoding: body, as: UTF8.self)
        let start = #"{"specversion":"1.0","id":"0123456789abcdef","source":"broker","type":"bus.fault.v1","#
        #expect(text.hasPrefix(start + #""datacontenttype":"application/problem+json","data":{"#))
        #expect(text.contains(#""type":"urn:billfold:fault:\#(fault.code)""#))
        #expect(text.hasSuffix("\"}}"))
    }

    @Test("clients and workers of different dialects understand each other")
    func mixedPairs() throws {
        let clients: [(Message, Message)] = [
            (MDP01.ask("s"), [empty, text("MDPC01"), text("s")]),
            (MDP02.ask("s"), [text("MDPC02"), [0x03], text("s")]),
            ([empty, text("MDPC02"), [0x02], text("s"), text("body")], [empty, text("MDPC02"), [0x04]]),
            (BF.ask("s", tag: 5), [BF.answer(tag: 5)])
        ]
        let workers: [(Message, (Message) -> Message, Message)] = [
            (MDP01.ready("s"), { MDP01.reply(MDP01.token($0)) }, MDP01.disconnect),
            (MDP02.ready("s"), { MDP02.final(MDP02.token($0)) }, MDP02.disconnect),
            (
                [empty] + MDP02.ready("s"), { [empty] + MDP02.final(MDP01.token($0)) },
                [empty] + MDP02.disconnect
            ),
            (BF.ready("s", credit: 9), { BF.reply(BF.token($0)) }, BF.disconnect)
        ]
        for (ready, reply, disconnect) in workers {
            bus.send(ready, from: "w")
            for (ask, header) in clients {
                bus.send(ask, from: "c")
                let request = try #require(bus.take("w").first)
                #expect(request.last == text("body"))
                bus.send(reply(request), from: "w")
                #expect(bus.take("c") == [header + [text("reply")]])
            }
            bus.send(disconnect, from: "w")
            #expect(bus.takeAll().isEmpty)
        }
    }
}

import Bus
import BusZMQ
import Contracts
import Primitives
import TestKit
import Testing

/// The tables of Sources/Majordomo/README.md, "Our dialect", byte by byte.
@Suite("A peer's header frames")
struct PeerFramesTests {
    private let token = ReplyToken(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10)
    private let tokenBytes: [UInt8] = Array(1...16)

    private func read(_ bytes: [UInt8]) -> PeerFrames.Incoming? { bytes.withUnsafeBytes(PeerFrames.read) }

    @Test("ASK", arguments: [(RetryClass.once, UInt8(0)), (.keyed, 1), (.idempotent, 2)])
    func ask(retry: RetryClass, byte: UInt8) {
        let frame = PeerFrames.ask(
            service: "wallet", retry: retry, tag: 0x1122_3344_5566_7788,
            deadline: Timestamp(milliseconds: 0x0102_0304_0506))
        #expect(
            frame == Array("BFC1".utf8) + [1, byte, 0, 0] + [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]
                + [0, 0, 1, 2, 3, 4, 5, 6] + Array("wallet".utf8))
    }

    @Test("a deadline before 1970 is written as none that could be mistaken for a far one")
    func negativeDeadline() {
        let frame = PeerFrames.ask(service: "a", retry: .once, tag: 0, deadline: Timestamp(milliseconds: -1))
        #expect(Array(frame[16..<24]) == [UInt8](repeating: 0, count: 8))
    }

    @Test("READY, REPLY, PING, HEARTBEAT, DISCONNECT, GOODBYE")
    func written() {
        let worker = Array("BFW1".utf8)
        #expect(PeerFrames.ready(service: "auth", credit: 0x0FA5) == worker + [1, 0, 0x0F, 0xA5] + Array("auth".utf8))
        #expect(PeerFrames.ready(service: "a", credit: 4096) == worker + [1, 0, 0x10, 0] + Array("a".utf8))
        #expect(PeerFrames.reply(to: token) == worker + [4, 0, 0, 0] + tokenBytes)
        #expect(PeerFrames.ping == Array("BFC1".utf8) + [5, 0, 0, 0])
        #expect(PeerFrames.heartbeat == worker + [5, 0, 0, 0])
        #expect(PeerFrames.disconnect == worker + [6, 0, 0, 0])
        #expect(PeerFrames.goodbye == worker + [7, 0, 0, 0])
    }

    @Test("ANSWER")
    func answer() {
        let frame = Array("BFC1".utf8) + [3, 4, 0, 0] + [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]
        guard case .answer(0x1122_3344_5566_7788, 4) = read(frame) else {
            Issue.record("not read as an answer")
            return
        }
        #expect(read(frame.dropLast()) == nil)
        #expect(read(frame + [0]) == nil)
    }

    @Test("PONG")
    func pong() {
        let frame = PeerFrames.ping + [0, 0, 0, 0, 0, 0, 1, 2]
        guard case .pong(0x0102) = read(frame) else {
            Issue.record("not read as a pong")
            return
        }
        #expect(read(PeerFrames.ping) == nil)
    }

    @Test("ASK from the broker")
    func workerAsk() {
        let frame = Array("BFW1".utf8) + [2, 1, 0, 0] + tokenBytes
        guard case .ask(token, Timestamp(milliseconds: 0x0203)?) = read(frame + [0, 0, 0, 0, 0, 0, 2, 3]) else {
            Issue.record("not read as an ask")
            return
        }
        guard case .ask(token, nil) = read(frame + [UInt8](repeating: 0, count: 8)) else {
            Issue.record("0 is no deadline")
            return
        }
        guard case .ask(token, Timestamp(milliseconds: .max)?) = read(frame + [UInt8](repeating: 0xFF, count: 8)) else {
            Issue.record("a deadline beyond all time is still one")
            return
        }
        #expect(read(frame) == nil)
    }

    @Test("HEARTBEAT, DISCONNECT and GOODBYE from the broker")
    func beats() {
        guard case .heartbeat = read(PeerFrames.heartbeat), case .disconnect = read(PeerFrames.disconnect),
            case .goodbye = read(PeerFrames.goodbye)
        else {
            Issue.record("not read")
            return
        }
    }

    @Test("what no broker sends is passed over")
    func unknown() {
        var random = SplitMix64.seeded()
        #expect(read([]) == nil)
        for bytes in [
            "BFC1", "BFW1", "MDPC01", "BFX1\u{3}\0\0\0", "BFC2\u{5}\0\0\0", "BFW1\u{1}\0\0\0", "BFW1\u{4}\0\0\0"
        ] {
            #expect(read(Array(bytes.utf8)) == nil)
        }
        // Any bytes at all are read without reaching beyond them.
        for _ in 0..<20_000 {
            let prefix = [Array("BFC1".utf8), Array("BFW1".utf8), []][Int(random.next() % 3)]
            let tail = (0..<random.next() % 40).map { _ in UInt8(truncatingIfNeeded: random.next() % 9) }
            _ = read(prefix + tail)
        }
    }

    @Test(
        "refusals by status",
        arguments: [
            (UInt8(1), FaultCode.noWorker), (2, .queueFull), (3, .deadlineExceeded), (4, .workerLost), (5, .malformed),
            (6, .tooLarge), (7, .outcomeUnknown), (8, .outcomeUnknown), (255, .outcomeUnknown)
        ])
    func refusals(status: UInt8, code: FaultCode) {
        #expect(PeerFrames.refusal(status: status) == code)
    }
}

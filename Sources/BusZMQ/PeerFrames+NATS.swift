import Bus
import Primitives

/// What a port needs that stands in the broker's place: a peer's own frames read, and the broker's written.
extension PeerFrames {
    enum Sent {
        case ask(tag: UInt64, deadline: Timestamp, service: ArraySlice<UInt8>)
        case ping
        case ready(service: String, credit: Int)
        case reply(ReplyToken)
        case heartbeat
        case goodbye
        case disconnect
    }

    /// Nil for a header that no peer of ours sends to a broker.
    static func readSent(_ header: [UInt8]) -> Sent? {
        guard header.count >= 8 else { return nil }
        func word(_ offset: Int) -> UInt64 { header.withUnsafeBytes { self.word($0, offset) } }
        switch (header[2], header[4]) {
        case (UInt8(ascii: "C"), Command.ask) where header.count > 24:
            return .ask(
                tag: word(8), deadline: Timestamp(milliseconds: Int64(clamping: word(16))), service: header[24...])
        case (UInt8(ascii: "C"), Command.heartbeat): return .ping
        case (UInt8(ascii: "W"), Command.ready) where header.count > 8:
            return .ready(
                service: String(decoding: header[8...], as: UTF8.self),
                credit: Int(header[6]) << 8 | Int(header[7]))
        case (UInt8(ascii: "W"), Command.reply) where header.count == 24:
            return .reply(ReplyToken(high: word(8), low: word(16)))
        case (UInt8(ascii: "W"), Command.heartbeat): return .heartbeat
        case (UInt8(ascii: "W"), Command.goodbye): return .goodbye
        case (UInt8(ascii: "W"), Command.disconnect): return .disconnect
        default: return nil
        }
    }

    /// - Parameter refusal: nil for a service's own answer.
    static func answer(tag: UInt64, refusal: Refusal? = nil) -> [UInt8] {
        client + [Command.answer, refusal?.rawValue ?? 0, 0, 0] + bytes(tag)
    }

    /// The refusals that a port decides itself, as the broker numbers them.
    enum Refusal: UInt8 {
        case noWorker = 1
        case queueFull = 2
        case tooLarge = 6
    }

    package static func pong(instance: UInt64) -> [UInt8] { client + [Command.heartbeat, 0, 0, 0] + bytes(instance) }

    /// The header of a service's answer, and of an ask for a worker, without a deadline: its envelope has it. Both are
    /// written where the one before was, as every message has one.
    final class Headers {
        private let answer: UnsafeMutableRawBufferPointer
        private let ask: UnsafeMutableRawBufferPointer

        init() {
            answer = .allocate(byteCount: 16, alignment: 8)
            answer.copyBytes(from: PeerFrames.answer(tag: 0))
            ask = .allocate(byteCount: 32, alignment: 8)
            ask.copyBytes(from: worker + [Command.workerAsk] + [UInt8](repeating: 0, count: 27))
        }

        deinit {
            answer.deallocate()
            ask.deallocate()
        }

        func answer(tag: UInt64) -> UnsafeRawBufferPointer {
            answer.storeBytes(of: tag.bigEndian, toByteOffset: 8, as: UInt64.self)
            return UnsafeRawBufferPointer(answer)
        }

        func workerAsk(_ token: ReplyToken) -> UnsafeRawBufferPointer {
            ask.storeBytes(of: token.high.bigEndian, toByteOffset: 8, as: UInt64.self)
            ask.storeBytes(of: token.low.bigEndian, toByteOffset: 16, as: UInt64.self)
            return UnsafeRawBufferPointer(ask)
        }
    }

    private static func bytes(_ value: UInt64) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) }
    }
}

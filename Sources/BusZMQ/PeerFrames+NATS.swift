import Bus
import Primitives

/// What a port needs that stands in the broker's place: a peer's own frames read, and the broker's written.
extension PeerFrames {
    enum Sent {
        case ask(tag: UInt64, deadline: Timestamp, service: UnsafeRawBufferPointer)
        case ping
        case ready(service: String, credit: Int)
        case reply(ReplyToken)
        case heartbeat
        case goodbye
        case disconnect
    }

    /// Nil for a header that no peer of ours sends to a broker.
    static func readSent(_ header: UnsafeRawBufferPointer) -> Sent? {
        guard header.count >= 8 else { return nil }
        switch (header[2], header[4]) {
        case (UInt8(ascii: "C"), Command.ask) where header.count > 24:
            return .ask(
                tag: word(header, 8), deadline: Timestamp(milliseconds: Int64(clamping: word(header, 16))),
                service: UnsafeRawBufferPointer(rebasing: header[24...]))
        case (UInt8(ascii: "C"), Command.heartbeat): return .ping
        case (UInt8(ascii: "W"), Command.ready) where header.count > 8:
            return .ready(
                service: String(decoding: header[8...], as: UTF8.self),
                credit: Int(header[6]) << 8 | Int(header[7]))
        case (UInt8(ascii: "W"), Command.reply) where header.count == 24:
            return .reply(ReplyToken(high: word(header, 8), low: word(header, 16)))
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
    }

    static func pong(instance: UInt64) -> [UInt8] { client + [Command.heartbeat, 0, 0, 0] + bytes(instance) }

    /// An ask without a deadline in its frames: its envelope has it.
    static func workerAsk(_ token: ReplyToken) -> [UInt8] {
        worker + [Command.workerAsk, 0, 0, 0] + bytes(token.high) + bytes(token.low) + bytes(0)
    }

    private static func bytes(_ value: UInt64) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) }
    }
}

import Bus
import Contracts
import Primitives

/// The header frames of our own dialect, as a peer of the broker writes and reads them (docs/frames.md, "Billfold
/// dialect"). Big endian; the body follows in one frame of its own.
package enum PeerFrames {
    static let client = Array("BFC1".utf8)
    static let worker = Array("BFW1".utf8)

    enum Command {
        static let ask: UInt8 = 1
        static let ready: UInt8 = 1
        static let workerAsk: UInt8 = 2
        static let answer: UInt8 = 3
        static let reply: UInt8 = 4
        static let heartbeat: UInt8 = 5
        static let disconnect: UInt8 = 6
        static let goodbye: UInt8 = 7
        static let watch: UInt8 = 8
        static let watching: UInt8 = 9
        static let copy: UInt8 = 10
    }

    // MARK: To the broker

    package static func ask(service: String, retry: RetryClass, tag: UInt64, deadline: Timestamp) -> [UInt8] {
        header(ofClient: true, Command.ask, retry.rawValue, tag, UInt64(max(0, deadline.milliseconds)), service)
    }

    package static let ping: [UInt8] = client + [Command.heartbeat, 0, 0, 0]
    package static let heartbeat: [UInt8] = worker + [Command.heartbeat, 0, 0, 0]
    package static let disconnect: [UInt8] = worker + [Command.disconnect, 0, 0, 0]
    package static let goodbye: [UInt8] = worker + [Command.goodbye, 0, 0, 0]

    package static func ready(service: String, credit: Int) -> [UInt8] {
        worker + [Command.ready, 0, UInt8(credit >> 8 & 0xFF), UInt8(credit & 0xFF)] + service.utf8
    }

    package static func reply(to token: ReplyToken) -> [UInt8] {
        header(ofClient: false, Command.reply, 0, token.high, token.low)
    }

    /// What goes with every ask and every reply, put together in one piece of memory.
    private static func header(
        ofClient isClient: Bool, _ command: UInt8, _ detail: UInt8, _ first: UInt64, _ second: UInt64,
        _ name: String = ""
    ) -> [UInt8] {
        var name = name
        return name.withUTF8 { name in
            // Not by `unsafeUninitializedCapacity`, which is not specialized and looks its types up.
            var header = [UInt8](repeating: 0, count: 24 + name.count)
            header.withUnsafeMutableBytes { bytes in
                bytes.copyBytes(from: isClient ? client : worker)
                bytes.storeBytes(
                    of: (UInt32(command) << 24 | UInt32(detail) << 16).bigEndian, toByteOffset: 4, as: UInt32.self)
                bytes.storeBytes(of: first.bigEndian, toByteOffset: 8, as: UInt64.self)
                bytes.storeBytes(of: second.bigEndian, toByteOffset: 16, as: UInt64.self)
                UnsafeMutableRawBufferPointer(rebasing: bytes[24...]).copyMemory(from: UnsafeRawBufferPointer(name))
            }
            return header
        }
    }

    /// - Parameter key: the broker's operator key, 32 bytes.
    static func watch(service: String, key: [UInt8]) -> [UInt8] {
        client + [Command.watch, 0, 0, 0] + key + service.utf8
    }

    // MARK: From the broker

    package enum Incoming {
        case answer(tag: UInt64, status: UInt8)
        case pong(instance: UInt64)
        case ask(token: ReplyToken, deadline: Timestamp?)
        case heartbeat
        case disconnect
        case goodbye
    }

    /// Nil for a header that no broker sends.
    package static func read(_ header: UnsafeRawBufferPointer) -> Incoming? {
        guard header.count >= 8 else { return nil }
        let isWorker = header[2] == UInt8(ascii: "W")
        guard header[0] == UInt8(ascii: "B"), header[1] == UInt8(ascii: "F"),
            isWorker || header[2] == UInt8(ascii: "C"), header[3] == UInt8(ascii: "1")
        else { return nil }
        switch (isWorker, header[4]) {
        case (false, Command.answer) where header.count == 16: return .answer(tag: word(header, 8), status: header[5])
        case (false, Command.heartbeat) where header.count == 16: return .pong(instance: word(header, 8))
        case (true, Command.workerAsk) where header.count == 32:
            let deadline = word(header, 24)
            return .ask(
                token: ReplyToken(high: word(header, 8), low: word(header, 16)),
                deadline: deadline == 0 ? nil : Timestamp(milliseconds: Int64(clamping: deadline)))
        case (true, Command.heartbeat): return .heartbeat
        case (true, Command.disconnect): return .disconnect
        case (true, Command.goodbye): return .goodbye
        default: return nil
        }
    }

    enum IncomingCopy {
        case watching(Bool)
        case copy(AskTap.Kind, number: UInt64, unixMicroseconds: UInt64, deadline: Timestamp?, service: String)
    }

    /// Nil for a header that is none of a tap's.
    static func readCopy(_ header: UnsafeRawBufferPointer) -> IncomingCopy? {
        guard header.count >= 8, header.starts(with: client) else { return nil }
        switch header[4] {
        case Command.watching: return .watching(header[5] == 0)
        case Command.copy where header.count > 32:
            guard let kind = AskTap.Kind(rawValue: header[5]) else { return nil }
            let deadline = word(header, 24)
            return .copy(
                kind, number: word(header, 8), unixMicroseconds: word(header, 16),
                deadline: deadline == 0 ? nil : Timestamp(milliseconds: Int64(clamping: deadline)),
                service: String(decoding: header[32...], as: UTF8.self))
        default: return nil
        }
    }

    /// The broker's own refusals, by the status of an answer.
    package static func refusal(status: UInt8) -> FaultCode {
        switch status {
        case 1: .noWorker
        case 2: .queueFull
        case 3: .deadlineExceeded
        case 4: .workerLost
        case 5: .malformed
        case 6: .tooLarge
        default: .outcomeUnknown
        }
    }

    static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

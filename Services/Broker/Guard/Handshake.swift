import ZMTP

/// The opening of one connection as ZMTP 3 (RFC 23) has it: greeting, then the peer's READY with its properties.
///
/// Looked at before libzmq sees it for one reason. A peer may name itself ("Identity"), and RFC 23 forbids a name that
/// begins with a zero byte: those are the names a ROUTER makes up for peers without one. libzmq 4.3.4 does not check
/// it, counts its own names up, and aborts the process when the next is taken. Any peer could do that.
struct Handshake {
    enum Verdict {
        case incomplete
        /// Over; messages begin at `rest` of the chunk just taken.
        case sound(rest: Int)
        /// Another mechanism than NULL: what follows cannot be read here.
        case sealed
        case forbidden
    }

    private var bytes: [UInt8] = []

    mutating func take(_ chunk: UnsafeRawBufferPointer) -> Verdict {
        let before = bytes.count
        bytes.append(contentsOf: chunk.prefix(Opening.greetingBytes + 9 + Opening.readyBytesMax - before))
        return bytes.withUnsafeBytes { verdict($0, before) }
    }

    /// - Parameter before: bytes that came before the last chunk.
    private func verdict(_ bytes: UnsafeRawBufferPointer, _ before: Int) -> Verdict {
        do throws(LinkFault) {
            guard let mechanism = try Opening.readGreeting(bytes) else { return .incomplete }
            // Other mechanisms authenticate and encrypt what follows; libzmq refuses one the socket does not have.
            guard mechanism == .null else { return .sealed }
        } catch {
            return .forbidden
        }
        guard bytes.count > Opening.greetingBytes else { return .incomplete }
        let isLong = bytes[Opening.greetingBytes] & LinkFrame.long != 0
        let bodyStart = Opening.greetingBytes + (isLong ? 9 : 2)
        guard bytes.count >= bodyStart else { return .incomplete }
        let length = bytes[(Opening.greetingBytes + 1)..<bodyStart].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length <= Opening.readyBytesMax else { return .forbidden }
        let end = bodyStart + Int(length)
        guard bytes.count >= end else { return .incomplete }
        let body = UnsafeRawBufferPointer(rebasing: bytes[bodyStart..<end])
        return Ready.claimsForbiddenName(body) ? .forbidden : .sound(rest: end - before)
    }
}

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

    private static let greetingBytes = 64
    /// READY with socket type and a name of 255 bytes has some 300.
    private static let readyBytesMax = 4_096
    private static let identity = Array("Identity".utf8)
    private static let ready = [5] + Array("READY".utf8)
    private static let null = Array("NULL".utf8)

    private var bytes: [UInt8] = []

    mutating func take(_ chunk: UnsafeRawBufferPointer) -> Verdict {
        let before = bytes.count
        bytes.append(contentsOf: chunk.prefix(Self.greetingBytes + 9 + Self.readyBytesMax - before))
        return verdict(before)
    }

    /// - Parameter before: bytes that came before the last chunk.
    private func verdict(_ before: Int) -> Verdict {
        // Byte 10 is the major version. Before 3 a name is sent in other ways; no library since 2013 needs them.
        guard bytes.count > 10 else { return .incomplete }
        guard bytes[0] == 0xFF, bytes[10] >= 3 else { return .forbidden }
        guard bytes.count > Self.greetingBytes else { return .incomplete }
        // Other mechanisms authenticate and encrypt what follows; libzmq refuses one the socket does not have.
        guard bytes[12..<16].elementsEqual(Self.null) else { return .sealed }
        // Flags: bit 1 says whether the length has eight bytes or one.
        let isLong = bytes[Self.greetingBytes] & 2 != 0
        let bodyStart = Self.greetingBytes + (isLong ? 9 : 2)
        guard bytes.count >= bodyStart else { return .incomplete }
        let length = bytes[(Self.greetingBytes + 1)..<bodyStart].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length <= Self.readyBytesMax else { return .forbidden }
        guard bytes.count >= bodyStart + Int(length) else { return .incomplete }
        let end = bodyStart + Int(length)
        return claimsForbiddenName(bytes[bodyStart..<end]) ? .forbidden : .sound(rest: end - before)
    }

    /// READY is followed by properties: length and name, then four bytes of length and a value.
    private func claimsForbiddenName(_ body: ArraySlice<UInt8>) -> Bool {
        guard body.starts(with: Self.ready) else { return false }
        var rest = body.dropFirst(Self.ready.count)
        while let nameLength = rest.popFirst() {
            let name = rest.prefix(Int(nameLength))
            rest = rest.dropFirst(Int(nameLength))
            let valueLength = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            if name.elementsEqual(Self.identity), valueLength > 0, rest.first == 0 { return true }
            rest = rest.dropFirst(valueLength)
        }
        return false
    }
}

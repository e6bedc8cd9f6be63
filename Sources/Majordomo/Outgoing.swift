/// The frames of one message to send, without routing id and body: written into memory that is used again.
///
/// A class that owns its memory, because the shell keeps one for ever and hands out views of it.
package final class Outgoing {
    /// Five frames of 7/MDP's REQUEST are the most; a service name of 255 bytes is the longest.
    private static let framesMax = 8
    private static let bytesMax = 1_024

    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: bytesMax, alignment: 16)
    private let ends = UnsafeMutablePointer<Int>.allocate(capacity: framesMax)
    package private(set) var count = 0
    private var used = 0

    package init() {}

    deinit {
        bytes.deallocate()
        ends.deallocate()
    }

    /// The frame's bytes, valid until the next message is written.
    package subscript(index: Int) -> UnsafeRawBufferPointer {
        let start = index == 0 ? 0 : ends[index - 1]
        return UnsafeRawBufferPointer(start: bytes + start, count: ends[index] - start)
    }

    // MARK: To a worker

    /// REQUEST of 7/MDP and 18/MDP "MDP/Worker", or our ASK to a worker.
    func writeRequest(_ dialect: Dialect, token: Token, retry: UInt8, deadlineMs: UInt64) {
        begin()
        switch dialect {
        case .mdp01:
            empty()
            frame("MDPW01")
            command(MDP01Worker.request)
        case .mdp02:
            frame("MDPW02")
            command(MDP02Worker.request)
        case .majortomo:
            empty()
            frame("MDPW02")
            command(MDP02Worker.request)
        case .billfold:
            put(Header.billfoldWorker)
            put(BillfoldCommand.askWorker)
            put(retry)
            put(UInt16(0))
            put(token)
            put(deadlineMs)
            endFrame()
            return
        }
        put(token)
        endFrame()
        empty()
    }

    /// HEARTBEAT, DISCONNECT and GOODBYE; the RFCs have no goodbye, and no foreign worker says it.
    package func write(_ notice: Notice, _ dialect: Dialect) {
        begin()
        switch dialect {
        case .mdp01:
            empty()
            frame("MDPW01")
            command(notice == .heartbeat ? MDP01Worker.heartbeat : MDP01Worker.disconnect)
        case .mdp02, .majortomo:
            if dialect == .majortomo { empty() }
            frame("MDPW02")
            command(notice == .heartbeat ? MDP02Worker.heartbeat : MDP02Worker.disconnect)
        case .billfold:
            put(Header.billfoldWorker)
            switch notice {
            case .heartbeat: put(BillfoldCommand.heartbeat)
            case .disconnect: put(BillfoldCommand.disconnect)
            case .goodbye: put(BillfoldCommand.goodbye)
            }
            put(UInt8(0))
            put(UInt16(0))
            endFrame()
        }
    }

    // MARK: To a client

    /// REPLY of 7/MDP, PARTIAL or FINAL of 18/MDP "MDP/Client", or our ANSWER.
    ///
    /// - Parameters:
    ///   - status: 0 for a worker's reply, else the fault's number; only our own dialect has it.
    ///   - isTrial: the ask named the service behind ``Trial/prefix``, and so does its answer.
    package func writeAnswer(
        _ dialect: Dialect, service: UnsafeRawBufferPointer, isTrial: Bool = false, tag: UInt64, status: UInt8,
        isPartial: Bool
    ) {
        begin()
        let reply = isPartial ? MDP02Client.partial : MDP02Client.final
        switch dialect {
        case .mdp01:
            empty()
            frame("MDPC01")
            name(service, isTrial: isTrial)
        case .mdp02:
            frame("MDPC02")
            command(reply)
            name(service, isTrial: isTrial)
        case .majortomo:
            empty()
            frame("MDPC02")
            command(reply + MDP02Client.majortomoOffset)
        case .billfold:
            writeBillfoldAnswer(tag: tag, status: status)
        }
    }

    func writeBillfoldAnswer(tag: UInt64, status: UInt8) {
        begin()
        put(Header.billfoldClient)
        put(BillfoldCommand.answer)
        put(status)
        put(UInt16(0))
        put(tag)
        endFrame()
    }

    /// PONG of our own dialect: the random number that names this run of the broker.
    package func writePong(instance: UInt64) {
        begin()
        put(Header.billfoldClient)
        put(BillfoldCommand.ping)
        put(UInt8(0))
        put(UInt16(0))
        put(instance)
        endFrame()
    }

    /// WATCHING of our own dialect: whether the peer gets copies.
    package func writeWatching(_ isGranted: Bool) {
        begin()
        put(Header.billfoldClient)
        put(BillfoldCommand.watching)
        put(UInt8(isGranted ? 0 : 1))
        put(UInt16(0))
        endFrame()
    }

    /// COPY of our own dialect, before the body of what is copied.
    func writeCopy(
        _ kind: CopyKind, number: UInt64, unixMicroseconds: UInt64, deadlineMs: UInt64, service: UnsafeRawBufferPointer
    ) {
        begin()
        put(Header.billfoldClient)
        put(BillfoldCommand.copy)
        put(kind.rawValue)
        put(UInt16(0))
        put(number)
        put(unixMicroseconds)
        put(deadlineMs)
        frame(service)
    }

    // MARK: Pieces

    private func begin() {
        count = 0
        used = 0
    }

    private func endFrame() {
        ends[count] = used
        count += 1
    }

    private func empty() { endFrame() }

    private func frame(_ text: StaticString) {
        frame(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private func frame(_ content: UnsafeRawBufferPointer) {
        precondition(used + content.count <= Self.bytesMax, "names are bounded by Limits.foreignNameBytes")
        if let start = content.baseAddress { (bytes + used).copyMemory(from: start, byteCount: content.count) }
        used += content.count
        endFrame()
    }

    private func name(_ service: UnsafeRawBufferPointer, isTrial: Bool) {
        if isTrial {
            for byte in UnsafeRawBufferPointer(start: Trial.prefix.utf8Start, count: Trial.bytes) { put(byte) }
        }
        frame(service)
    }

    private func command(_ byte: UInt8) {
        put(byte)
        endFrame()
    }

    private func put(_ token: Token) {
        put(token.index)
        put(token.high)
        put(token.low)
    }

    private func put<Value: FixedWidthInteger>(_ value: Value) {
        (bytes + used).storeBytes(of: value.bigEndian, as: Value.self)
        used += MemoryLayout<Value>.size
    }
}

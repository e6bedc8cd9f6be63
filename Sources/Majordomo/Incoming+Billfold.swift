extension Incoming {
    /// Our own dialect: one header frame that begins BFC1 or BFW1, then the body. docs/frames.md has the tables.
    mutating func readBillfold(_ frames: Frames, _ limits: Limits) {
        let header = frames[0]
        dialect = .billfold
        switch header.bigEndian(at: 0, as: UInt32.self) {
        case Header.billfoldClient: readBillfoldClient(header, frames.count, limits)
        case Header.billfoldWorker: readBillfoldWorker(header, frames.count, limits)
        default: return
        }
    }

    private mutating func readBillfoldClient(_ header: UnsafeRawBufferPointer, _ count: Int, _ limits: Limits) {
        switch header[4] {
        case BillfoldCommand.ask where header.count >= Header.askHeaderBytes:
            tag = header.bigEndian(at: 8)
            retry = header[5]
            deadlineMs = header.bigEndian(at: 16)
            service = UnsafeRawBufferPointer(rebasing: header[Header.askHeaderBytes...])
            bodyStart = 1
            let isSound = count == 2 && retry <= 2 && reservedIsZero(header, at: 6, bytes: 2)
            kind = isSound && isBillfoldName(service, limits) ? .ask : .badAsk
        case BillfoldCommand.watch where header.count > Header.watchHeaderBytes && count == 1:
            service = UnsafeRawBufferPointer(rebasing: header[Header.watchHeaderBytes...])
            guard reservedIsZero(header, at: 5, bytes: 3), service.equals("*") || isBillfoldName(service, limits) else {
                return
            }
            kind = .watch
        case BillfoldCommand.ping where header.count == Header.shortHeaderBytes && count == 1:
            kind = .ping
        default:
            return
        }
    }

    private mutating func readBillfoldWorker(_ header: UnsafeRawBufferPointer, _ count: Int, _ limits: Limits) {
        kind = .badWorker
        switch header[4] {
        case BillfoldCommand.ready where header.count > Header.readyHeaderBytes && count == 1:
            credit = header.bigEndian(at: 6)
            service = UnsafeRawBufferPointer(rebasing: header[Header.readyHeaderBytes...])
            guard (1...limits.creditMax).contains(credit), header[5] == 0, isBillfoldName(service, limits) else {
                return
            }
            kind = .ready
        case BillfoldCommand.reply where header.count == Header.replyHeaderBytes && count >= 2:
            guard reservedIsZero(header, at: 5, bytes: 3) else { return }
            token = Token(reading: header, at: 8)
            bodyStart = 1
            kind = .reply
        case BillfoldCommand.heartbeat where header.count == Header.shortHeaderBytes && count == 1:
            kind = .heartbeat
        case BillfoldCommand.disconnect where header.count == Header.shortHeaderBytes && count == 1:
            kind = .disconnect
        case BillfoldCommand.goodbye where header.count == Header.shortHeaderBytes && count == 1:
            kind = .goodbye
        default:
            return
        }
    }

    /// Reserved bytes must be zero, so that they can mean something one day.
    private func reservedIsZero(_ header: UnsafeRawBufferPointer, at offset: Int, bytes: Int) -> Bool {
        for index in offset..<offset + bytes where header[index] != 0 { return false }
        return true
    }

    private func isBillfoldName(_ name: UnsafeRawBufferPointer, _ limits: Limits) -> Bool {
        guard (1...limits.billfoldNameBytes).contains(name.count) else { return false }
        for byte in name {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): continue
            case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): continue
            default: return false
            }
        }
        return true
    }
}

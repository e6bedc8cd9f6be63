/// One received message, read: what it says, in which dialect, and where its body begins.
///
/// Reading judges one message alone; whether the peer may say it now is the ``Router``'s to know.
package struct Incoming {
    package enum Kind: UInt8, Sendable {
        case ask, ping, watch
        case ready, reply, partial, heartbeat, goodbye, disconnect
        /// A client's message that breaks its frame table, yet has enough of it to be answered.
        case badAsk
        /// A worker's message that breaks its frame table.
        case badWorker
        /// Neither a client's nor a worker's: nobody to answer.
        case unreadable
    }

    package var kind: Kind
    package var dialect: Dialect
    /// The service of an ask or a READY. A view into the frames.
    package var service = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Index of the first body frame.
    package var bodyStart = 0
    /// Of an ASK of ours, echoed in its ANSWER.
    package var tag: UInt64 = 0
    /// Unix milliseconds; 0: none.
    package var deadlineMs: UInt64 = 0
    /// Carried from ASK to worker; the broker itself never resends what a worker was given.
    package var retry: UInt8 = 0
    /// Of a READY: asks the worker takes at once. Foreign workers take one (18/MDP, "Overall Topology").
    package var credit: UInt16 = 1
    package var token = Token.none

    init(_ kind: Kind, _ dialect: Dialect) {
        self.kind = kind
        self.dialect = dialect
    }

    package init(_ frames: Frames, limits: Limits) {
        self.init(.unreadable, .mdp01)
        guard frames.count > 0 else { return }
        switch frames[0].count {
        case 0 where frames.count >= 2 && frames[1].count == 6:
            readHeader(frames, at: 1, limits)
        case 6:
            readHeader(frames, at: 0, limits)
        case 8...:
            readBillfold(frames, limits)
        default:
            return
        }
    }

    /// Reads a message with an RFC's six-byte header at `at`: 1 after an empty frame, else 0.
    private mutating func readHeader(_ frames: Frames, at: Int, _ limits: Limits) {
        let role: UInt32 = frames[at].bigEndian(at: 0)
        let version: UInt16 = frames[at].bigEndian(at: 4)
        let hasEmptyFirst = at == 1
        switch (role, version, hasEmptyFirst) {
        case (Header.mdpClient, Header.version01, true): readClient01(frames, limits)
        case (Header.mdpWorker, Header.version01, true): readWorker(frames, .mdp01, at: at, limits)
        case (Header.mdpClient, Header.version02, true): readClient02(frames, .majortomo, at: at, limits)
        case (Header.mdpClient, Header.version02, false): readClient02(frames, .mdp02, at: at, limits)
        case (Header.mdpWorker, Header.version02, true): readWorker(frames, .majortomo, at: at, limits)
        case (Header.mdpWorker, Header.version02, false): readWorker(frames, .mdp02, at: at, limits)
        default: return
        }
    }

    /// 7/MDP, "MDP/Client": empty, MDPC01, service, body…
    private mutating func readClient01(_ frames: Frames, _ limits: Limits) {
        dialect = .mdp01
        readService(frames, at: 2, limits)
    }

    /// 18/MDP, "MDP/Client": MDPC02, 01, service, body…
    private mutating func readClient02(_ frames: Frames, _ dialect: Dialect, at: Int, _ limits: Limits) {
        self.dialect = dialect
        let request = MDP02Client.request + (dialect == .majortomo ? MDP02Client.majortomoOffset : 0)
        guard frames.count > at + 1, frames[at + 1].count == 1, frames[at + 1][0] == request else { return }
        readService(frames, at: at + 2, limits)
    }

    /// The rest of a foreign REQUEST: service, then at least one body frame.
    private mutating func readService(_ frames: Frames, at: Int, _ limits: Limits) {
        guard frames.count > at, frames[at].count <= limits.foreignNameBytes else { return }
        service = frames[at]
        bodyStart = at + 1
        kind = frames.count > bodyStart && isForeignName(service, limits) ? .ask : .badAsk
    }

    /// "MDP/Worker" of 7/MDP and 18/MDP: (empty,) MDPW0x, command, …
    private mutating func readWorker(_ frames: Frames, _ dialect: Dialect, at: Int, _ limits: Limits) {
        self.dialect = dialect
        kind = .badWorker
        guard frames.count > at + 1, frames[at + 1].count == 1 else { return }
        let command = workerCommand(frames[at + 1][0], dialect)
        let rest = at + 2
        switch command {
        case .ready:
            guard frames.count == rest + 1, isForeignName(frames[rest], limits) else { return }
            service = frames[rest]
        case .reply, .partial:
            // Address, an empty frame, at least one body frame. An address we never gave cannot be a token.
            guard frames.count >= rest + 3, frames[rest + 1].count == 0 else { return }
            if frames[rest].count == Header.tokenBytes { token = Token(reading: frames[rest], at: 0) }
            bodyStart = rest + 2
        case .heartbeat, .disconnect:
            guard frames.count == rest else { return }
        default:
            return
        }
        kind = command
    }

    private func workerCommand(_ byte: UInt8, _ dialect: Dialect) -> Kind {
        if dialect == .mdp01 {
            return switch byte {
            case MDP01Worker.ready: .ready
            case MDP01Worker.reply: .reply
            case MDP01Worker.heartbeat: .heartbeat
            case MDP01Worker.disconnect: .disconnect
            default: .badWorker
            }
        }
        return switch byte {
        case MDP02Worker.ready: .ready
        case MDP02Worker.partial: .partial
        case MDP02Worker.final: .reply
        case MDP02Worker.heartbeat: .heartbeat
        case MDP02Worker.disconnect: .disconnect
        default: .badWorker
        }
    }

    /// A "printable string": no control characters. Bytes above 127 are let through, a name may be UTF-8.
    private func isForeignName(_ name: UnsafeRawBufferPointer, _ limits: Limits) -> Bool {
        (1...limits.foreignNameBytes).contains(name.count) && name.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}

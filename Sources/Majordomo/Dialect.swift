/// How a peer speaks, told from the header of each of its messages.
///
/// Nothing is remembered about a client between two messages: an answer is written in the dialect of its ask,
/// and a worker is spoken to in the dialect of its READY.
package enum Dialect: UInt8, Sendable, CaseIterable {
    /// 7/MDP, version 0.1: every message starts with an empty frame.
    case mdp01
    /// 18/MDP, version 0.2: no empty first frame, replies are PARTIAL or FINAL.
    case mdp02
    /// 0.2 as PyPI's `majortomo` speaks it: the empty first frame is kept, a reply to a client has no service
    /// frame, and client commands are one higher (REQUEST 02, PARTIAL 03, FINAL 04).
    case majortomo
    /// Our own compact dialect with a credit window (docs/frames.md): one binary header frame, then the body.
    case billfold
}

/// The name before a service's own under which operators ask it while its queue is paused: `try.wallet`.
enum Trial {
    static let prefix: StaticString = "try."
    static let bytes = 4
}

/// The constants of the frame tables: 7/MDP and 18/MDP, "MDP/Client" and "MDP/Worker"; docs/frames.md for ours.
enum Header {
    /// "MDPC" and "MDPW", the first four bytes of the RFCs' six-byte headers.
    static let mdpClient: UInt32 = 0x4D44_5043
    static let mdpWorker: UInt32 = 0x4D44_5057
    /// "01" and "02", their last two.
    static let version01: UInt16 = 0x3031
    static let version02: UInt16 = 0x3032
    /// "BFC1" and "BFW1".
    static let billfoldClient: UInt32 = 0x4246_4331
    static let billfoldWorker: UInt32 = 0x4246_5731

    static let tokenBytes = 16
    static let askHeaderBytes = 24
    static let replyHeaderBytes = 24
    static let readyHeaderBytes = 8
    static let shortHeaderBytes = 8
    /// A WATCH up to its service: eight bytes and the key.
    static let watchHeaderBytes = 8 + Tap.keyBytes
}

/// Commands of 7/MDP workers. Its clients have none.
enum MDP01Worker {
    static let ready: UInt8 = 1
    static let request: UInt8 = 2
    static let reply: UInt8 = 3
    static let heartbeat: UInt8 = 4
    static let disconnect: UInt8 = 5
}

/// Commands of 18/MDP clients; `majortomo` sends and expects each of them plus one.
enum MDP02Client {
    static let request: UInt8 = 1
    static let partial: UInt8 = 2
    static let final: UInt8 = 3
    static let majortomoOffset: UInt8 = 1
}

/// Commands of 18/MDP workers, the same in `majortomo`.
enum MDP02Worker {
    static let ready: UInt8 = 1
    static let request: UInt8 = 2
    static let partial: UInt8 = 3
    static let final: UInt8 = 4
    static let heartbeat: UInt8 = 5
    static let disconnect: UInt8 = 6
}

/// Commands of our own dialect, clients' and workers' in one numbering.
enum BillfoldCommand {
    static let ask: UInt8 = 1
    static let ready: UInt8 = 1
    static let askWorker: UInt8 = 2
    static let answer: UInt8 = 3
    static let reply: UInt8 = 4
    static let ping: UInt8 = 5
    static let heartbeat: UInt8 = 5
    static let disconnect: UInt8 = 6
    static let goodbye: UInt8 = 7
    static let watch: UInt8 = 8
    static let watching: UInt8 = 9
    static let copy: UInt8 = 10
}

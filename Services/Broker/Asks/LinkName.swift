/// A connection of ``LocalPeers``: its descriptor, and how often that number was used before.
struct LinkName: Equatable {
    let index: Int
    let generation: UInt16

    /// As a routing id: a zero, then index and generation. libzmq's ROUTER gives ids of five bytes, and no peer may
    /// name itself with a zero in front, so that these are nobody else's.
    static let routingIDBytes = 6

    init(index: Int, generation: UInt16) {
        self.index = index
        self.generation = generation
    }

    /// - Parameter id: of any peer of the broker's; nil for one of libzmq's.
    init?(routingID id: UnsafeRawBufferPointer) {
        guard id.count == Self.routingIDBytes, id[0] == 0 else { return nil }
        index = Int(id[1]) | Int(id[2]) << 8 | Int(id[3]) << 16
        generation = UInt16(id[4]) | UInt16(id[5]) << 8
    }

    func withRoutingID<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let word = UInt64(index) << 8 | UInt64(generation) << 32
        return withUnsafeBytes(of: word.littleEndian) {
            body(UnsafeRawBufferPointer(rebasing: $0[..<Self.routingIDBytes]))
        }
    }
}

/// What wakes the asks thread.
enum LoopEvent {
    case link(LinkName)
    case listener
    /// Another thread's call.
    case bell
    /// libzmq's socket for peers that come in by tcp.
    case remote

    var word: UInt64 {
        switch self {
        case .link(let name): UInt64(name.index) << 16 | UInt64(name.generation)
        case .listener: .max
        case .bell: .max - 1
        case .remote: .max - 2
        }
    }

    init(word: UInt64) {
        switch word {
        case .max: self = .listener
        case .max - 1: self = .bell
        case .max - 2: self = .remote
        default: self = .link(LinkName(index: Int(word >> 16), generation: UInt16(word & 0xFFFF)))
        }
    }
}

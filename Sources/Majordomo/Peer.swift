/// One connection, known by the routing id its ROUTER socket gave it.
///
/// An id of 1 to 7 bytes (libzmq's own have 5) is packed: length in the top byte, the id in the others. A longer
/// one, set by the peer itself with ZMQ_ROUTING_ID, is a handle into the ``PeerBook``, its top byte 255.
package struct Peer: Hashable, Sendable {
    package let raw: UInt64

    static let packedBytesMax = 7
    private static let handleTag: UInt64 = 0xFF

    /// - Precondition: `id` has 1 to 7 bytes.
    init(packing id: UnsafeRawBufferPointer) {
        var value: UInt64 = 0
        for index in 0..<id.count { value |= UInt64(id[index]) << UInt64(8 * index) }
        raw = UInt64(id.count) << 56 | value
    }

    init(handle: Int) { raw = Self.handleTag << 56 | UInt64(handle) }

    var handle: Int? { raw >> 56 == Self.handleTag ? Int(raw & 0xFFFF_FFFF) : nil }
}

/// The routing ids too long to be packed, each kept only while an ask or a worker refers to it.
///
/// So the table is bounded by held asks and workers, whatever ids peers make up: an id that is in use by nothing is
/// forgotten when the next message arrives.
struct PeerBook {
    private struct Entry {
        var id: [UInt8]
        var uses: Int
    }

    private var handles: [[UInt8]: Int] = [:]
    private var entries: [Entry] = []
    private var free: [Int] = []
    /// Entries that had no use when last seen; looked at again before the next message.
    private var idle: [Int] = []

    var count: Int { handles.count }

    /// The peer of a received message. Only here are ids forgotten, so what a message caused must be sent before.
    mutating func peer(_ id: UnsafeRawBufferPointer) -> Peer {
        if !idle.isEmpty { forgetIdle() }
        if id.count <= Peer.packedBytesMax { return Peer(packing: id) }
        let bytes = [UInt8](id)
        if let handle = handles[bytes] { return Peer(handle: handle) }
        let handle = free.popLast() ?? entries.count
        let entry = Entry(id: bytes, uses: 0)
        if handle == entries.count { entries.append(entry) } else { entries[handle] = entry }
        handles[bytes] = handle
        idle.append(handle)
        return Peer(handle: handle)
    }

    mutating func retain(_ peer: Peer) {
        if let handle = peer.handle { entries[handle].uses += 1 }
    }

    mutating func release(_ peer: Peer) {
        guard let handle = peer.handle else { return }
        entries[handle].uses -= 1
        if entries[handle].uses == 0 { idle.append(handle) }
    }

    func withRoutingID<Result>(of peer: Peer, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let handle = peer.handle { return entries[handle].id.withUnsafeBytes(body) }
        let littleEndian = peer.raw.littleEndian
        return withUnsafeBytes(of: littleEndian) {
            body(UnsafeRawBufferPointer(rebasing: $0[..<Int(peer.raw >> 56)]))
        }
    }

    private mutating func forgetIdle() {
        for handle in idle where entries[handle].uses == 0 && !entries[handle].id.isEmpty {
            handles[entries[handle].id] = nil
            entries[handle].id = []
            free.append(handle)
        }
        idle.removeAll(keepingCapacity: true)
    }
}

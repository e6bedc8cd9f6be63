import Wire

/// Copies a service's data while it is in use: `<service>.backup.write.v1`. For operators on the bus; nobody may ask it
/// for somebody.
///
/// The copy is of one moment and a whole file: what was answered before the ask is in it. Nothing is ever written over.
/// - Faults: `bus.malformed` for a place that cannot be used, `bus.unavailable` where the copy cannot be written.
package struct WriteBackup<Service: BusService>: Ask, Equatable {
    package static var type: MessageType { MessageType("\(Service.service).backup.write.v1") }
    package static var effect: Effect<Self> { .once }
    package static var access: Access<Self> { .services }
    package static var faults: [FaultCode] { [] }
    package static var examples: Examples<Self> {
        func copy(entries: Int64?, hash: String?, chain: String? = nil) -> DataCopy {
            DataCopy(
                file: "\(Service.service)/data.sqlite", bytes: 4_096_000,
                sha256: String(repeating: "9f2c61d0", count: 8), head: 1009, cursors: ["wallet": 1000],
                keys: ["\(Service.service)/some.key"], pauseMicroseconds: 850, entries: entries, hash: hash,
                chain: chain)
        }
        return Examples(
            Self(directory: "/var/backups/billfold/monday", keys: "/media/vault/monday"),
            bare: Self(directory: "/var/backups/billfold/monday"),
            reply: copy(
                entries: 900, hash: String(repeating: "0a", count: 32),
                chain: Service.self == Wallet.self ? String(repeating: "c4", count: 32) : nil),
            bareReply: copy(entries: nil, hash: nil))
    }
    package typealias Reply = DataCopy

    /// Absolute path of a directory that exists, as the service sees it. The copy goes into one of the service's own in
    /// it, made for this user only.
    package let directory: String
    /// Absolute path of another directory, for a copy of the keys without which the data says little. Absent: no keys.
    package let keys: String?
}

/// A copy of a service's data, and how far its facts had come then.
package struct DataCopy: WireMessage, Equatable {
    /// Path below the directory asked for: `wallet/ledger.sqlite`.
    package let file: String
    package let bytes: Int64
    /// SHA-256 of the file, in hex.
    package let sha256: String
    /// The newest fact in it.
    package let head: Int64
    /// The last fact of each source that it knows of.
    package let cursors: [String: Int64]
    /// Paths below the directory for keys, of those that were copied.
    package let keys: [String]
    /// The longest time for which the copying has kept the service's writer from its work.
    package let pauseMicroseconds: Int64
    /// A ledger's newest entry and, in hex, the hash that all entries before it have led to.
    package let entries: Int64?
    package let hash: String?
    /// A ledger's hash of the newest fact's row, in hex: it covers all facts and entries.
    package let chain: String?
}

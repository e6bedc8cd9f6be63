// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension WriteBackup {
    package init(
        directory: String,
        keys: String? = nil,
        _: Void = ()
    ) {
        self.directory = directory
        self.keys = keys
    }

    package static var summary: String { "Copies a service's data while it is in use: `<service>.backup.write.v1`. For operators on the bus; nobody may ask it for somebody. The copy is of one moment and a whole file: what was answered before the ask is in it. Nothing is ever written over." }
    package static var fields: [Field<Self>] {
        [
            Field("directory", \.directory, "Absolute path of a directory that exists, as the service sees it. The copy goes into one of the service's own in it, made for this user only."),
            Field("keys", \.keys, "Absolute path of another directory, for a copy of the keys without which the data says little. Absent: no keys."),
        ]
    }
}

extension DataCopy: Shape {
    package init(
        file: String,
        bytes: Int64,
        sha256: String,
        head: Int64,
        cursors: [String: Int64],
        keys: [String],
        pauseMicroseconds: Int64,
        entries: Int64? = nil,
        hash: String? = nil,
        chain: String? = nil,
        _: Void = ()
    ) {
        self.file = file
        self.bytes = bytes
        self.sha256 = sha256
        self.head = head
        self.cursors = cursors
        self.keys = keys
        self.pauseMicroseconds = pauseMicroseconds
        self.entries = entries
        self.hash = hash
        self.chain = chain
    }

    package static var summary: String { "A copy of a service's data, and how far its facts had come then." }
    package static var fields: [Field<Self>] {
        [
            Field("file", \.file, "Path below the directory asked for: `wallet/ledger.sqlite`."),
            Field("bytes", \.bytes),
            Field("sha256", \.sha256, "SHA-256 of the file, in hex."),
            Field("head", \.head, "The newest fact in it."),
            Field("cursors", \.cursors, "The last fact of each source that it knows of."),
            Field("keys", \.keys, "Paths below the directory for keys, of those that were copied."),
            Field("pauseMicroseconds", \.pauseMicroseconds, "The longest time for which the copying has kept the service's writer from its work."),
            Field("entries", \.entries, "A ledger's newest entry and, in hex, the hash that all entries before it have led to."),
            Field("hash", \.hash),
            Field("chain", \.chain, "A ledger's hash of the newest fact's row, in hex: it covers all facts and entries."),
        ]
    }
}

/// The connections that there are, and which of them go when there is no place for another. No socket, no clock.
package struct ConnectionTable {
    package enum Decision {
        /// It has a place. Those that are named have to close.
        case admitted(closing: [ConnectionUse])
        /// All that could go are busy.
        case refused
    }

    private struct Entry {
        let use: ConnectionUse
        /// Nil for one that no client's share is counted of.
        let client: IPAddress?
        /// Told to close.
        var isLeaving = false
    }

    private let countMax: Int
    private let perClientMax: Int
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// Of those that are not leaving.
    private var ofClient: [IPAddress: Int] = [:]
    private var staying = 0

    package init(countMax: Int, perClientMax: Int) {
        self.countMax = countMax
        self.perClientMax = perClientMax
    }

    package var count: Int { entries.count }

    /// - Parameter client: nil where many clients share the address.
    package mutating func admit(_ use: ConnectionUse, of client: IPAddress?, at now: UInt64) -> Decision {
        var closing: [ConnectionUse] = []
        if let client, ofClient[client, default: 0] >= perClientMax {
            closing = leastUseful(of: perClientMax, at: now) { $0.client == client }
            if closing.isEmpty { return .refused }
        }
        if staying >= countMax {
            closing += leastUseful(of: countMax, at: now) { _ in true }
            if closing.isEmpty { return .refused }
        }
        entries[ObjectIdentifier(use)] = Entry(use: use, client: client)
        count(client, +1)
        return .admitted(closing: closing)
    }

    /// It was told to close, and is busy.
    package mutating func stays(_ use: ConnectionUse) {
        guard let entry = entries[ObjectIdentifier(use)], entry.isLeaving else { return }
        entries[ObjectIdentifier(use)]?.isLeaving = false
        count(entry.client, +1)
    }

    package mutating func closed(_ use: ConnectionUse) {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(use)), !entry.isLeaving else { return }
        count(entry.client, -1)
    }

    private mutating func count(_ client: IPAddress?, _ change: Int) {
        staying += change
        guard let client else { return }
        let count = ofClient[client, default: 0] + change
        ofClient[client] = count == 0 ? nil : count
    }

    /// How long a client has for its first words before one that is idle is more useful.
    private static let grace: UInt64 = 1_000_000_000

    /// First the connections that wait for their client, then the idle ones, then those that began to wait only just
    /// now; of each kind the longest waiting. Several at once: a flood must not search the table for each of its
    /// connections.
    private mutating func leastUseful(
        of limit: Int, at now: UInt64, where isMeant: (Entry) -> Bool
    ) -> [ConnectionUse] {
        var (old, young, idle): ([Candidate], [Candidate], [Candidate]) = ([], [], [])
        for entry in entries.values where !entry.isLeaving && isMeant(entry) {
            let (phase, since) = entry.use.now
            let candidate = Candidate(since: since, use: entry.use, client: entry.client)
            switch phase {
            case .new, .waiting:
                if now > since, now - since >= Self.grace { old.append(candidate) } else { young.append(candidate) }
            case .idle: idle.append(candidate)
            case .busy: break
            }
        }
        // A few of them are likely to be clients whose first request is on its way. Many are a flood.
        young.sort { $0.since < $1.since }
        let flood = young.prefix(max(0, young.count - max(1, limit / 8)))
        old.sort { $0.since < $1.since }
        idle.sort { $0.since < $1.since }
        let going = [old + flood, idle, young].first { !$0.isEmpty }?.prefix(max(1, limit / 64)) ?? []
        for candidate in going {
            entries[ObjectIdentifier(candidate.use)]?.isLeaving = true
            count(candidate.client, -1)
        }
        return going.map(\.use)
    }

    private struct Candidate {
        let since: UInt64
        let use: ConnectionUse
        let client: IPAddress?
    }
}

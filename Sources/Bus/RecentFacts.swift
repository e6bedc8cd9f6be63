import Contracts

/// The facts published last, so that subscribers close to the end of the log are answered without a read of the store.
struct RecentFacts: Sendable {
    /// Facts kept; older ones are read from the log.
    static let keptMax = 8192
    /// Longer ones are not kept, so that all together stay below 32 MiB.
    static let bytesMax = 4096

    /// By sequence modulo `keptMax`; empty where a fact was not kept.
    private var facts: [[UInt8]] = []
    private var head: Int64 = 0
    /// The first that may be here.
    private var first: Int64 = 1

    mutating func append(_ envelope: [UInt8], as sequence: Int64) {
        if facts.isEmpty {
            facts = Array(repeating: [], count: Self.keptMax)
            first = sequence
        }
        if sequence != head + 1 { first = sequence }
        head = sequence
        facts[index(of: sequence)] = envelope.count <= Self.bytesMax ? envelope : []
    }

    /// The facts after `sequence`; nil when the next one is not here and the log has to be read.
    func page(after sequence: Int64, limit: Int) -> FactsPage? {
        guard head > 0, sequence <= head, sequence + 1 >= max(first, head - Int64(Self.keptMax) + 1) else { return nil }
        var found: [RawJSON] = []
        var bytes = 0
        var next = sequence + 1
        while next <= head, found.count < limit {
            let fact = facts[index(of: next)]
            // A page that ends before a fact that is not here would say that it had no room for it.
            if fact.isEmpty { return nil }
            bytes += fact.count + 1
            if bytes > FactsPage.bytesMax { break }
            found.append(RawJSON(fact))
            next += 1
        }
        // An empty page would say that there are no more facts; only the log knows that, which may be ahead of what was
        // published.
        return found.isEmpty ? nil : FactsPage(facts: found, head: head)
    }

    private func index(of sequence: Int64) -> Int { Int(sequence % Int64(Self.keptMax)) }
}

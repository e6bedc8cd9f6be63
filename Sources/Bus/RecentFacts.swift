import Contracts

/// The facts published last, as they were published: who reads a log whose end it has nearly reached costs its owner no
/// look into the store.
struct RecentFacts: Sendable {
    /// Facts kept; older ones are in the log.
    static let keptMax = 8192
    /// Longer ones are not kept, so that all together stay below 32 MiB.
    static let bytesMax = 4096

    /// By sequence modulo `keptMax`; empty where a fact was not kept.
    private var slots: [[UInt8]] = []
    private var head: Int64 = 0
    /// The first that may be here.
    private var first: Int64 = 1

    mutating func append(_ envelope: [UInt8], as sequence: Int64) {
        if slots.isEmpty {
            slots = Array(repeating: [], count: Self.keptMax)
            first = sequence
        }
        if sequence != head + 1 { first = sequence }
        head = sequence
        slots[place(sequence)] = envelope.count <= Self.bytesMax ? envelope : []
    }

    /// The facts behind `sequence`; nil when the next one is not here and the log has to be read.
    func page(after sequence: Int64, limit: Int) -> FactsPage? {
        guard head > 0, sequence <= head, sequence + 1 >= max(first, head - Int64(Self.keptMax) + 1) else { return nil }
        var facts: [RawJSON] = []
        var bytes = 0
        var next = sequence + 1
        while next <= head, facts.count < limit {
            let fact = slots[place(next)]
            bytes += fact.count + 1
            if fact.isEmpty || bytes > FactsPage.bytesMax { break }
            facts.append(RawJSON(fact))
            next += 1
        }
        // An empty page would say that there is no more: only the log knows that, which may be ahead of what was published.
        return facts.isEmpty ? nil : FactsPage(facts: facts, head: head)
    }

    private func place(_ sequence: Int64) -> Int { Int(sequence % Int64(Self.keptMax)) }
}

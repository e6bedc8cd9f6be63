import Bus
import Testing

@Suite("A window on facts")
struct FactWindowTests {
    private func sequences(_ facts: [Envelope]) -> [Int64] { facts.compactMap(\.sequence) }

    @Test("facts in order are ready at once")
    func inOrder() {
        var window = FactWindow(position: 5)
        #expect(!window.isMissingFacts)
        for sequence in Int64(6)...8 { window.hear(MemoryLog.fact(sequence)) }
        #expect(sequences(window.ready(limit: 10)) == [6, 7, 8])
        #expect(sequences(window.ready(limit: 2)) == [6, 7])
        #expect(!window.isMissingFacts)
        window.applied(through: 7)
        #expect(window.position == 7)
        #expect(sequences(window.ready(limit: 10)) == [8])
        window.applied(through: 8)
        #expect(window.ready(limit: 10).isEmpty)
        #expect(window.head == 8)
    }

    @Test("facts out of order wait for those before them")
    func gaps() {
        var window = FactWindow(position: 0)
        window.hear(MemoryLog.fact(3))
        window.hear(MemoryLog.fact(2))
        #expect(window.isMissingFacts)
        #expect(window.ready(limit: 10).isEmpty)
        window.hear(MemoryLog.fact(1))
        #expect(!window.isMissingFacts)
        #expect(sequences(window.ready(limit: 10)) == [1, 2, 3])
    }

    @Test("what is old, heard before or without a place is passed over")
    func duplicates() {
        var window = FactWindow(position: 2)
        for sequence in [1, 2, 3, 3, 3] as [Int64] { window.hear(MemoryLog.fact(sequence)) }
        var placeless = MemoryLog.fact(4)
        placeless.sequence = nil
        window.hear(placeless)
        #expect(sequences(window.ready(limit: 10)) == [3])
        #expect(window.head == 3)
        window.applied(through: 1)
        #expect(window.position == 2)
    }

    @Test("a head that is further says that facts are missing")
    func head() {
        var window = FactWindow(position: 2)
        window.hear(head: 2)
        #expect(!window.isMissingFacts)
        window.hear(head: 3)
        #expect(window.isMissingFacts)
        window.hear(head: 1)
        #expect(window.head == 3)
        // The gap is behind what has been heard.
        window.hear(MemoryLog.fact(3))
        window.hear(head: 9)
        #expect(!window.isMissingFacts)
        window.applied(through: 3)
        #expect(window.isMissingFacts)
        // Read from the log, beyond anything heard.
        window.applied(through: 12)
        #expect(window.head == 12)
        #expect(!window.isMissingFacts)
    }

    @Test("while one is missing only so many are kept, and the missing one always has room")
    func overflow() {
        var window = FactWindow(position: 0)
        let last = Int64(FactWindow.keptMax) + 10
        for sequence in 2...last { window.hear(MemoryLog.fact(sequence)) }
        window.hear(MemoryLog.fact(1))
        let ready = window.ready(limit: .max)
        #expect(sequences(ready) == Array(1...Int64(FactWindow.keptMax) + 1))
        window.applied(through: Int64(ready.count))
        // Those that were let go are known to exist.
        #expect(window.head == last)
        #expect(window.isMissingFacts)
        #expect(window.ready(limit: 1).isEmpty)
    }

    @Test("what is applied from the log is not kept any longer, however far it reaches")
    func appliedFar() {
        var window = FactWindow(position: 0)
        for sequence in [5, 10, 11] as [Int64] { window.hear(MemoryLog.fact(sequence)) }
        window.applied(through: 9)
        #expect(sequences(window.ready(limit: 10)) == [10, 11])
        window.applied(through: 1_000_000_000_000)
        #expect(window.ready(limit: 10).isEmpty)
    }

    @Test("however facts are lost, repeated and mixed up, with the log at hand all are applied once and in order")
    func anyDelivery() {
        var random = SplitMix64.seeded()
        for _ in 0..<200 {
            let count = Int64.random(in: 1...200, using: &random)
            var delivery: [Int64] = []
            for sequence in 1...count {
                for _ in 0..<[0, 1, 1, 1, 2][Int(random.next() % 5)] { delivery.append(sequence) }
            }
            // Neighbours change places, some of them far.
            for place in delivery.indices where random.next() % 4 == 0 {
                delivery.swapAt(place, min(delivery.count - 1, place + Int(random.next() % 20)))
            }
            var window = FactWindow(position: 0)
            var applied: [Int64] = []
            func apply(_ facts: [Envelope]) {
                applied += facts.compactMap(\.sequence)
                window.applied(through: facts.last?.sequence ?? 0)
            }
            func catchUp() {
                while true {
                    let facts = window.ready(limit: Int(1 + random.next() % 7))
                    if !facts.isEmpty {
                        apply(facts)
                    } else if window.isMissingFacts {
                        let start = window.position + 1
                        apply((start...min(count, start + Int64(random.next() % 5))).map(MemoryLog.fact))
                    } else {
                        return
                    }
                }
            }
            for sequence in delivery {
                window.hear(MemoryLog.fact(sequence))
                if random.next() % 8 == 0 { catchUp() }
            }
            window.hear(head: count)
            catchUp()
            #expect(applied == Array(1...count))
        }
    }
}

import Bus
import Contracts
import Primitives
import Synchronization
import Wire

/// The wallet's facts, as its store would keep them. The n-th is about the charge with the number n.
final class MemoryLog: FactLog {
    struct Trouble: Error {}

    private struct State {
        var facts: [PublishedFact] = []
        var failures = 0
    }
    private let state = Mutex(State())

    init(count: Int = 0) { append(count) }

    static func fact(_ sequence: Int64) -> Envelope {
        let fact = Wallet.PaymentClosed(
            payment: ChargeID(high: 1, low: UInt64(sequence)), reason: .expired,
            time: Timestamp(milliseconds: sequence))
        return Envelope(
            id: "fact-\(sequence)", source: "wallet", type: Wallet.PaymentClosed.type.name, sequence: sequence,
            data: fact.json)
    }

    static func head(_ head: Int64) -> PublishedFact {
        let envelope = Envelope(
            id: "head", source: "wallet", type: FactsHead<Wallet>.type.name, data: FactsHead<Wallet>(head: head).json)
        return PublishedFact(type: envelope.type, sequence: nil, envelope: envelope.json)
    }

    var count: Int { state.withLock { $0.facts.count } }

    /// Commits so many facts and returns them.
    @discardableResult
    func append(_ count: Int) -> [PublishedFact] {
        state.withLock { state in
            let added = (0..<count).map { index in
                let fact = Self.fact(Int64(state.facts.count + index + 1))
                return PublishedFact(type: fact.type, sequence: fact.sequence, envelope: fact.json)
            }
            state.facts += added
            return added
        }
    }

    /// Commits a fact whose envelope has at least so many bytes, and returns it.
    func append(ofBytes count: Int) -> PublishedFact {
        state.withLock { state in
            let fact = Envelope(
                id: "long", source: "wallet", type: "wallet.long.v1", sequence: Int64(state.facts.count + 1),
                data: JSONValue.object([.init("text", .string(String(repeating: "x", count: count)))]).text.utf8.map(
                    \.self))
            state.facts.append(PublishedFact(type: fact.type, sequence: fact.sequence, envelope: fact.json))
            return state.facts[state.facts.count - 1]
        }
    }

    /// Has another fact in the place of the newest, as a source has that went on from an older copy.
    func replaceNewest() {
        state.withLock { state in
            let number = Int64(state.facts.count)
            let other = Wallet.PaymentClosed(
                payment: ChargeID(high: 2, low: 2), reason: .declined, time: Timestamp(milliseconds: number))
            let fact = Envelope(
                id: "other", source: "wallet", type: Wallet.PaymentClosed.type.name, sequence: number, data: other.json)
            state.facts[Int(number) - 1] = PublishedFact(type: fact.type, sequence: number, envelope: fact.json)
        }
    }

    /// Loses the newest facts, as an older copy has.
    func forget(_ count: Int) { state.withLock { $0.facts.removeLast(count) } }

    /// The next reads fail.
    func fail(times: Int) { state.withLock { $0.failures = times } }
    var isFailing: Bool { state.withLock { $0.failures > 0 } }

    func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        try state.withLock { state in
            if state.failures > 0 {
                state.failures -= 1
                throw Trouble()
            }
            var (facts, bytes): ([RawJSON], Int) = ([], 0)
            for fact in sequence < state.facts.count ? state.facts[Int(sequence)...].prefix(limit) : [] {
                bytes += fact.envelope.count + 1
                if bytes > FactsPage.bytesMax { break }
                facts.append(RawJSON(fact.envelope))
            }
            return FactsPage(facts: facts, head: Int64(state.facts.count))
        }
    }
}

import Bus
import BusZMQ
import DequeModule
import Primitives
import Wire

/// The asks and facts that a candidate is still to get, in the order in which the live bus passed them.
///
/// Nobody sees when the live service consumes a fact. A candidate that consumes it earlier says what the live service
/// did not know yet, and cannot unlearn it; so facts are held until an answer shows that they were known.
package struct Turns: Sendable {
    package enum Turn: Sendable {
        case ask(AskTap.Copy)
        case fact(Fact)
    }

    package struct Fact: Sendable {
        package let fact: PublishedFact
        /// When it happened; nil for one that does not say.
        package let time: Timestamp?
        /// The ids that it names.
        package let ids: Set<String>
        fileprivate let id: String
        fileprivate let source: String
        fileprivate let order: Int
        fileprivate let since: ContinuousClock.Instant
        /// The order of what came after the live service had shown that it knows it.
        fileprivate var knownFrom: Int?

        /// Whether the next ask, which came after it, waits for it; nil: there is none.
        fileprivate func isDue(before ask: Ask?, at now: ContinuousClock.Instant?) -> Bool {
            if let knownFrom, knownFrom <= ask?.order ?? .max { return true }
            // How long it was there when the live service was asked counts, and not how long the ask has waited since.
            return isOver(ask?.isReading == false ? factHeldFromChange : factHeld, since, now.map { ask?.since ?? $0 })
        }
    }

    /// A live service has consumed a fact after so long.
    package static let factHeld = Duration.seconds(1)
    /// The change that an ask makes may depend on facts before it, and cannot be asked again to find out.
    package static let factHeldFromChange = Duration.milliseconds(250)
    /// An ask is given when the live service has answered it, and after so long in any case.
    package static let answerPatience = Duration.seconds(1)

    fileprivate struct Ask {
        let order: Int
        let copy: AskTap.Copy
        let isReading: Bool
        let since: ContinuousClock.Instant
    }

    private var asks: Deque<Ask> = []
    private var facts: Deque<Fact> = []
    private var added = 0

    package init() {}

    package mutating func add(_ ask: AskTap.Copy, isReading: Bool, at now: ContinuousClock.Instant) {
        asks.append(Ask(order: added, copy: ask, isReading: isReading, since: now))
        added += 1
    }

    /// - Parameter envelope: the fact's.
    package mutating func add(_ fact: PublishedFact, _ envelope: Envelope, at now: ContinuousClock.Instant) {
        facts.append(
            Fact(
                fact: fact, time: envelope.time, ids: Set(Twins.ids(in: fact.envelope)), id: envelope.id,
                source: envelope.source, order: added, since: now))
        added += 1
    }

    /// The live service has told what a fact led it to: it knows this one and those of its source before.
    package mutating func know(_ id: String) {
        guard let known = facts.lastIndex(where: { $0.id == id }) else { return }
        let source = facts[known].source
        for index in facts.indices[...known].reversed() where facts[index].source == source {
            // So are those before it.
            if facts[index].knownFrom != nil { return }
            facts[index].knownFrom = added
        }
    }

    /// Takes what the candidate gets now; nil when all of it waits.
    ///
    /// - Parameters:
    ///   - now: nil: nothing is waited for any more.
    ///   - isAnswered: whether the live service has answered the ask of this number.
    package mutating func next(
        at now: ContinuousClock.Instant?, isAnswered: (_ number: UInt64) -> Bool
    ) -> Turn? {
        let ask = asks.first
        // A fact that came after an ask may tell what became of it.
        let due = facts.prefix { $0.order < ask?.order ?? .max }.firstIndex { $0.isDue(before: ask, at: now) }
        if let due { return .fact(facts.remove(at: due)) }
        guard let ask, Self.isOver(Self.answerPatience, ask.since, now) || isAnswered(ask.copy.number) else {
            return nil
        }
        asks.removeFirst()
        return .ask(ask.copy)
    }

    private static func isOver(
        _ time: Duration, _ since: ContinuousClock.Instant, _ now: ContinuousClock.Instant?
    ) -> Bool { now.map { since + time <= $0 } ?? true }

    /// Takes facts that the live service may have known at a moment, as an answer says that it did: the first that
    /// names one of these ids, and all before it.
    ///
    /// If none does, the answer says little of any fact, and those go that are older.
    /// - Parameter ids: nil: all facts are taken.
    package mutating func facts(by moment: Timestamp, naming ids: Set<String>?) -> [Fact] {
        func isFrom(before moment: Timestamp, _ fact: Fact) -> Bool { fact.time.map { $0 <= moment } ?? true }
        func isNamed(_ fact: Fact) -> Bool { ids?.isDisjoint(with: fact.ids) == false }
        let named = facts.firstIndex { isFrom(before: moment, $0) && isNamed($0) }
        let end = named.map { $0 + 1 } ?? facts.endIndex
        let last = ids == nil || named != nil ? moment : moment - Self.factHeldFromChange
        let taken = facts[..<end].filter { isFrom(before: last, $0) }
        if !taken.isEmpty { facts = Deque(facts[..<end].filter { !isFrom(before: last, $0) } + facts[end...]) }
        return Array(taken)
    }
}

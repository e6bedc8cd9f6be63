import Bus
import BusZMQ
import DequeModule
import Primitives

/// The asks and facts that a candidate is still to get, in the order in which the live bus passed them.
///
/// Facts wait for the asks before them: a candidate that is slow would otherwise know what became of an ask before it
/// gets the ask.
package struct Turns: Sendable {
    package enum Turn: Sendable {
        case ask(AskTap.Copy)
        /// - Parameter time: when it happened; nil for one that does not say.
        case fact(PublishedFact, time: Timestamp?)
    }

    private var waiting: Deque<Turn> = []

    package init() {}

    package mutating func add(_ turn: Turn) { waiting.append(turn) }

    package mutating func next() -> Turn? { waiting.popFirst() }

    /// Takes the facts that happened by a moment, ahead of the asks before them: the live service may have read them
    /// in their source's log before they arrived here.
    package mutating func facts(by moment: Timestamp) -> [PublishedFact] {
        var (taken, left): ([PublishedFact], Deque<Turn>) = ([], [])
        for turn in waiting {
            if case .fact(let fact, let time?) = turn, time <= moment {
                taken.append(fact)
            } else {
                left.append(turn)
            }
        }
        if !taken.isEmpty { waiting = left }
        return taken
    }
}

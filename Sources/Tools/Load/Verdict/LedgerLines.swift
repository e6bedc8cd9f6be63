import Audit
import Checks
import Primitives

/// What is known of each entry of the run's interval: its fact, and what its two accounts say.
/// Linked to the intent that it belongs to.
struct LedgerLines {
    struct Line {
        var fact: Int32 = -1
        var debit: Int32 = -1
        var credit: Int32 = -1
        /// The intent, by its id or by its memo; -1 for none.
        var intent: Int32 = -1
        /// Whether the entry has the id that the intent asked for or was given.
        var bearsID = false
        /// More facts or sides than there may be.
        var extra: UInt8 = 0
    }

    /// The entry before the first one of the interval.
    let base: Int64
    var lines: [Line]
    /// Entries by intent: the first one, and the others.
    var firstOfIntent: [Int32]
    var furtherOfIntent: [Int: [Int]] = [:]
    /// Facts and sides of entries that are not in the interval at all.
    var outside: [Int64] = []
    private let evidence: Evidence

    init(_ evidence: Evidence, _ index: IntentIndex) {
        self.evidence = evidence
        base = evidence.before.entries
        let count = max(0, Int(evidence.after.entries - base))
        lines = Array(repeating: Line(), count: count)
        firstOfIntent = Array(repeating: -1, count: evidence.journal.count)
        for (place, movement) in evidence.movements.enumerated() {
            guard let line = self.place(ofEntry: movement.entry) else {
                outside.append(movement.entry)
                continue
            }
            if lines[line].fact < 0 { lines[line].fact = Int32(place) } else { lines[line].extra += 1 }
        }
        for (place, side) in evidence.sides.enumerated() {
            guard let line = self.place(ofEntry: side.entry) else {
                outside.append(side.entry)
                continue
            }
            if side.change < 0 {
                if lines[line].debit < 0 { lines[line].debit = Int32(place) } else { lines[line].extra += 1 }
            } else {
                if lines[line].credit < 0 { lines[line].credit = Int32(place) } else { lines[line].extra += 1 }
            }
        }
        for line in lines.indices { link(line, index) }
    }

    private func place(ofEntry entry: Int64) -> Int? {
        let place = entry - base - 1
        return place >= 0 && place < Int64(lines.count) ? Int(place) : nil
    }

    private mutating func link(_ place: Int, _ index: IntentIndex) {
        guard let operation = operation(of: place) else { return }
        var intent = index[operation]
        lines[place].bearsID = intent != nil
        if intent == nil { intent = memo(of: place).flatMap { $0 < evidence.journal.count && $0 >= 0 ? $0 : nil } }
        guard let intent else { return }
        lines[place].intent = Int32(intent)
        if firstOfIntent[intent] < 0 {
            firstOfIntent[intent] = Int32(place)
        } else {
            furtherOfIntent[intent, default: []].append(place)
        }
    }

    func entry(_ place: Int) -> Int64 { base + 1 + Int64(place) }

    func fact(_ place: Int) -> Movement? {
        lines[place].fact < 0 ? nil : evidence.movements[Int(lines[place].fact)]
    }
    func debit(_ place: Int) -> EntrySide? {
        lines[place].debit < 0 ? nil : evidence.sides[Int(lines[place].debit)]
    }
    func credit(_ place: Int) -> EntrySide? {
        lines[place].credit < 0 ? nil : evidence.sides[Int(lines[place].credit)]
    }

    /// What the accounts say goes before what the facts say.
    func operation(of place: Int) -> ChargeID? {
        credit(place)?.operation ?? debit(place)?.operation ?? fact(place)?.operation
    }
    func memo(of place: Int) -> Int? {
        credit(place)?.memoNumber ?? debit(place)?.memoNumber ?? fact(place)?.memoNumber
    }
    func kind(of place: Int) -> MovementKind? { credit(place)?.kind ?? debit(place)?.kind ?? fact(place)?.kind }
    func amount(of place: Int) -> Int64? {
        credit(place)?.change ?? debit(place).map { -$0.change } ?? fact(place)?.amount
    }
    func from(_ place: Int) -> AccountRef? { debit(place)?.account ?? fact(place)?.from }
    func to(_ place: Int) -> AccountRef? { credit(place)?.account ?? fact(place)?.to }

    /// All entries of an intent.
    func places(ofIntent intent: Int) -> [Int] {
        guard firstOfIntent[intent] >= 0 else { return [] }
        guard !furtherOfIntent.isEmpty, let further = furtherOfIntent[intent] else {
            return [Int(firstOfIntent[intent])]
        }
        return [Int(firstOfIntent[intent])] + further
    }

    /// "$0.05 from card #3 to merchant #1"
    func words(_ place: Int) -> String {
        let from = from(place).map(\.description) ?? "an account not in play"
        let to = to(place).map(\.description) ?? "an account not in play"
        return "\(amount(of: place).map(dollars) ?? "money") from \(from) to \(to)"
    }

    /// Whether an entry touches no account of this run's population.
    func isOfStrangers(_ place: Int) -> Bool {
        let parties = [from(place), to(place), fact(place)?.from, fact(place)?.to].compactMap(\.self)
        return !parties.isEmpty && parties.allSatisfy { $0.isStranger || $0 == .ledger }
            && parties.contains { $0.isStranger }
    }
}

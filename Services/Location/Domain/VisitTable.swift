import Primitives

/// The open visits: a linked list for each customer, all in one flat array.
struct VisitTable: Sendable {
    struct Row: Sendable {
        /// The place's number.
        let place: Int32
        var visit: Visit
        /// The customer's next visit; -1 for none.
        fileprivate var next: Int32
    }

    private var rows: [Row] = []
    private var free: [Int32] = []
    /// The first visit of each customer, by number; -1 for none.
    private var heads: [Int32] = []
    private(set) var count = 0

    @inline(__always)
    func has(_ person: Int32) -> Bool { Int(person) < heads.count && heads[Int(person)] >= 0 }

    func visits(of person: Int32) -> [(place: Int32, visit: Visit)] {
        guard has(person) else { return [] }
        var found: [(place: Int32, visit: Visit)] = []
        var at = heads[Int(person)]
        while at >= 0 {
            found.append((rows[Int(at)].place, rows[Int(at)].visit))
            at = rows[Int(at)].next
        }
        return found
    }

    subscript(person: Int32, place: Int32) -> Visit? {
        get {
            guard has(person) else { return nil }
            var at = heads[Int(person)]
            while at >= 0, rows[Int(at)].place != place { at = rows[Int(at)].next }
            return at < 0 ? nil : rows[Int(at)].visit
        }
        set {
            var (before, at): (Int32, Int32) = (-1, has(person) ? heads[Int(person)] : -1)
            while at >= 0, rows[Int(at)].place != place { (before, at) = (at, rows[Int(at)].next) }
            switch (at >= 0, newValue) {
            case (true, let visit?): rows[Int(at)].visit = visit
            case (true, nil):
                let next = rows[Int(at)].next
                if before >= 0 { rows[Int(before)].next = next } else { heads[Int(person)] = next }
                free.append(at)
                count -= 1
            case (false, let visit?): add(person, place, visit)
            case (false, nil): break
            }
        }
    }

    private mutating func add(_ person: Int32, _ place: Int32, _ visit: Visit) {
        if Int(person) >= heads.count {
            heads.append(contentsOf: repeatElement(-1, count: Int(person) + 1 - heads.count))
        }
        let row = Row(place: place, visit: visit, next: heads[Int(person)])
        if let vacant = free.popLast() {
            rows[Int(vacant)] = row
            heads[Int(person)] = vacant
        } else {
            heads[Int(person)] = Int32(rows.count)
            rows.append(row)
        }
        count += 1
    }
}

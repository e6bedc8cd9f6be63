/// The newest keys of an index, ahead of its rows (ADR 32): a value that neither reads nor writes.
///
/// Where keys are random, each one's row would be the writing of one more page with its commit. Rows are written in
/// rounds instead: once enough of the table has gathered, its keys are written in their order, some with each commit,
/// so that neighbours share the writing of a page. A key that comes again has its newest place.
package struct KeysAhead {
    package typealias Key = KeysInOrder.Key

    /// Places of the table that gather before a round begins: by their layout in memory some 120 bytes for each of
    /// their keys.
    package static let placesMax = 65_536
    /// Rows written with a commit of a round for each of its keys: a round ends before half as many have gathered
    /// again.
    static let rowsPerKey = 2

    /// Rows that are to be written in this order.
    package struct Due {
        package let rows: ArraySlice<KeysInOrder.Row>
        /// The place up to which all rows are written then; nil where this does not end a round.
        package let through: Int64?
    }

    private let placesMax: Int64
    private var gathering: [Key: Int64] = [:]
    /// The keys of the round, also those that it has written.
    private var writing: [Key: Int64] = [:]
    private var round = KeysInOrder([])
    private var roundHead: Int64?
    /// The head when the last round began: what came since gathers.
    private var lastHead: Int64
    /// Where the newest key is: greater for what came later.
    package private(set) var head: Int64

    /// - Parameter through: the place up to which every row is written.
    package init(through: Int64, placesMax: Int = Self.placesMax) {
        self.placesMax = Int64(placesMax)
        lastHead = through
        head = through
    }

    /// Whether all rows are written.
    package var isEmpty: Bool { gathering.isEmpty && roundHead == nil }

    /// Nil for a key that is not among those ahead.
    package func place(of key: Key) -> Int64? { gathering[key] ?? writing[key] }

    /// - Parameter place: not before that of the same key.
    package mutating func add(_ key: Key, at place: Int64) {
        gathering[key] = place
        head = max(head, place)
    }

    /// What goes with a commit of so many keys.
    package mutating func due(with keys: Int) -> Due? {
        if roundHead == nil, head - lastHead >= placesMax { beginRound() }
        return due(rows: (keys + 1) * Self.rowsPerKey)
    }

    /// The same while nothing is committed: so many rows at most, though few have gathered.
    package mutating func dueQuietly(rows: Int) -> Due? {
        if roundHead == nil, !gathering.isEmpty { beginRound() }
        return due(rows: rows)
    }

    private mutating func beginRound() {
        // The emptied one has room for as many: growing, it would have to place all of them anew.
        swap(&gathering, &writing)
        round = KeysInOrder(writing.map { KeysInOrder.Row(key: $0.key, place: $0.value) })
        roundHead = head
        lastHead = head
    }

    private mutating func due(rows count: Int) -> Due? {
        guard let roundHead else { return nil }
        let rows = round.first(count)
        return Due(rows: rows, through: rows.count == round.count ? roundHead : nil)
    }

    /// Takes note that what was due last is written.
    package mutating func written(_ due: Due) {
        round.removeFirst(due.rows.count)
        guard due.through != nil else { return }
        round = KeysInOrder([])
        roundHead = nil
        writing.removeAll(keepingCapacity: true)
    }
}

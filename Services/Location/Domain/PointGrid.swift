import Primitives

/// Points that move all the time, found again by where they are: cells of a `CellMap` with their points one behind the
/// other in one array.
///
/// A point is known by a small number, chosen by the owner, which is its place in a flat array here: numbers have to be
/// dense. A move within a cell overwrites twelve bytes; one to another cell takes the last point of the old cell for
/// the gap and appends to the new. A search reads the few cells that its circle touches, each from one end to the
/// other.
package struct PointGrid: Sendable {
    /// A point as its cell holds it, with the moment that it is from, so that a search for fresh ones reads nothing
    /// else.
    package struct Entry: Sendable {
        /// Milliseconds since 1970.
        package let time: Int64
        package let latitude: Int32
        package let longitude: Int32
        package let id: Int32

        package var coordinate: Coordinate { Coordinate(checkedLatitude: latitude, longitude: longitude) }
    }

    /// A run of `entries`, a power of two long.
    private struct Cell: Sendable {
        let key: CellMap.Key
        var start: Int32 = -1
        var count: Int32 = 0
        /// The run has room for `4 << level`; -1 for none.
        var level: Int32 = -1

        @inline(__always)
        var capacity: Int32 { level < 0 ? 0 : 4 << level }
    }

    /// Where a point stands. `cell` is -1 for a number that has no point.
    private struct Spot: Sendable {
        var cell: Int32 = -1
        var offset: Int32 = 0
    }

    let map: CellMap
    private var cells: [Cell] = []
    /// Numbers of cells by their keys: open addressing, a power of two long, -1 where there is none.
    private var table: [Int32] = Array(repeating: -1, count: 64)
    private var entries: [Entry] = []
    /// Runs that nobody uses, by level.
    private var vacant: [[Int32]] = Array(repeating: [], count: 30)
    private var spots: [Spot] = []
    /// How many points there are.
    package private(set) var count = 0

    /// What the arrays occupy.
    package var memoryBytes: Int {
        cells.capacity * MemoryLayout<Cell>.stride + table.capacity * MemoryLayout<Int32>.stride
            + entries.capacity * MemoryLayout<Entry>.stride + spots.capacity * MemoryLayout<Spot>.stride
            + vacant.reduce(0) { $0 + $1.capacity * MemoryLayout<Int32>.stride }
    }

    /// - Parameter radiusMetres: of the usual search. Others are possible, and look at more cells or at more points.
    package init(radiusMetres: Double) { map = CellMap(radiusMetres: radiusMetres) }

    package subscript(_ id: Int32) -> Entry? {
        guard Int(id) < spots.count else { return nil }
        let spot = spots[Int(id)]
        return spot.cell < 0 ? nil : entries[Int(cells[Int(spot.cell)].start + spot.offset)]
    }

    /// Puts a point somewhere, from wherever it was.
    package mutating func put(_ id: Int32, at point: Coordinate, time: Int64) {
        if Int(id) >= spots.count {
            spots.append(contentsOf: repeatElement(Spot(), count: Int(id) + 1 - spots.count))
        }
        let entry = Entry(time: time, latitude: point.latitude, longitude: point.longitude, id: id)
        let key = map.key(point)
        let spot = spots[Int(id)]
        if spot.cell >= 0 {
            let cell = cells[Int(spot.cell)]
            if cell.key == key {
                entries[Int(cell.start + spot.offset)] = entry
                return
            }
            take(spot)
        } else {
            count += 1
        }
        let number = findOrMake(key)
        if cells[number].count == cells[number].capacity { resize(number, level: cells[number].level + 1) }
        let offset = cells[number].count
        entries[Int(cells[number].start + offset)] = entry
        cells[number].count += 1
        spots[Int(id)] = Spot(cell: Int32(number), offset: offset)
    }

    /// Whether there was such a point.
    @discardableResult
    package mutating func remove(_ id: Int32) -> Bool {
        guard Int(id) < spots.count, spots[Int(id)].cell >= 0 else { return false }
        take(spots[Int(id)])
        spots[Int(id)] = Spot()
        count -= 1
        return true
    }

    /// Closes the gap at a spot with its cell's last point.
    private mutating func take(_ spot: Spot) {
        let number = Int(spot.cell)
        cells[number].count -= 1
        let cell = cells[number]
        if spot.offset != cell.count {
            let last = entries[Int(cell.start + cell.count)]
            entries[Int(cell.start + spot.offset)] = last
            spots[Int(last.id)].offset = spot.offset
        }
        // A quarter full: half the run is as good, and no crowd that went away holds on to its room.
        if cell.count * 4 <= cell.capacity, cell.level > 0 || cell.count == 0 { resize(number, level: cell.level - 1) }
    }

    /// Moves a cell's points to a run of another length.
    private mutating func resize(_ number: Int, level: Int32) {
        let cell = cells[number]
        var start: Int32 = -1
        if level >= 0 {
            if let free = vacant[Int(level)].popLast() {
                start = free
            } else {
                start = Int32(entries.count)
                let nobody = Entry(time: 0, latitude: 0, longitude: 0, id: -1)
                entries.append(contentsOf: repeatElement(nobody, count: 4 << Int(level)))
            }
            for offset in 0..<cell.count { entries[Int(start + offset)] = entries[Int(cell.start + offset)] }
        }
        if cell.level >= 0 { vacant[Int(cell.level)].append(cell.start) }
        cells[number].start = start
        cells[number].level = level
    }

    // MARK: Cells by key

    /// Four neighbours of a row lie side by side, as a search asks for them one after the other; fours lie anywhere.
    @inline(__always)
    private static func hash(_ key: CellMap.Key) -> Int {
        var mixed = (key >> 2) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 32) &* 0xBF58_476D_1CE4_E5B9
        return Int(truncatingIfNeeded: (mixed >> 30) << 2 | key & 3)
    }

    @inline(__always)
    private func find(_ key: CellMap.Key) -> Int? {
        let mask = table.count - 1
        var place = Self.hash(key) & mask
        while true {
            let number = Int(table[place])
            if number < 0 { return nil }
            if cells[number].key == key { return number }
            place = (place + 1) & mask
        }
    }

    private mutating func findOrMake(_ key: CellMap.Key) -> Int {
        if let number = find(key) { return number }
        if (cells.count + 1) * 2 > table.count { makeRoom() }
        let number = cells.count
        cells.append(Cell(key: key))
        enter(number)
        return number
    }

    private mutating func enter(_ number: Int) {
        let mask = table.count - 1
        var place = Self.hash(cells[number].key) & mask
        while table[place] >= 0 { place = (place + 1) & mask }
        table[place] = Int32(number)
    }

    /// Forgets cells that are empty, and makes the table twice as long where most are not: whoever roams the globe
    /// leaves nothing behind.
    private mutating func makeRoom() {
        let used = cells.filter { $0.count > 0 }
        if used.count < cells.count {
            cells = used
            for number in cells.indices {
                for offset in 0..<cells[number].count {
                    spots[Int(entries[Int(cells[number].start + offset)].id)].cell = Int32(number)
                }
            }
        }
        let size = cells.count * 4 > table.count ? table.count * 2 : table.count
        table = Array(repeating: -1, count: size)
        for number in cells.indices { enter(number) }
    }

    /// Calls `body` with the points of one cell.
    @inline(__always)
    func eachEntry(_ key: CellMap.Key, _ body: (Entry) -> Void) {
        guard let number = find(key) else { return }
        let cell = cells[number]
        entries.withUnsafeBufferPointer { entries in
            for index in Int(cell.start)..<Int(cell.start + cell.count) { body(entries[index]) }
        }
    }
}

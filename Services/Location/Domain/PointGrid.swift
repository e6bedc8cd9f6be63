import Primitives

/// Moving points, found by position: each cell of a `CellMap` has its points in one contiguous run of an array.
///
/// The caller numbers the points; the numbers are array indexes and must be dense. A move within a cell overwrites the
/// point. A move to another cell fills the gap with the old cell's last point and appends to the new cell. A search
/// scans the cells that its circle touches.
package struct PointGrid: Sendable {
    /// A point as its cell stores it, with its time, so that a search for fresh points reads nothing else.
    package struct Entry: Sendable {
        /// Milliseconds since 1970.
        package let time: Int64
        package let latitude: Int32
        package let longitude: Int32
        package let id: Int32

        package var coordinate: Coordinate { Coordinate(checkedLatitude: latitude, longitude: longitude) }
    }

    /// A run of `entries`. Its capacity is a power of two.
    private struct Cell: Sendable {
        let key: CellMap.Key
        var start: Int32 = -1
        var count: Int32 = 0
        /// The run has room for `4 << level`; -1 for none.
        var level: Int32 = -1

        @inline(__always)
        var capacity: Int32 { level < 0 ? 0 : 4 << level }
    }

    /// The position of a point in the arrays. `cell` is -1 for a number without a point.
    private struct Spot: Sendable {
        var cell: Int32 = -1
        var offset: Int32 = 0
    }

    let map: CellMap
    private var cells: [Cell] = []
    /// The cells by key: open addressing in a power of two of entries; -1 for an empty entry.
    private var table: [Int32] = Array(repeating: -1, count: 64)
    private var entries: [Entry] = []
    /// Free runs, by level.
    private var vacant: [[Int32]] = Array(repeating: [], count: 30)
    private var spots: [Spot] = []
    /// The number of points.
    package private(set) var count = 0

    /// The size of the arrays.
    package var memoryBytes: Int {
        cells.capacity * MemoryLayout<Cell>.stride + table.capacity * MemoryLayout<Int32>.stride
            + entries.capacity * MemoryLayout<Entry>.stride + spots.capacity * MemoryLayout<Spot>.stride
            + vacant.reduce(0) { $0 + $1.capacity * MemoryLayout<Int32>.stride }
    }

    /// - Parameter radiusMetres: the usual search radius. Other searches visit more cells or more points.
    package init(radiusMetres: Double) { map = CellMap(radiusMetres: radiusMetres) }

    package subscript(_ id: Int32) -> Entry? {
        guard Int(id) < spots.count else { return nil }
        let spot = spots[Int(id)]
        return spot.cell < 0 ? nil : entries[Int(cells[Int(spot.cell)].start + spot.offset)]
    }

    /// Adds a point, or moves it.
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

    /// - Returns: whether there was such a point.
    @discardableResult
    package mutating func remove(_ id: Int32) -> Bool {
        guard Int(id) < spots.count, spots[Int(id)].cell >= 0 else { return false }
        take(spots[Int(id)])
        spots[Int(id)] = Spot()
        count -= 1
        return true
    }

    /// Fills the gap at a spot with its cell's last point.
    private mutating func take(_ spot: Spot) {
        let number = Int(spot.cell)
        cells[number].count -= 1
        let cell = cells[number]
        if spot.offset != cell.count {
            let last = entries[Int(cell.start + cell.count)]
            entries[Int(cell.start + spot.offset)] = last
            spots[Int(last.id)].offset = spot.offset
        }
        // Halves a run that is a quarter full, so that memory shrinks when a crowd leaves.
        if cell.count * 4 <= cell.capacity, cell.level > 0 || cell.count == 0 { resize(number, level: cell.level - 1) }
    }

    /// Moves a cell's points to a run of another capacity.
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

    /// Four neighbours of a row are adjacent, as a search reads them in sequence; groups of four are scattered.
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

    /// Removes empty cells, and doubles the table if most are in use: movement leaves no empty cells behind.
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

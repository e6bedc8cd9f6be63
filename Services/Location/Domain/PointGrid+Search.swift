import Primitives

#if canImport(Glibc)
import Glibc
#endif

/// A point that a search has found.
package struct Hit: Sendable {
    package let id: Int32
    /// The number that the point was added with.
    package let time: Int64
    package let metres: Double

    /// Nearest first; equal distances have a fixed order.
    static func isNearer(_ left: Hit, _ right: Hit) -> Bool {
        left.metres == right.metres ? left.id < right.id : left.metres < right.metres
    }
}

extension [Hit] {
    /// Keeps the nearest `limit`, sorted. Only those are sorted, as most searches find many more.
    mutating func keepNearest(_ limit: Int) {
        if count > limit, limit > 0 {
            // The nearest so far, as a heap with the farthest on top.
            withUnsafeMutableBufferPointer { hits in
                func sink(_ start: Int) {
                    var parent = start
                    while true {
                        var child = 2 * parent + 1
                        guard child < limit else { return }
                        if child + 1 < limit, Hit.isNearer(hits[child], hits[child + 1]) { child += 1 }
                        guard Hit.isNearer(hits[parent], hits[child]) else { return }
                        hits.swapAt(parent, child)
                        parent = child
                    }
                }
                for parent in stride(from: limit / 2 - 1, through: 0, by: -1) { sink(parent) }
                for index in limit..<hits.count where Hit.isNearer(hits[index], hits[0]) {
                    hits[0] = hits[index]
                    sink(0)
                }
            }
            removeSubrange(limit...)
        }
        sort(by: Hit.isNearer)
    }
}

extension PointGrid {
    /// The largest search radius. Up to it, the cosine below is exact to 1e-13.
    package static let radiusMetresMax = 10_000.0

    /// Appends all points within a radius (d ≤ r) whose time is later than `since`, in no order.
    ///
    /// - Parameter radiusMetres: up to `radiusMetresMax`.
    package func search(
        around centre: Coordinate, radiusMetres radius: Double, since: Int64 = .min, into hits: inout [Hit]
    ) {
        precondition(radius >= 0 && radius <= Self.radiusMetresMax)
        // Approximates the cosine of the mean latitude by two terms of its series around the centre: a cosine for each
        // point would be slow.
        let latitude = Double(centre.latitude) * FlatEarth.radiansPerMillionth
        let (cosine, sine) = (cos(latitude), sin(latitude))
        let metres = FlatEarth.metresPerMillionth
        let square = radius * radius
        // So near to the edge, the exact formula decides.
        let (surely, perhaps) = (square * (1 - 1e-9), square * (1 + 1e-9) + 1e-12)
        let centreEast = Int64(centre.longitude)
        eachCell(around: centre, radiusMetres: radius) { key in
            eachEntry(key) { entry in
                let northSteps = Double(Int64(entry.latitude) - Int64(centre.latitude))
                let half = northSteps * (FlatEarth.radiansPerMillionth / 2)
                let mean = cosine * (1 - half * half / 2) - sine * half
                let apart = abs(Int64(entry.longitude) - centreEast)
                let east = Double(min(apart, FlatEarth.turn - apart)) * metres * mean
                let north = northSteps * metres
                let distance = north * north + east * east
                guard distance <= perhaps, entry.time > since else { return }
                if distance <= surely {
                    hits.append(Hit(id: entry.id, time: entry.time, metres: distance.squareRoot()))
                } else {
                    let exact = centre.metres(to: entry.coordinate)
                    if exact <= radius { hits.append(Hit(id: entry.id, time: entry.time, metres: exact)) }
                }
            }
        }
    }

    /// Calls `body` with the key of each cell that the circle may touch.
    @inline(__always)
    private func eachCell(around centre: Coordinate, radiusMetres radius: Double, _ body: (CellMap.Key) -> Void) {
        // One millionth more than needed, so that rounding excludes no cell; the distance decides about each point.
        let north = Int64((radius / FlatEarth.metresPerMillionth).rounded(.up)) + 1
        let latitude = Int64(centre.latitude)
        let first = map.row(Int32(max(-90_000_000, latitude - north)))
        let last = map.row(Int32(min(90_000_000, latitude + north)))
        let reach = reach(latitude: latitude, north: north)
        let east = Int64(CellMap.east(centre.longitude))
        for row in first...last {
            let width = map.width(row)
            let columns = map.columns(width)
            // The last column may be nearly twice as wide, so that both ends may be in it after a full turn.
            guard let reach, reach * 2 + Int64(width) * 2 < FlatEarth.turn else {
                for column in 0..<columns { body(CellMap.key(row, column)) }
                continue
            }
            let from = map.column(UInt32((east - reach + FlatEarth.turn) % FlatEarth.turn), width)
            let to = map.column(UInt32((east + reach) % FlatEarth.turn), width)
            var column = from
            while true {
                body(CellMap.key(row, column))
                if column == to { break }
                column = column + 1 == columns ? 0 : column + 1
            }
        }
    }

    /// How far a circle reaches east and west, in millionths; nil for all the way around.
    @inline(__always)
    private func reach(latitude: Int64, north: Int64) -> Int64? {
        // The mean latitude is nearer to a pole than the centre by at most half the circle's height.
        let farthest = Double(latitude.magnitude) + Double(north) / 2
        guard farthest < 90_000_000 else { return nil }
        let steps = Double(north) / cos(farthest * FlatEarth.radiansPerMillionth)
        return steps < 180_000_000 ? Int64(steps) + 1 : nil
    }
}

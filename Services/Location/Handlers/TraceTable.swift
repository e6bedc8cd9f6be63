import Bus
import Contracts
import Primitives

/// Hands over what location knows of customers in memory only (ADR 17): last positions, and which fixes are too late.
package struct TraceTable: MemoryTable {
    /// Times are milliseconds since 1970, coordinates millionths of a degree. Without a position, its columns are null.
    package static let columns = Location.traces

    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package var table: StateTable { Self.columns }

    package func follow() { service.tracked { $0.follow(true) } }

    package func unfollow() { service.tracked { $0.follow(false) } }

    package func rows(from place: Int, limit: Int) -> (rows: [StateRow], next: Int?) {
        let (traces, next) = service.tracked { $0.traces(from: place, limit: limit) }
        return (traces.map(\.row), next)
    }

    package func changes(after number: Int64, limit: Int) -> MemoryChanges {
        service.tracked { tracker in
            let (customers, next, isEnd) = tracker.changes(after: number, limit: limit)
            let traces = customers.map { ($0, tracker.trace(of: $0)) }
            return MemoryChanges(
                rows: traces.compactMap { $0.1?.row },
                removed: traces.filter { $0.1 == nil }.map { ["customer": .bytes($0.0.bytes)] }, next: next,
                isEnd: isEnd)
        }
    }

    /// - Throws: `StateMismatch` for what is no trace.
    package static func trace(_ row: StateRow) throws(StateMismatch) -> PresenceTracker.Trace {
        guard case .bytes(let bytes)? = row["customer"], let customer = PartyID(bytes: bytes) else {
            throw StateMismatch("a trace is of nobody")
        }
        func number(_ column: String) -> Int64? {
            guard case .integer(let number)? = row[column] else { return nil }
            return number
        }
        var position: PointGrid.Entry?
        if let latitude = number("latitude"), let longitude = number("longitude"), let time = number("time") {
            guard let point = Coordinate(latitude: latitude, longitude: longitude) else {
                throw StateMismatch("a trace is of no point on the globe")
            }
            position = PointGrid.Entry(
                time: time, latitude: point.latitude, longitude: point.longitude, id: 0)
        }
        return PresenceTracker.Trace(
            customer: customer, newest: number("newest") ?? .min, published: number("published") ?? .min,
            position: position)
    }
}

extension PresenceTracker.Trace {
    /// A time that there is not is null.
    fileprivate var row: StateRow {
        [
            "customer": .bytes(customer.bytes), "newest": newest == .min ? .null : .integer(newest),
            "published": published == .min ? .null : .integer(published),
            "latitude": position.map { .integer(Int64($0.latitude)) } ?? .null,
            "longitude": position.map { .integer(Int64($0.longitude)) } ?? .null,
            "time": position.map { .integer($0.time) } ?? .null
        ]
    }
}

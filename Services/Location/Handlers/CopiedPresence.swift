import Bus
import Contracts
import Primitives
import Synchronization

/// Location's memory, grown from the rows of a hand-over while they are copied.
package final class CopiedPresence: CopiedMemory {
    private struct VisitKey: Hashable {
        let customer: PartyID
        let place: PlaceID
    }

    private struct Copy {
        var tracker: PresenceTracker
        var places: [Int64: PlaceID] = [:]
        /// Resumed at the end only: some have been closed until then.
        var visits: [VisitKey: StoredVisit] = [:]
        /// The traces of customers who do not share yet, as far as the copy goes.
        var early: [PartyID: PresenceTracker.Trace] = [:]
        var alive: Timestamp?
    }

    private let copy: Mutex<Copy>
    private let rules: LocationRules

    package init(rules: LocationRules) {
        self.rules = rules
        copy = Mutex(Copy(tracker: PresenceTracker(rules: rules)))
    }

    package func put(_ rows: [StateRow], removing removed: [StateRow], in table: String) throws {
        try copy.withLock { copy in
            for row in removed { try Self.remove(row, table, &copy) }
            for row in rows { try Self.put(row, table, &copy) }
        }
    }

    /// The tracker with all that was copied, once.
    func take(at now: Timestamp) -> PresenceTracker {
        copy.withLock { copy in
            // Moved out, so that it is not copied when it changes.
            var tracker = PresenceTracker(rules: rules)
            swap(&tracker, &copy.tracker)
            for visit in copy.visits.values { tracker.resume(visit, startedAt: now, lastAlive: copy.alive) }
            for trace in copy.early.values { tracker.restore(trace) }
            return tracker
        }
    }

    private static let never = Timestamp(milliseconds: 0)

    private static func put(_ row: StateRow, _ table: String, _ copy: inout Copy) throws {
        switch table {
        case "sharing":
            let customer = try PartyID(row, "customer")
            copy.tracker.share(customer, since: nil)
            if let trace = copy.early.removeValue(forKey: customer) { copy.tracker.restore(trace) }
        case "places":
            let (number, id) = (try row.number("number"), try PlaceID(row, "id"))
            if let before = copy.places.updateValue(id, forKey: number), before != id {
                copy.tracker.remove(before, at: never, because: nil)
            }
            guard
                let point = Coordinate(latitude: try row.number("latitude"), longitude: try row.number("longitude")),
                case .text(let name)? = row["name"]
            else { throw StateMismatch("a place is nowhere, or has no name") }
            copy.tracker.put(
                MerchantPlace(id: id, merchant: try PartyID(row, "merchant"), name: name, point: point), at: never,
                because: nil)
        case "visits":
            let visit = StoredVisit(
                customer: try PartyID(row, "customer"), place: try PlaceID(row, "place"),
                merchant: try PartyID(row, "merchant"),
                visit: Visit(
                    entered: Timestamp(milliseconds: try row.number("entered")), dwelled: try row.number("dwelled") != 0
                ))
            copy.visits[VisitKey(customer: visit.customer, place: visit.place)] = visit
        case "alive": copy.alive = Timestamp(milliseconds: try row.number("time"))
        case TraceTable.columns.name:
            let trace = try TraceTable.trace(row)
            if copy.tracker.isSharing(trace.customer) {
                copy.tracker.restore(trace)
            } else {
                copy.early[trace.customer] = trace
            }
        default: break
        }
    }

    private static func remove(_ row: StateRow, _ table: String, _ copy: inout Copy) throws {
        switch table {
        case "sharing": copy.tracker.unshare(try PartyID(row, "customer"), at: never, because: nil)
        case "places":
            guard let id = copy.places.removeValue(forKey: try row.number("number")) else { return }
            copy.tracker.remove(id, at: never, because: nil)
        case "visits":
            copy.visits[
                VisitKey(customer: try PartyID(row, "customer"), place: try PlaceID(row, "place"))] = nil
        case TraceTable.columns.name: copy.early[try PartyID(row, "customer")] = nil
        default: break
        }
    }
}

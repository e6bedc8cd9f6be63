import Contracts
import DequeModule
import HeapModule
import Primitives

/// Decides which delivery is sent next. A value: it reads no clock and no network.
///
/// Each endpoint has a lane, and one delivery of a lane is sent at a time. Each medium has places of its own for what
/// is being sent, and others for lanes that have failed: what hangs or fails soon delays nothing else. After failures
/// in a row, a lane's circuit is open, and its deliveries wait for the next probe.
package struct DeliveryQueue: Sendable {
    private struct Lane {
        let medium: Medium
        /// By due time, then in the order of arrival.
        var waiting: Deque<Entry> = []
        /// The kind of place that its delivery in flight has.
        var held: Places?
        var failures = 0
        var openUntil: Timestamp?

        var isBusy: Bool { held != nil }
        var places: Places { Places(medium: medium, areOfFailing: failures > 0) }

        var due: Timestamp? {
            guard !isBusy, let first = waiting.first else { return nil }
            return max(first.due, openUntil ?? first.due)
        }
    }

    private struct Entry {
        let id: DeliveryID
        let due: Timestamp
    }

    private struct Places: Hashable {
        let medium: Medium
        let areOfFailing: Bool
    }

    /// The deliveries of one kind of places.
    private struct Share {
        /// When each lane is due. Outdated entries are skipped.
        var agenda = Heap<AgendaItem>()
        var inFlight = 0
    }

    private let rules: DeliveryRules
    private var lanes: [EndpointID: Lane] = [:]
    private var shares: [Places: Share] = [:]

    package init(_ rules: DeliveryRules) { self.rules = rules }

    package private(set) var waitingCount = 0
    package var inFlight: Int { shares.values.reduce(0) { $0 + $1.inFlight } }

    package mutating func add(_ queued: Queued) {
        var lane = lanes[queued.lane, default: Lane(medium: queued.medium)]
        // Nearly always the end: times increase.
        let place = lane.waiting.lastIndex { $0.due <= queued.due }.map { $0 + 1 } ?? 0
        lane.waiting.insert(Entry(id: queued.id, due: queued.due), at: place)
        waitingCount += 1
        put(lane, queued.lane)
    }

    /// Takes a delivery that is due. Its lane is busy from now on.
    package mutating func next(at now: Timestamp) -> Queued? {
        while let (places, time) = nextPlaces, time <= now, let first = shares[places]?.agenda.popMin() {
            guard var lane = lanes[first.lane], lane.places == places, lane.due == first.time else { continue }
            let entry = lane.waiting.removeFirst()
            lane.held = places
            lanes[first.lane] = lane
            waitingCount -= 1
            shares[places, default: Share()].inFlight += 1
            return Queued(id: entry.id, lane: first.lane, medium: lane.medium, due: entry.due)
        }
        return nil
    }

    /// When `next` may return a delivery again; nil while none waits, or all places are taken.
    package var nextDue: Timestamp? { nextPlaces?.due }

    /// The free places that are wanted first, and when.
    private var nextPlaces: (Places, due: Timestamp)? {
        shares.compactMap { places, share in
            let most = places.areOfFailing ? rules.inFlightFailingMax : rules.inFlightMax
            return share.inFlight < most ? share.agenda.min.map { (places, due: $0.time) } : nil
        }.min { $0.due < $1.due }
    }

    /// A delivery succeeded.
    package mutating func succeeded(_ lane: EndpointID) {
        free(lane) { lane in
            lane.failures = 0
            lane.openUntil = nil
        }
    }

    /// A delivery ended for good, without a statement about its endpoint.
    package mutating func left(_ lane: EndpointID) {
        // An endpoint to which nothing is to be sent is forgotten: most are never seen again.
        free(lane) { lane in if lane.waiting.isEmpty { lane.failures = 0 } }
    }

    /// A delivery will be tried again, without a statement about its endpoint.
    package mutating func postponed(_ queued: Queued, until due: Timestamp) {
        free(queued.lane) { _ in }
        add(queued.again(at: due))
    }

    /// A delivery failed and will be tried again. A newer one may find out before that whether its endpoint is well.
    package mutating func failed(_ queued: Queued, at now: Timestamp, again due: Timestamp) {
        let rules = rules
        free(queued.lane) { lane in
            lane.failures += 1
            if lane.failures >= rules.circuitFailures { lane.openUntil = min(due, now + rules.probePauseMax) }
        }
        add(queued.again(at: due))
    }

    /// Removes the deliveries of an endpoint that was removed.
    package mutating func removeLane(_ id: EndpointID) {
        guard var lane = lanes[id] else { return }
        waitingCount -= lane.waiting.count
        lane.waiting = []
        lane.failures = 0
        put(lane, id)
    }

    private mutating func free(_ id: EndpointID, _ change: (inout Lane) -> Void) {
        guard var lane = lanes[id], let held = lane.held else { return }
        shares[held]?.inFlight -= 1
        lane.held = nil
        change(&lane)
        put(lane, id)
    }

    private mutating func put(_ lane: Lane, _ id: EndpointID) {
        if lane.waiting.isEmpty, !lane.isBusy, lane.failures == 0 {
            lanes[id] = nil
        } else {
            lanes[id] = lane
        }
        if let due = lane.due { shares[lane.places, default: Share()].agenda.insert(AgendaItem(time: due, lane: id)) }
    }
}

/// A waiting delivery: its id, its lane and when it is due.
package struct Queued: Sendable, Equatable {
    package let id: DeliveryID
    /// The endpoint's id; for an address without an endpoint, an id derived from it.
    package let lane: EndpointID
    package let medium: Medium
    package let due: Timestamp

    package init(id: DeliveryID, lane: EndpointID, medium: Medium, due: Timestamp) {
        self.id = id
        self.lane = lane
        self.medium = medium
        self.due = due
    }

    func again(at due: Timestamp) -> Queued { Queued(id: id, lane: lane, medium: medium, due: due) }
}

/// When a lane is due. An item that is older than the lane's newest one is outdated.
private struct AgendaItem: Sendable, Comparable {
    let time: Timestamp
    let lane: EndpointID

    static func < (left: AgendaItem, right: AgendaItem) -> Bool { left.time < right.time }
    static func == (left: AgendaItem, right: AgendaItem) -> Bool { left.time == right.time }
}

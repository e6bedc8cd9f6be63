import Contracts
import DequeModule
import HeapModule
import Primitives

/// Decides which delivery is sent next. A value: it reads no clock and no network.
///
/// Each endpoint has a lane, and one delivery of a lane is sent at a time: an endpoint that hangs or fails delays no
/// other. After failures in a row, a lane's circuit is open, and its deliveries wait for the next probe.
package struct DeliveryQueue: Sendable {
    private struct Lane {
        /// By due time, then in the order of arrival.
        var waiting: Deque<Entry> = []
        var isBusy = false
        var failures = 0
        var openUntil: Timestamp?

        var due: Timestamp? {
            guard !isBusy, let first = waiting.first else { return nil }
            return max(first.due, openUntil ?? first.due)
        }
    }

    private struct Entry {
        let id: DeliveryID
        let due: Timestamp
    }

    private let circuitFailures: Int
    private var lanes: [EndpointID: Lane] = [:]
    /// When each lane is due. Outdated entries are skipped.
    private var agenda = Heap<AgendaItem>()

    package init(circuitFailures: Int) { self.circuitFailures = circuitFailures }

    package private(set) var waitingCount = 0
    package private(set) var inFlight = 0

    package mutating func add(_ queued: Queued) {
        var lane = lanes[queued.lane, default: Lane()]
        // Nearly always the end: times increase.
        let place = lane.waiting.lastIndex { $0.due <= queued.due }.map { $0 + 1 } ?? 0
        lane.waiting.insert(Entry(id: queued.id, due: queued.due), at: place)
        waitingCount += 1
        put(lane, queued.lane)
    }

    /// Takes a delivery that is due. Its lane is busy from now on.
    package mutating func next(at now: Timestamp) -> Queued? {
        while let first = agenda.min, first.time <= now {
            agenda.removeMin()
            guard var lane = lanes[first.lane], let due = lane.due, due == first.time else { continue }
            let entry = lane.waiting.removeFirst()
            lane.isBusy = true
            lanes[first.lane] = lane
            waitingCount -= 1
            inFlight += 1
            return Queued(id: entry.id, lane: first.lane, due: entry.due)
        }
        return nil
    }

    /// When `next` may return a delivery again; nil while none waits.
    package var nextDue: Timestamp? { agenda.min?.time }

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
        add(Queued(id: queued.id, lane: queued.lane, due: due))
    }

    /// A delivery failed and will be tried again.
    package mutating func failed(_ queued: Queued, again due: Timestamp) {
        let circuitFailures = circuitFailures
        free(queued.lane) { lane in
            lane.failures += 1
            if lane.failures >= circuitFailures { lane.openUntil = due }
        }
        add(Queued(id: queued.id, lane: queued.lane, due: due))
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
        guard var lane = lanes[id], lane.isBusy else { return }
        inFlight -= 1
        lane.isBusy = false
        change(&lane)
        put(lane, id)
    }

    private mutating func put(_ lane: Lane, _ id: EndpointID) {
        if lane.waiting.isEmpty, !lane.isBusy, lane.failures == 0 {
            lanes[id] = nil
        } else {
            lanes[id] = lane
        }
        if let due = lane.due { agenda.insert(AgendaItem(time: due, lane: id)) }
    }
}

/// A waiting delivery: its id, its lane and when it is due.
package struct Queued: Sendable, Equatable {
    package let id: DeliveryID
    /// The endpoint's id; for an address without an endpoint, an id derived from it.
    package let lane: EndpointID
    package let due: Timestamp

    package init(id: DeliveryID, lane: EndpointID, due: Timestamp) {
        self.id = id
        self.lane = lane
        self.due = due
    }
}

/// When a lane is due. An item that is older than the lane's newest one is outdated.
private struct AgendaItem: Sendable, Comparable {
    let time: Timestamp
    let lane: EndpointID

    static func < (left: AgendaItem, right: AgendaItem) -> Bool { left.time < right.time }
    static func == (left: AgendaItem, right: AgendaItem) -> Bool { left.time == right.time }
}

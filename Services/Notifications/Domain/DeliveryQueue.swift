import Contracts
import DequeModule
import HeapModule
import Primitives

/// Which delivery is carried next: a value without clock and network.
///
/// Deliveries stand in lanes, one an endpoint, and of a lane one at a time is carried; so whoever hangs or fails holds
/// up nobody else. After failures in a row a lane's circuit is open: all of it waits until its next probe.
package struct DeliveryQueue: Sendable {
    private struct Lane {
        /// By due time, then in the order in which they came.
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
    /// When a lane wants to be looked at; entries that are out of date are passed over.
    private var agenda = Heap<AgendaItem>()

    package init(circuitFailures: Int) { self.circuitFailures = circuitFailures }

    package private(set) var waitingCount = 0
    package private(set) var inFlight = 0

    package mutating func add(_ queued: Queued) {
        var lane = lanes[queued.lane, default: Lane()]
        // Nearly always the last: times go forward.
        let place = lane.waiting.lastIndex { $0.due <= queued.due }.map { $0 + 1 } ?? 0
        lane.waiting.insert(Entry(id: queued.id, due: queued.due), at: place)
        waitingCount += 1
        put(lane, queued.lane)
    }

    /// One that is due, which its lane is busy with from now on.
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

    /// When `next` may have something again; nil while nothing waits.
    package var nextDue: Timestamp? { agenda.min?.time }

    /// A delivery is done with, and its endpoint works.
    package mutating func succeeded(_ lane: EndpointID) {
        free(lane) { lane in
            lane.failures = 0
            lane.openUntil = nil
        }
    }

    /// A delivery is done with, which says nothing about its endpoint.
    package mutating func left(_ lane: EndpointID) { free(lane) { _ in } }

    /// A delivery failed and is tried again.
    package mutating func failed(_ queued: Queued, again due: Timestamp) {
        let circuitFailures = circuitFailures
        free(queued.lane) { lane in
            lane.failures += 1
            if lane.failures >= circuitFailures { lane.openUntil = due }
        }
        add(Queued(id: queued.id, lane: queued.lane, due: due))
    }

    /// Forgets what waits for an endpoint that is no more.
    package mutating func removeLane(_ id: EndpointID) {
        guard var lane = lanes[id] else { return }
        waitingCount -= lane.waiting.count
        lane.waiting = []
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

/// A delivery that waits: which, for whom, and until when.
package struct Queued: Sendable, Equatable {
    package let id: DeliveryID
    /// The endpoint, or what stands for an address that is none.
    package let lane: EndpointID
    package let due: Timestamp

    package init(id: DeliveryID, lane: EndpointID, due: Timestamp) {
        self.id = id
        self.lane = lane
        self.due = due
    }
}

/// When a lane is due. Of a lane that has been put again since, an older item says nothing.
private struct AgendaItem: Sendable, Comparable {
    let time: Timestamp
    let lane: EndpointID

    static func < (left: AgendaItem, right: AgendaItem) -> Bool { left.time < right.time }
    static func == (left: AgendaItem, right: AgendaItem) -> Bool { left.time == right.time }
}

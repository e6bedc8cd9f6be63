import Contracts
import NIOCore
import Primitives
import Synchronization

/// The requests of each account that are being answered: no account may have all of the gateway's attention.
final class AccountLoad: Sendable {
    private let running = Mutex<[PartyID: Int]>([:])
    private let perAccountMax: Int

    init(perAccountMax: Int) { self.perAccountMax = perAccountMax }

    func begin(_ account: PartyID) throws(Fault) {
        let hasRoom = running.withLock { running in
            let count = running[account, default: 0]
            guard count < perAccountMax else { return false }
            running[account] = count + 1
            return true
        }
        guard hasRoom else { throw Fault(.accountBusy, retryAfterSeconds: 1) }
    }

    func end(_ account: PartyID) {
        running.withLock { running in
            let count = running[account, default: 1] - 1
            running[account] = count == 0 ? nil : count
        }
    }
}

/// Event streams of all kinds, each of which holds a connection: together they leave some for everything else.
final class StreamPlaces: Sendable {
    private let taken = Atomic(0)
    private let countMax: Int

    init(countMax: Int) { self.countMax = countMax }

    /// The same answer, which holds a place until nobody can write its stream any more.
    func hold(_ answer: Answer) throws(Fault) -> Answer {
        guard answer.writing != nil || answer.events != nil else { return answer }
        let count = taken.add(1, ordering: .relaxed).newValue
        let place = Place(self)
        guard count <= countMax else { throw Fault(.tooManyStreams, retryAfterSeconds: 1) }
        var answer = answer
        if let writing = answer.writing {
            answer.writing = { writer in
                try await writing(&writer)
                withExtendedLifetime(place) {}
            }
        }
        answer.events = answer.events.map { HeldFeed(feed: $0, place: place) }
        return answer
    }

    private struct HeldFeed: EventFeed {
        let feed: any EventFeed
        let place: Place

        func whenDue(_ wake: @escaping @Sendable () -> Void) { feed.whenDue(wake) }

        func turn(_ write: (ByteBuffer) async throws -> Void) async throws -> Bool { try await feed.turn(write) }
    }

    private final class Place: Sendable {
        private let places: StreamPlaces

        init(_ places: StreamPlaces) { self.places = places }

        deinit { places.taken.subtract(1, ordering: .relaxed) }
    }
}

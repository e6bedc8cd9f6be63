import Bus
import Contracts
import Primitives

/// Proves that a customer is at a merchant's place, and about how far from it; never where.
package struct ProvePresenceHandler: Answering {
    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package func answer(
        _ ask: Location.ProvePresence, in context: AskContext
    ) async throws(Fault) -> Location.Presence {
        let now = service.clock.now()
        let near = try service.with { tracker throws(Fault) in
            try tracker.presence(of: ask.customer, at: ask.place, of: ask.merchant, at: now)
        }
        return Location.Presence(
            place: near.place, distanceMetres: service.rules.coarse(near.metres), time: near.time)
    }
}

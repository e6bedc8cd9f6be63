import Bus
import Contracts
import Primitives

/// Vouches for a customer's being at a merchant's place (001-51): whether, and about how far from it, never where.
package struct ProvePresenceHandler: Answering {
    private let desk: LocationDesk

    package init(_ desk: LocationDesk) { self.desk = desk }

    package func answer(
        _ ask: Location.ProvePresence, in context: AskContext
    ) async throws(Fault) -> Location.Presence {
        let now = desk.clock.now()
        let near = try desk.with { whereabouts throws(Fault) in
            try whereabouts.presence(of: ask.customer, at: ask.place, of: ask.merchant, at: now)
        }
        return Location.Presence(
            place: near.place, distanceMetres: desk.rules.coarse(near.metres), time: near.time)
    }
}

import Bus
import Contracts
import Primitives

/// Begins or ends a customer's sharing. What the customer is told is on the disk.
package struct SetSharingHandler: Answering {
    private let desk: LocationDesk

    package init(_ desk: LocationDesk) { self.desk = desk }

    package func answer(
        _ ask: Location.SetSharing, in context: AskContext
    ) async throws(Fault) -> Location.SharingView {
        try await desk.turns.take(of: ask.customer) { () async throws(Fault) in
            let now = desk.clock.now()
            // Forgotten before it is written down: whatever the disk does, nobody is seen after they said no.
            if !ask.sharing {
                try desk.with { whereabouts throws(Fault) in
                    whereabouts.unshare(ask.customer, at: now, because: context.cause(at: now))
                }
            }
            try await desk.store.setSharing(ask.customer, ask.sharing, at: now)
            if ask.sharing {
                try desk.with { whereabouts throws(Fault) in whereabouts.share(ask.customer, since: now) }
            }
        }
        try await desk.tellChanges()
        return desk.view(ask.customer, sharing: ask.sharing)
    }
}

package struct ReadSharingHandler: Answering {
    private let desk: LocationDesk

    package init(_ desk: LocationDesk) { self.desk = desk }

    package func answer(
        _ ask: Location.ReadSharing, in context: AskContext
    ) async throws(Fault) -> Location.SharingView {
        let sharing = try desk.with { whereabouts throws(Fault) in whereabouts.isSharing(ask.customer) }
        return desk.view(ask.customer, sharing: sharing)
    }
}

extension LocationDesk {
    fileprivate func view(_ customer: PartyID, sharing: Bool) -> Location.SharingView {
        Location.SharingView(
            customer: customer, sharing: sharing, keptSeconds: rules.timeToLive.wholeMilliseconds / 1000)
    }
}

import Bus
import Contracts
import Primitives

/// Begins or ends a customer's sharing. The answer comes after the disk has it.
package struct SetSharingHandler: Answering {
    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package func answer(
        _ ask: Location.SetSharing, in context: AskContext
    ) async throws(Fault) -> Location.SharingView {
        try await service.turns.take(of: ask.customer) { () async throws(Fault) in
            let now = service.clock.now()
            // Forgets first and stores then: even if the disk fails, nobody is shown after they ended sharing.
            if !ask.sharing {
                try service.with { tracker throws(Fault) in
                    tracker.unshare(ask.customer, at: now, because: context.cause(at: now))
                }
            }
            try await service.store.setSharing(ask.customer, ask.sharing, at: now)
            if ask.sharing {
                try service.with { tracker throws(Fault) in tracker.share(ask.customer, since: now) }
            }
        }
        try await service.publishChanges()
        return service.view(ask.customer, sharing: ask.sharing)
    }
}

package struct ReadSharingHandler: Answering {
    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package func answer(
        _ ask: Location.ReadSharing, in context: AskContext
    ) async throws(Fault) -> Location.SharingView {
        let sharing = try service.with { tracker throws(Fault) in tracker.isSharing(ask.customer) }
        return service.view(ask.customer, sharing: sharing)
    }
}

extension PresenceService {
    fileprivate func view(_ customer: PartyID, sharing: Bool) -> Location.SharingView {
        Location.SharingView(
            customer: customer, sharing: sharing, keptSeconds: rules.timeToLive.wholeMilliseconds / 1000)
    }
}

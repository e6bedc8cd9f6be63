import Bus
import Contracts
import Primitives

/// Stores a customer's position.
package struct UpdatePositionHandler: Answering {
    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package func answer(
        _ ask: Location.UpdatePosition, in context: AskContext
    ) async throws(Fault) -> Location.Updated {
        let now = service.clock.now()
        // Also changes that an earlier try of this ask could not publish.
        let (outcome, areChanges) = try service.with { tracker throws(Fault) in
            let outcome = try tracker.update(ask.fix, at: now, because: context.cause(at: now))
            return (outcome, tracker.hasChanges)
        }
        if areChanges { try await service.publishChanges() }
        return Location.Updated(outcome: outcome)
    }
}

/// Stores many positions at once.
package struct UpdatePositionsHandler: Answering {
    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package func answer(
        _ ask: Location.UpdatePositions, in context: AskContext
    ) async throws(Fault) -> Location.UpdatePositions.Reply {
        let now = service.clock.now()
        let (reply, areChanges) = try service.with { tracker throws(Fault) in
            var counts: [Location.UpdateOutcome: Int64] = [:]
            var refused: [Location.UpdatePositions.Refused] = []
            for (index, fix) in ask.fixes.enumerated() {
                do throws(Fault) {
                    let outcome = try tracker.update(fix, at: now, because: context.cause(at: now))
                    counts[outcome, default: 0] += 1
                } catch {
                    refused.append(.init(index: Int64(index), code: error.code.code))
                }
            }
            let reply = Location.UpdatePositions.Reply(
                stored: counts[.stored, default: 0], older: counts[.older, default: 0],
                expired: counts[.expired, default: 0], refused: refused)
            return (reply, tracker.hasChanges)
        }
        if areChanges { try await service.publishChanges() }
        return reply
    }
}

/// Shows a customer their last position.
package struct ReadPositionHandler: Answering {
    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package func answer(_ ask: Location.ReadPosition, in context: AskContext) async throws(Fault) -> Location.Position {
        let now = service.clock.now()
        let known = try service.with { tracker throws(Fault) in tracker.position(of: ask.customer, at: now) }
        guard let known else { throw Fault(.positionUnknown) }
        return Location.Position(
            latitude: Int64(known.point.latitude), longitude: Int64(known.point.longitude), time: known.time,
            expires: known.expires)
    }
}

/// Forgets a customer's last position.
package struct ForgetPositionHandler: Answering {
    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package func answer(
        _ ask: Location.ForgetPosition, in context: AskContext
    ) async throws(Fault) -> Location.ForgetPosition.Reply {
        let now = service.clock.now()
        let forgotten = try service.with { tracker throws(Fault) in
            tracker.forgetPosition(of: ask.customer, at: now, because: context.cause(at: now))
        }
        try await service.publishChanges()
        return .init(forgotten: forgotten)
    }
}

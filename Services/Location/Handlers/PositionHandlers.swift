import Bus
import Contracts
import Primitives

/// Takes a customer's position (001-85).
package struct UpdatePositionHandler: Answering {
    private let desk: LocationDesk

    package init(_ desk: LocationDesk) { self.desk = desk }

    package func answer(
        _ ask: Location.UpdatePosition, in context: AskContext
    ) async throws(Fault) -> Location.Updated {
        let now = desk.clock.now()
        let (outcome, isNews) = try desk.with { whereabouts throws(Fault) in
            let before = whereabouts.changeCount
            let outcome = try whereabouts.update(ask.fix, at: now, because: context.cause(at: now))
            return (outcome, whereabouts.changeCount > before)
        }
        if isNews { try await desk.tellChanges() }
        return Location.Updated(outcome: outcome)
    }
}

/// Takes many positions at once.
package struct UpdatePositionsHandler: Answering {
    private let desk: LocationDesk

    package init(_ desk: LocationDesk) { self.desk = desk }

    package func answer(
        _ ask: Location.UpdatePositions, in context: AskContext
    ) async throws(Fault) -> Location.UpdatePositions.Reply {
        let now = desk.clock.now()
        let (reply, isNews) = try desk.with { whereabouts throws(Fault) in
            let before = whereabouts.changeCount
            var counts: [Location.UpdateOutcome: Int64] = [:]
            var refused: [Location.UpdatePositions.Refused] = []
            for (index, fix) in ask.fixes.enumerated() {
                do throws(Fault) {
                    let outcome = try whereabouts.update(fix, at: now, because: context.cause(at: now))
                    counts[outcome, default: 0] += 1
                } catch {
                    refused.append(.init(index: Int64(index), code: error.code.code))
                }
            }
            let reply = Location.UpdatePositions.Reply(
                stored: counts[.stored, default: 0], older: counts[.older, default: 0],
                expired: counts[.expired, default: 0], refused: refused)
            return (reply, whereabouts.changeCount > before)
        }
        if isNews { try await desk.tellChanges() }
        return reply
    }
}

/// Shows a customer where they were last (001-35).
package struct ReadPositionHandler: Answering {
    private let desk: LocationDesk

    package init(_ desk: LocationDesk) { self.desk = desk }

    package func answer(_ ask: Location.ReadPosition, in context: AskContext) async throws(Fault) -> Location.Position {
        let now = desk.clock.now()
        let known = try desk.with { whereabouts throws(Fault) in whereabouts.position(of: ask.customer, at: now) }
        guard let known else { throw Fault(.positionUnknown) }
        return Location.Position(
            latitude: Int64(known.point.latitude), longitude: Int64(known.point.longitude), time: known.time,
            expires: known.expires)
    }
}

/// Forgets where a customer was last.
package struct ForgetPositionHandler: Answering {
    private let desk: LocationDesk

    package init(_ desk: LocationDesk) { self.desk = desk }

    package func answer(
        _ ask: Location.ForgetPosition, in context: AskContext
    ) async throws(Fault) -> Location.ForgetPosition.Reply {
        let now = desk.clock.now()
        let forgotten = try desk.with { whereabouts throws(Fault) in
            whereabouts.forgetPosition(of: ask.customer, at: now, because: context.cause(at: now))
        }
        try await desk.tellChanges()
        return .init(forgotten: forgotten)
    }
}

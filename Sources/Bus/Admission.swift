import Contracts
import Wire

extension Ask {
    /// The ask that came, if its actor may make it and its fields keep their limits, looked at in this order.
    ///
    /// - Throws: `bus.malformed`, `bus.forbidden`, or the code of the limit that a field breaks.
    package init(admitting data: ArraySlice<UInt8>, of actor: Actor?) throws(Fault) {
        do throws(WireError) { self = try Self(json: data) } catch { throw Fault(error.inside("data")) }
        try admit(actor)
    }

    fileprivate func admit(_ actor: Actor?) throws(Fault) {
        if let actor, !Self.access.allows(self, role: actor.role, party: actor.party) { throw Fault(.forbidden) }
        try check()
    }
}

extension Answering {
    /// Answers an ask that has not come over the bus as if it had: actor and limits are looked at first.
    package nonisolated(nonsending) func admit(
        _ ask: Question, in context: AskContext
    ) async throws(Fault) -> Question.Reply {
        try ask.admit(context.actor)
        return try await answer(ask, in: context)
    }
}

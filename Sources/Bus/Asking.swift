import Contracts
import Primitives

/// What an ask knows beside its own content. Handed on from each ask to those that it leads to.
package struct AskContext: Sendable {
    /// When it is no longer worth doing: one moment for a whole HTTP request or touch and all that it asks.
    package var deadline: Timestamp
    /// The first message of all that this belongs to.
    package var correlationID: String?
    /// The message that led to this.
    package var causationID: String?
    package var traceparent: String?
    package var idempotencyKey: String?
    /// On whose behalf; nil when a service acts for itself.
    @usableFromInline
    package var actor: Actor?

    package init(
        deadline: Timestamp, correlationID: String? = nil, causationID: String? = nil, traceparent: String? = nil,
        idempotencyKey: String? = nil, actor: Actor? = nil
    ) {
        self.deadline = deadline
        self.correlationID = correlationID
        self.causationID = causationID
        self.traceparent = traceparent
        self.idempotencyKey = idempotencyKey
        self.actor = actor
    }

    /// What a fact hands on to the facts that follow from it.
    package init(from fact: Envelope) {
        self.init(
            deadline: Timestamp(milliseconds: .max), correlationID: fact.correlationID, causationID: fact.id,
            traceparent: fact.traceparent)
    }

    /// The same for an ask that a service makes for its own sake, whoever the actor is.
    package var onOwnBehalf: AskContext {
        var own = self
        own.actor = nil
        return own
    }

    /// The same with the earlier of two deadlines.
    package func by(_ deadline: Timestamp) -> AskContext {
        var sooner = self
        sooner.deadline = min(self.deadline, deadline)
        return sooner
    }
}

/// Whoever can put an ask on the bus: the bus itself, or a test's stand-in for it.
package protocol Asking: Sendable {
    /// Asks and waits for the answer, until the context's deadline at the latest.
    ///
    /// Asks whose outcome is in doubt are asked again while that is safe (`RetryClass`) and time remains.
    ///
    /// Stays where it is called, as all on the way of an ask does: the task's executor is not looked for at each call
    /// and each return.
    nonisolated(nonsending) func ask<A: Ask>(_ ask: A, in context: AskContext) async throws(Fault) -> A.Reply
}

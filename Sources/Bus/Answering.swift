import Contracts
import Primitives
import Wire

/// Answers one type of ask. One file of a service's `Handlers/` holds one of these.
package protocol Answering<Question>: Sendable {
    associatedtype Question: Ask

    /// Runs on the reactor's thread until its first suspension; must not block it.
    nonisolated(nonsending) func answer(
        _ ask: Question, in context: AskContext
    ) async throws(Fault) -> Question.Reply
}

/// An ask as it came, for services that answer many in one stroke (the wallet's group commit).
package struct Inbound: Sendable {
    package let envelope: Envelope
    /// The earlier of the envelope's and the frame's; absent where the asker set none.
    package let deadline: Timestamp?

    package init(envelope: Envelope, deadline: Timestamp?) {
        self.envelope = envelope
        self.deadline = deadline
    }
}

/// What becomes of one `Inbound`: the `data` of its reply, or a refusal.
package enum Outcome: Sendable {
    case reply([UInt8])
    case fault(Fault)
}

/// Answers all asks that wait, at once.
package protocol BatchAnswering: Sendable {
    /// The types it answers.
    var types: [MessageType] { get }

    /// One outcome for each ask, in their order. Called on the reactor's thread, which it may block for a commit.
    func answer(_ batch: [Inbound]) -> [Outcome]
}

/// A source's facts as its store keeps them.
package protocol FactLog: Sendable {
    /// Facts after a sequence, oldest first: at most `limit`, and no more than fit into one envelope.
    func read(after sequence: Int64, limit: Int) async throws -> FactsPage
}

/// Where a service keeps how far it has read other services' facts.
package protocol CursorStore: Sendable {
    /// Sets the cursor of a source, also back: facts up to there count as applied. Durable when it returns.
    func setPosition(of source: String, to position: FactPosition) async throws(Fault)
}

/// What publishes facts that are already durable.
package protocol FactPublishing: Sendable {
    /// Sends each to those who listen now. Never blocks and never fails. Subscribers that miss a fact read it from the
    /// log.
    func publish(_ facts: [PublishedFact])
}

package struct PublishedFact: Sendable {
    package let type: String
    /// Its place in its source's log; a head has none.
    package let sequence: Int64?
    /// The whole envelope.
    package let envelope: [UInt8]

    package init(type: String, sequence: Int64?, envelope: [UInt8]) {
        self.type = type
        self.sequence = sequence
        self.envelope = envelope
    }
}

extension FactsPage {
    /// Bytes of facts in one page: what an envelope holds, less room for the envelope's own attributes.
    package static let bytesMax = Envelope.bytesMax - 2048
}

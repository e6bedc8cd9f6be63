import Contracts
import Primitives

/// Carries asks to services.
package protocol AskTransport: AnyObject, Sendable {
    /// Sends one ask and waits for its outcome. Ends at the deadline at the latest, and at once when cancelled.
    nonisolated(nonsending) func ask(
        service: String, retry: RetryClass, deadline: Timestamp, body: [UInt8]
    ) async -> TransportAnswer
}

/// Carries envelopes between processes. The bus knows envelopes and contracts, a transport knows sockets.
package protocol Transport: AskTransport {
    /// Where handlers and callers that wait for answers should run: no thread hop lies between them and the sockets.
    var executor: any TaskExecutor { get }

    /// Sends one ask for a caller that does not wait in a task.
    ///
    /// - Parameter then: gets the outcome on the transport's thread.
    func ask(
        service: String, retry: RetryClass, deadline: Timestamp, body: [UInt8],
        then: @escaping @Sendable (TransportAnswer) -> Void)

    /// From now on takes the service's asks, at most `credit` unanswered ones at a time. `receive` gets all that came
    /// in at one time and runs on the transport's thread.
    func serve(_ service: String, credit: Int, receive: @escaping @Sendable ([TransportAsk]) -> Void)

    /// Answers an ask. Every one taken has to be answered, once.
    func reply(to token: ReplyToken, body: [UInt8])

    /// Takes no more asks and returns when those taken are answered and the answers are on their way, or time is up.
    func drain(atMost patience: Duration) async

    /// Sends facts to the present subscribers.
    func publish(_ facts: [PublishedFact])

    /// Subscribes to all facts whose type begins with `prefix`.
    func subscribe(to prefix: String, receive: @escaping @Sendable ([[UInt8]]) -> Void)
}

package enum TransportAnswer: Sendable {
    /// The answering service's envelope.
    case envelope([UInt8])
    /// The transport's own refusal.
    case refused(FaultCode)
}

/// An ask as it came off the wire.
package struct TransportAsk: Sendable {
    package let token: ReplyToken
    /// Set by the asker's transport; absent for askers that cannot.
    package let deadline: Timestamp?
    /// The envelope as it came; nil where it was longer than any may be.
    package let body: [UInt8]?

    package init(token: ReplyToken, deadline: Timestamp?, body: [UInt8]?) {
        self.token = token
        self.deadline = deadline
        self.body = body
    }
}

/// Sixteen bytes that the broker wants back with the answer.
package struct ReplyToken: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// What carries requests to the set: a bus socket, or HTTP connections. Used by the generator's thread alone.
package protocol Carrier: AnyObject {
    /// Whether one more request can be sent now.
    var hasRoom: Bool { get }

    /// Writes and sends the present step of a operation. The answer will come under `slot`. False when it cannot go
    /// now.
    func send(_ operation: LoadOperation, slot: Int, now: UInt64) -> Bool

    /// Hands on what has come in, or what has become of requests that will not be answered. False when nothing has.
    func receive(now: UInt64, _ handle: (_ slot: Int, CarrierEvent) -> Void) -> Bool

    /// Sleeps until something comes in or the time is up.
    func wait(nanoseconds: UInt64)
}

package enum CarrierEvent {
    case reply(AnswerText)
    /// A problem (RFC 9457).
    case refusal(AnswerText)
    /// No answer will come; whether anything was done is unknown.
    case lost(LostReason)
}

package enum LostReason: String, Sendable {
    /// The gateway closed the connection or was not there.
    case connection = "connection_lost"
    /// Nothing came in time.
    case timeout = "no_answer"
    /// The broker is another one than that which had the ask.
    case broker = "broker_restarted"
    /// It could not be read.
    case answer = "unreadable_answer"
}

/// How long the generator waits for one answer. Longer than the set's own deadlines, whose answers say more.
package let answerPatience: UInt64 = 15_000_000_000

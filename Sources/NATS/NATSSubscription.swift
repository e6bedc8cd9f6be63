import CNATS

/// One subscription, whose messages are taken by the thread that owns the connection.
package final class NATSSubscription {
    private let raw: OpaquePointer
    private var isDraining = false

    init(_ raw: OpaquePointer) { self.raw = raw }

    deinit { natsSubscription_Destroy(raw) }

    /// Takes all that has come in; `take` has to free each.
    ///
    /// - Returns: whether there was anything.
    package func receive(_ take: (NATSMessage) -> Void) -> Bool {
        var count: Int32 = 0
        // Asked first: a receive that finds nothing writes a text about it.
        guard natsSubscription_GetPending(raw, &count, nil) == NATS_OK, count > 0 else { return false }
        for _ in 0..<count {
            var message: OpaquePointer?
            guard natsSubscription_NextMsg(&message, raw, 0) == NATS_OK, let message else { break }
            take(NATSMessage(message))
        }
        return true
    }

    /// Begins to end it: the server sends nothing more, and what is on its way still comes.
    package func drain() { isDraining = natsSubscription_Drain(raw) == NATS_OK }

    /// Whether nothing comes any more after ``drain()``. A lost connection ends it, too.
    package var isDrained: Bool {
        !isDraining || natsSubscription_DrainCompletionStatus(raw) != NATS_ILLEGAL_STATE
    }
}

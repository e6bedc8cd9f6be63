import CNATS

/// One subscription, whose messages are taken by the thread that owns the connection.
package final class NATSSubscription {
    private let raw: OpaquePointer
    /// Where libnats's threads read the socket: what they have read. Nil where the owner reads it.
    private let mailbox: NATSMailbox?
    private var isDraining = false

    init(_ raw: OpaquePointer, mailbox: NATSMailbox?) { (self.raw, self.mailbox) = (raw, mailbox) }

    deinit {
        natsSubscription_Destroy(raw)
        for message in mailbox?.take() ?? [] { message.free() }
    }

    /// Takes all that has come in; `take` has to free each.
    ///
    /// - Returns: whether there was anything.
    package func receive(_ take: (NATSMessage) -> Void) -> Bool {
        if let mailbox {
            let messages = mailbox.take()
            for message in messages { take(message) }
            return !messages.isEmpty
        }
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
        guard isDraining else { return true }
        return natsSubscription_DrainCompletionStatus(raw) != NATS_ILLEGAL_STATE && mailbox?.isEmpty != false
    }
}

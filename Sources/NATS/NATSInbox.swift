import CNATS

/// A subscription for the answers to what a connection asks, taken by the thread that owns the connection.
///
/// Unlike ``NATSSubscription`` it always gives the server's word that nobody subscribes to what was asked: a
/// synchronous subscription of libnats's keeps the status and drops the message that says for which ask. libnats's own
/// thread therefore leaves the messages here and rings.
package final class NATSInbox {
    private let mailbox: NATSMailbox
    private let raw: OpaquePointer

    /// - Parameter ring: called by another thread when there is something to take.
    package init(
        _ connection: NATSConnection, subject: String, ring: @escaping @Sendable () -> Void
    ) throws(NATSError) {
        mailbox = NATSMailbox(ring)
        raw = try connection.subscribe(to: subject, delivering: mailbox)
    }

    deinit { natsSubscription_Destroy(raw) }

    /// Whether there is something to take.
    package var isEmpty: Bool { mailbox.isEmpty }

    /// Takes all that has come in; `take` has to free each.
    package func receive(_ take: (NATSMessage) -> Void) {
        for message in mailbox.take() { take(message) }
    }
}

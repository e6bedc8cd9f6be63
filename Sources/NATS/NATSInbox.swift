import CNATS
import Synchronization

/// A subscription for the answers to what a connection asks, taken by the thread that owns the connection.
///
/// Unlike ``NATSSubscription`` it gives the server's word that nobody subscribes to what was asked: a synchronous
/// subscription of libnats's keeps the status and drops the message that says for which ask. libnats's own thread
/// therefore leaves the messages here and rings.
package final class NATSInbox {
    private final class Box: Sendable {
        /// Addresses of messages.
        let messages = Mutex<[UInt]>([])
        let ring: @Sendable () -> Void

        init(_ ring: @escaping @Sendable () -> Void) { self.ring = ring }

        func add(_ message: OpaquePointer) {
            let isFirst = messages.withLock { messages in
                messages.append(UInt(bitPattern: message))
                return messages.count == 1
            }
            if isFirst { ring() }
        }
    }

    private let box: Box
    private let raw: OpaquePointer

    /// - Parameter ring: called by another thread when there is something to take.
    package init(
        _ connection: NATSConnection, subject: String, ring: @escaping @Sendable () -> Void
    ) throws(NATSError) {
        box = Box(ring)
        raw = try connection.subscribe(
            to: subject, closure: Unmanaged.passRetained(box).toOpaque()
        ) { _, _, message, closure in
            guard let message, let closure else { return }
            Unmanaged<Box>.fromOpaque(closure).takeUnretainedValue().add(message)
        }
    }

    // The box is kept for good: libnats's thread may call late, and a process has few connections.
    deinit { natsSubscription_Destroy(raw) }

    /// Whether there is something to take.
    package var isEmpty: Bool { box.messages.withLock { $0.isEmpty } }

    /// Takes all that has come in; `take` has to free each.
    package func receive(_ take: (NATSMessage) -> Void) {
        let taken = box.messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
        for message in taken { take(NATSMessage(OpaquePointer(bitPattern: message)!)) }
    }
}

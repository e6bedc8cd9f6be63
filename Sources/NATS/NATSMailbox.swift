import CNATS
import Synchronization

/// Messages that libnats's threads leave for the thread that owns the connection.
final class NATSMailbox: Sendable {
    /// Addresses of messages.
    private let messages = Mutex<[UInt]>([])
    private let ring: @Sendable () -> Void

    /// - Parameter ring: called by another thread when there is something to take.
    init(_ ring: @escaping @Sendable () -> Void) { self.ring = ring }

    /// The closure that libnats is given with ``deliver``. Kept for good: its threads may call late.
    var closure: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    static let deliver: natsMsgHandler = { _, _, message, closure in
        guard let message, let closure else { return }
        Unmanaged<NATSMailbox>.fromOpaque(closure).takeUnretainedValue().add(message)
    }

    var isEmpty: Bool { messages.withLock { $0.isEmpty } }

    private func add(_ message: OpaquePointer) {
        let isFirst = messages.withLock { messages in
            messages.append(UInt(bitPattern: message))
            return messages.count == 1
        }
        if isFirst { ring() }
    }

    /// All that has come in, to be freed by the caller.
    func take() -> [NATSMessage] {
        let taken = messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
        return taken.map { NATSMessage(OpaquePointer(bitPattern: $0)!) }
    }
}

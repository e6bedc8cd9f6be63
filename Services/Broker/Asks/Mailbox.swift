import BusZMQ
import Synchronization

/// Messages from other threads to a loop that sleeps: a queue, and what wakes the loop.
final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let bell: Wakeup
    private let state = Mutex(State())
    /// Readable when there are messages.
    var wakeup: Int32 { bell.readEnd }

    init() throws { bell = try Wakeup() }

    /// - Returns: `false` when the loop has ended and will read no more.
    @discardableResult
    func post(_ message: Message) -> Bool {
        let (isOpen, wasEmpty) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.messages.append(message)
            return (true, state.messages.count == 1)
        }
        if wasEmpty { bell.ring() }
        return isOpen
    }

    /// Takes all messages. Called by the loop when ``wakeup`` is readable.
    func take() -> [Message] {
        // Read before the queue is emptied: a message posted in between rings again.
        bell.silence()
        return state.withLock { state in
            defer { state.messages.removeAll() }
            return state.messages
        }
    }

    /// The last messages; none is accepted from now on.
    func close() -> [Message] {
        state.withLock { state in
            state.isClosed = true
            defer { state.messages.removeAll() }
            return state.messages
        }
    }
}

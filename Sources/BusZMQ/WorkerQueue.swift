import Bus

/// The asks that a worker on NATS has: those given to its handlers, at most as many as its credit, and those that wait
/// for one of them to be answered, as they would in the broker's queue.
package struct WorkerQueue<Message> {
    /// Asks and bytes that may wait, as the broker's ``Limits`` have it. More are refused, which is safe to repeat.
    package static var waitingMax: Int { 10_000 }
    package static var waitingBytesMax: Int { 64 << 20 }

    private struct Slot {
        var generation: UInt32 = 0
        var message: Message?
    }

    package let credit: Int
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var waiting: [(message: Message, bytes: Int)] = []
    /// How many of `waiting` were given away.
    private var first = 0
    package private(set) var waitingBytes = 0
    package private(set) var asks: Int64 = 0
    package private(set) var answers: Int64 = 0

    package init(credit: Int) { self.credit = credit }

    /// Given to handlers, and not yet answered.
    package var given: Int { slots.count - free.count }
    package var waitingCount: Int { waiting.count - first }

    /// A token for the answer to an ask that a handler may have at once; nil when it has to wait.
    package mutating func give(_ message: Message) -> ReplyToken? {
        guard waitingCount == 0, given < credit else { return nil }
        asks += 1
        return place(message)
    }

    /// Lets an ask wait.
    ///
    /// - Returns: false when there is no room.
    package mutating func offer(_ message: Message, bytes: Int) -> Bool {
        guard waitingCount < Self.waitingMax, waitingBytes + bytes <= Self.waitingBytesMax else { return false }
        waiting.append((message, bytes))
        waitingBytes += bytes
        asks += 1
        return true
    }

    /// The next ask that a handler may have, and the token for its answer.
    package mutating func next() -> (token: ReplyToken, message: Message)? {
        guard given < credit, let (message, _) = takeWaiting() else { return nil }
        return (place(message), message)
    }

    private mutating func place(_ message: Message) -> ReplyToken {
        let index = free.popLast() ?? slots.count
        if index == slots.count { slots.append(Slot()) }
        slots[index].message = message
        return ReplyToken(high: UInt64(slots[index].generation) << 32 | UInt64(index), low: 0)
    }

    /// An ask is answered: gives its message, once.
    package mutating func end(_ token: ReplyToken) -> Message? {
        let index = Int(token.high & 0xFFFF_FFFF)
        guard index < slots.count, slots[index].generation == UInt32(token.high >> 32),
            let message = slots[index].message
        else { return nil }
        slots[index] = Slot(generation: slots[index].generation &+ 1)
        free.append(index)
        answers += 1
        return message
    }

    /// All that has not been given to a handler.
    package mutating func removeWaiting() -> [Message] {
        var messages: [Message] = []
        while let (message, _) = takeWaiting() { messages.append(message) }
        return messages
    }

    private mutating func takeWaiting() -> (message: Message, bytes: Int)? {
        guard first < waiting.count else { return nil }
        let taken = waiting[first]
        first += 1
        waitingBytes -= taken.bytes
        if first == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= 1_024, first * 2 >= waiting.count {
            waiting.removeFirst(first)
            first = 0
        }
        return taken
    }
}

import Primitives

/// The asks of one connection to NATS that may have to be sent again: a server says at once when nobody serves a
/// subject, where the broker would let the ask wait for a worker that is only starting.
package struct KeptAsks {
    package struct Kept {
        package let tag: UInt64
        package let deadline: Timestamp
        package let service: [UInt8]
        package let body: [UInt8]
        /// Monotonic nanoseconds at which it is given up; nil while a worker may have it.
        package var end: UInt64?
    }

    /// What the bodies may take together. Asks beyond it are not kept, and refused when nobody serves.
    package static let bytesMax = 64 << 20
    /// Asks that wait for services without a worker.
    package static let waitingMax = 16_384
    /// Nanoseconds between two tries, for each of so many asks that wait, and at most.
    private static let pause: UInt64 = 20_000_000
    private static let asksPerPause = 512
    private static let pauseMax: UInt64 = 500_000_000
    /// Milliseconds beyond its deadline after which an ask that was never answered is forgotten.
    private static let forgetMilliseconds: Int64 = 1_000

    private var entries: [Kept?] = []
    private var bytes = 0
    private var waiting: [UInt64] = []
    /// When ``due(_:)`` has something to do; monotonic nanoseconds.
    package private(set) var nextDue = UInt64.max

    package init() {}

    package var waitingCount: Int { waiting.count }

    package mutating func keep(
        _ tag: UInt64, deadline: Timestamp, service: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer
    ) {
        let index = Self.index(of: tag)
        if index >= entries.count { entries += [Kept?](repeating: nil, count: index + 1 - entries.count) }
        bytes -= entries[index]?.body.count ?? 0
        entries[index] = nil
        guard bytes + body.count <= Self.bytesMax else { return }
        bytes += body.count
        entries[index] = Kept(tag: tag, deadline: deadline, service: [UInt8](service), body: [UInt8](body))
    }

    /// Forgets an ask: it was answered.
    package mutating func end(_ tag: UInt64) {
        let index = Self.index(of: tag)
        guard index < entries.count, entries[index]?.tag == tag else { return }
        bytes -= entries[index]?.body.count ?? 0
        entries[index] = nil
    }

    /// Nobody serves what was asked: lets the ask wait for another try.
    ///
    /// - Returns: false when it cannot wait, and is to be refused.
    package mutating func wait(_ tag: UInt64, monotonic now: UInt64, time: Timestamp) -> Bool {
        let index = Self.index(of: tag)
        guard index < entries.count, let kept = entries[index], kept.tag == tag, waiting.count < Self.waitingMax
        else { return false }
        if kept.end == nil {
            let left = kept.deadline.milliseconds - time.milliseconds
            guard left > 0 else {
                end(tag)
                return false
            }
            entries[index]?.end = now + UInt64(min(left, 86_400_000)) * 1_000_000
        }
        waiting.append(tag)
        let pause = min(Self.pause * UInt64(1 + waiting.count / Self.asksPerPause), Self.pauseMax)
        nextDue = min(nextDue, now + pause, entries[index]?.end ?? .max)
        return true
    }

    /// What is to be sent again, and the tags of what is to be refused as its time is up.
    package mutating func due(_ now: UInt64) -> (again: [Kept], refused: [UInt64]) {
        guard now >= nextDue else { return ([], []) }
        nextDue = .max
        var (again, refused): ([Kept], [UInt64]) = ([], [])
        for tag in waiting {
            let index = Self.index(of: tag)
            guard let kept = entries[index], kept.tag == tag else { continue }
            if let end = kept.end, end <= now {
                refused.append(tag)
                self.end(tag)
            } else {
                again.append(kept)
            }
        }
        waiting.removeAll(keepingCapacity: true)
        return (again, refused)
    }

    /// Forgets asks that nobody waits for any more.
    package mutating func forgetOld(_ time: Timestamp) {
        for index in entries.indices {
            guard let kept = entries[index], kept.deadline.milliseconds + Self.forgetMilliseconds < time.milliseconds
            else { continue }
            bytes -= kept.body.count
            entries[index] = nil
        }
    }

    /// Forgets all: the connection that had them is lost.
    package mutating func removeAll() { self = KeptAsks() }

    private static func index(of tag: UInt64) -> Int { Int(tag & 0xFFFF_FFFF) }
}

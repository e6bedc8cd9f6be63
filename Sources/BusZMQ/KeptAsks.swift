import Primitives

/// The asks of one connection to NATS that may have to be sent again: a server says at once when nobody serves a
/// subject, where the broker would let the ask wait for a worker that is only starting.
package struct KeptAsks {
    package struct Kept {
        package fileprivate(set) var deadline = Timestamp(milliseconds: 0)
        package fileprivate(set) var service: ArraySlice<UInt8> = []
        package fileprivate(set) var body: [UInt8] = []
        /// Monotonic nanoseconds at which it is given up; nil while a worker may have it.
        fileprivate var end: UInt64?
    }

    private struct Place {
        /// Nil without an ask. Outside of it, so that a comparison retains nothing.
        var tag: UInt64?
        var ask = Kept()
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

    private var places: [Place] = []
    private var bytes = 0
    private var waiting: [UInt64] = []
    /// When ``due(_:)`` has something to do; monotonic nanoseconds.
    package private(set) var nextDue = UInt64.max

    package init() {}

    package var waitingCount: Int { waiting.count }

    package mutating func keep(
        _ tag: UInt64, deadline: Timestamp, service: ArraySlice<UInt8>, body: [UInt8]
    ) {
        let index = Self.index(of: tag)
        if index >= places.count { places += [Place](repeating: Place(), count: index + 1 - places.count) }
        clear(index)
        guard bytes + body.count <= Self.bytesMax else { return }
        bytes += body.count
        places[index] = Place(tag: tag, ask: Kept(deadline: deadline, service: service, body: body))
    }

    /// Forgets an ask: it was answered.
    package mutating func end(_ tag: UInt64) {
        if let index = index(of: tag) { clear(index) }
    }

    /// Nobody serves what was asked: lets the ask wait for another try.
    ///
    /// - Returns: false when it cannot wait, and is to be refused.
    package mutating func wait(_ tag: UInt64, monotonic now: UInt64, time: Timestamp) -> Bool {
        guard let index = index(of: tag), waiting.count < Self.waitingMax else { return false }
        if places[index].ask.end == nil {
            let left = places[index].ask.deadline.milliseconds - time.milliseconds
            guard left > 0 else {
                end(tag)
                return false
            }
            places[index].ask.end = now + UInt64(min(left, 86_400_000)) * 1_000_000
        }
        waiting.append(tag)
        let pause = min(Self.pause * UInt64(1 + waiting.count / Self.asksPerPause), Self.pauseMax)
        nextDue = min(nextDue, now + pause, places[index].ask.end ?? .max)
        return true
    }

    /// What is to be sent again, and the tags of what is to be refused as its time is up.
    package mutating func due(_ now: UInt64) -> (again: [(tag: UInt64, ask: Kept)], refused: [UInt64]) {
        guard now >= nextDue else { return ([], []) }
        nextDue = .max
        var (again, refused): ([(tag: UInt64, ask: Kept)], [UInt64]) = ([], [])
        for tag in waiting {
            guard let index = index(of: tag) else { continue }
            if let end = places[index].ask.end, end <= now {
                refused.append(tag)
                clear(index)
            } else {
                again.append((tag, places[index].ask))
            }
        }
        waiting.removeAll(keepingCapacity: true)
        return (again, refused)
    }

    /// Forgets asks that nobody waits for any more.
    package mutating func forgetOld(_ time: Timestamp) {
        for index in places.indices where places[index].tag != nil {
            let deadline = places[index].ask.deadline
            if deadline.milliseconds < time.milliseconds - Self.forgetMilliseconds { clear(index) }
        }
    }

    /// Forgets all: the connection that had them is lost.
    package mutating func removeAll() { self = KeptAsks() }

    private mutating func clear(_ index: Int) {
        bytes -= places[index].ask.body.count
        places[index] = Place()
    }

    /// The place of an ask that is kept.
    private func index(of tag: UInt64) -> Int? {
        let index = Self.index(of: tag)
        return index < places.count && places[index].tag == tag ? index : nil
    }

    private static func index(of tag: UInt64) -> Int { Int(tag & 0xFFFF_FFFF) }
}

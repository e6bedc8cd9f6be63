import Majordomo

/// The bodies of asks that wait, by slot. An ask that goes to a worker at once never comes here.
final class ParkedBodies {
    /// One piece of memory: how many frames, the length of each, then their bytes one after the other.
    private let bodies: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private let slots: Int
    private static let word = MemoryLayout<Int>.size

    init(slots: Int) {
        self.slots = slots
        bodies = .allocate(capacity: slots)
        bodies.initialize(repeating: nil, count: slots)
    }

    deinit {
        for slot in 0..<slots { discard(slot) }
        bodies.deallocate()
    }

    /// Copies the frames from `start` on.
    func park(_ slot: Int, _ frames: Frames, from start: Int) {
        discard(slot)
        let body = frames[start...]
        let head = (1 + body.count) * Self.word
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: head + body.reduce(0) { $0 + $1.count }, alignment: Self.word)
        memory.storeBytes(of: body.count, as: Int.self)
        var offset = head
        for (index, frame) in body.enumerated() {
            memory.storeBytes(of: frame.count, toByteOffset: (1 + index) * Self.word, as: Int.self)
            if let start = frame.baseAddress { (memory + offset).copyMemory(from: start, byteCount: frame.count) }
            offset += frame.count
        }
        bodies[slot] = memory
    }

    /// Gives each frame of a parked body and whether another one follows.
    func forEachFrame(_ slot: Int, _ body: (UnsafeRawBufferPointer, _ more: Bool) -> Void) {
        guard let memory = bodies[slot] else { return }
        let count = memory.load(as: Int.self)
        var offset = (1 + count) * Self.word
        for index in 0..<count {
            let length = memory.load(fromByteOffset: (1 + index) * Self.word, as: Int.self)
            body(UnsafeRawBufferPointer(start: memory + offset, count: length), index + 1 < count)
            offset += length
        }
    }

    func discard(_ slot: Int) {
        bodies[slot]?.deallocate()
        bodies[slot] = nil
    }
}

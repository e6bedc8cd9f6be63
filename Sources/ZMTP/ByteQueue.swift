/// Bytes that wait, first in, first out, in one piece of memory that grows and is given back.
///
/// A class that owns its memory: used through pointers that it hands out, valid until its next change.
package final class ByteQueue {
    /// Memory that is kept while there is nothing in it.
    private static let keptBytes = 256 << 10
    /// Memory that doubles no more: what is not used of it would be too much.
    private static let largeBytes = 1 << 20

    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    private var head = 0
    private var tail = 0

    package init() {}

    deinit { base?.deallocate() }

    package var count: Int { tail - head }
    package var isEmpty: Bool { tail == head }
    /// Memory that it has, used or not.
    package var memoryBytes: Int { capacity }
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base.map { $0 + head }, count: tail - head)
    }

    package func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        room(atLeast: bytes.count).baseAddress!.copyMemory(from: source, byteCount: bytes.count)
        tail += bytes.count
    }

    /// Memory behind the last byte, to be filled and then taken in by `extend`.
    package func room(atLeast count: Int) -> UnsafeMutableRawBufferPointer {
        if capacity - tail < count { makeRoom(count) }
        return UnsafeMutableRawBufferPointer(start: base! + tail, count: capacity - tail)
    }

    package func extend(by count: Int) { tail += count }

    package func removeFirst(_ count: Int) {
        head += count
        guard head == tail else { return }
        (head, tail) = (0, 0)
        if capacity > Self.keptBytes { giveBack() }
    }

    /// Gives back what it has while there is nothing in it.
    package func trim() {
        if isEmpty { giveBack() }
    }

    package func removeAll() {
        (head, tail) = (0, 0)
        giveBack()
    }

    private func makeRoom(_ count: Int) {
        let used = tail - head
        // Moved to the front where that alone gives room, and is no more work than growing would be.
        if capacity - used >= count, head >= used {
            base!.copyMemory(from: base! + head, byteCount: used)
        } else {
            let grown = max(capacity < Self.largeBytes ? capacity * 2 : capacity / 4 * 5, used + count, 4_096)
            let memory = UnsafeMutableRawPointer.allocate(byteCount: grown, alignment: 16)
            if let base { memory.copyMemory(from: base + head, byteCount: used) }
            base?.deallocate()
            (base, capacity) = (memory, grown)
        }
        (head, tail) = (0, used)
    }

    private func giveBack() {
        base?.deallocate()
        (base, capacity) = (nil, 0)
    }
}

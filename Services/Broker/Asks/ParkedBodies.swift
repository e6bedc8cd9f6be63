import Majordomo

/// Keeps the bodies of waiting asks, by the ask's index. An ask that is dispatched at once is never stored here.
final class ParkedBodies {
    /// The frames of each body; none where nothing is parked.
    private var bodies: [[[UInt8]]]

    init(count: Int) { bodies = Array(repeating: [], count: count) }

    /// Copies the frames from `start` on.
    func park(_ index: Int, _ frames: Frames, from start: Int) {
        bodies[index] = frames[start...].map { [UInt8]($0) }
    }

    /// Gives each frame of a parked body and whether another one follows.
    func forEachFrame(_ index: Int, _ body: (UnsafeRawBufferPointer, _ more: Bool) -> Void) {
        let frames = bodies[index]
        for (index, frame) in frames.enumerated() { frame.withUnsafeBytes { body($0, index + 1 < frames.count) } }
    }

    func discard(_ index: Int) { bodies[index] = [] }
}

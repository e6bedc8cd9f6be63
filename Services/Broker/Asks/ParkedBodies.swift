import Majordomo

/// The bodies of asks that wait, by slot. An ask that goes to a worker at once never comes here.
final class ParkedBodies {
    /// The frames of each body; none where nothing is parked.
    private var bodies: [[[UInt8]]]

    init(slots: Int) { bodies = Array(repeating: [], count: slots) }

    /// Copies the frames from `start` on.
    func park(_ slot: Int, _ frames: Frames, from start: Int) {
        bodies[slot] = frames[start...].map { [UInt8]($0) }
    }

    /// Gives each frame of a parked body and whether another one follows.
    func forEachFrame(_ slot: Int, _ body: (UnsafeRawBufferPointer, _ more: Bool) -> Void) {
        let frames = bodies[slot]
        for (index, frame) in frames.enumerated() { frame.withUnsafeBytes { body($0, index + 1 < frames.count) } }
    }

    func discard(_ slot: Int) { bodies[slot] = [] }
}

import Primitives

/// One touch of a device, of the screen or of a command: chosen by who sends it, and kept over repeats.
package enum Touch {}
package typealias TouchID = Identifier<Touch>

/// What a device can send.
package enum Input: Hashable, Sendable {
    /// A touch of the screen; nil is outside the grid.
    case touch(Cell?)
    case topLeft
    case topRight
    case menu(MenuSlot)

    package static func touch(_ x: Int, _ y: Int) -> Input { .touch(Cell(x, y)) }
}

package enum MenuSlot: UInt8, Hashable, Sendable, CaseIterable {
    case first = 1
    case second, third, fourth, fifth
}

/// The last touches that were taken, so that one sent again is known, and not taken again.
///
/// A repeat that comes later than ``limit`` other touches is taken for a new touch. A payment is still made once: its
/// operation has the touch's id, and the wallet remembers operations for good.
struct RecentTouches: Sendable {
    static let limit = 16

    private var seen: [(id: TouchID, input: Input?)] = []
    private var oldest = 0

    func contains(_ id: TouchID) -> Bool { seen.contains { $0.id == id } }

    /// Whether the id was used for another input than this.
    func isReused(_ id: TouchID, for input: Input) -> Bool {
        seen.contains { $0.id == id && $0.input != nil && $0.input != input }
    }

    /// `input`: nil where it is a secret, or was cancelled.
    mutating func note(_ id: TouchID, _ input: Input?) {
        if seen.count < Self.limit {
            seen.append((id, input))
        } else {
            seen[oldest] = (id, input)
            oldest = (oldest + 1) % Self.limit
        }
    }
}

/// A key of the key pad.
package enum Key: Hashable, Sendable {
    /// 0 to 9.
    case digit(UInt8)
    /// `X`: takes the last digit back.
    case backspace
    /// `_`: does nothing.
    case blank

    package var label: String {
        switch self {
        case .digit(let digit): "\(digit)"
        case .backspace: "X"
        case .blank: "_"
        }
    }
}

/// Twelve keys in 3 columns and 4 rows, in coordinates of its own.
package enum KeyPad {
    package static let columns = 3
    package static let rows = 4

    private static let keys: [[Key]] = [
        [.digit(1), .digit(2), .digit(3)],
        [.digit(4), .digit(5), .digit(6)],
        [.digit(7), .digit(8), .digit(9)],
        [.blank, .digit(0), .backspace]
    ]

    /// The key at column `x` and row `y`, both from 1; nil beside the pad.
    package static func keyPress(_ x: Int, _ y: Int) -> Key? {
        guard (1...columns).contains(x), (1...rows).contains(y) else { return nil }
        return keys[y - 1][x - 1]
    }
}

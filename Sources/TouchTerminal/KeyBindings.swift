import TouchApp

/// What a key of the keyboard asks for.
package enum KeyAction: Hashable, Sendable {
    case step(ScriptStep)
    /// Moves the cursor by so many columns and rows.
    case move(Int, Int)
    /// Touches the cell under the cursor.
    case touch
    /// Touches the cell with this label.
    case label(String)
    case quit
}

/// Turns the bytes of a terminal in raw mode into actions. Keeps a sequence that has not come whole.
package struct KeyReader: Sendable {
    private static let escape = UInt8(0x1B)
    /// No sequence that is known here is longer.
    private static let sequenceMax = 6

    private var sequence: [UInt8] = []

    package init() {}

    package static let help = """
        Arrows and Enter touch a cell, 0 to 9 and Backspace the key pad, F1 to F5 or c p r f s the menu,
        < and > the top commands; v scans the pay code, l looks again, a repeats the last touch, q ends.
        """

    package mutating func read(_ bytes: some Sequence<UInt8>) -> [KeyAction] {
        bytes.compactMap { byte in next(byte) }
    }

    private mutating func next(_ byte: UInt8) -> KeyAction? {
        guard sequence.isEmpty, byte != Self.escape else { return inSequence(byte) }
        return Self.plain(byte)
    }

    private mutating func inSequence(_ byte: UInt8) -> KeyAction? {
        if byte == Self.escape {
            sequence = [byte]
            return nil
        }
        sequence.append(byte)
        let text = String(decoding: sequence.dropFirst(), as: UTF8.self)
        if let action = Self.sequences[text] {
            sequence = []
            return action
        }
        let mayGoOn = Self.sequences.keys.contains { $0.hasPrefix(text) }
        if !mayGoOn || sequence.count > Self.sequenceMax { sequence = [] }
        return nil
    }

    private static func menu(_ slot: MenuSlot) -> KeyAction {
        .step(.input(.menu(slot), written: "menu\(slot.rawValue)()"))
    }

    /// What follows Escape: of xterm and its kind, of application mode, of the Linux console.
    private static let sequences: [String: KeyAction] = [
        "[A": .move(0, -1), "[B": .move(0, 1), "[C": .move(1, 0), "[D": .move(-1, 0),
        "OA": .move(0, -1), "OB": .move(0, 1), "OC": .move(1, 0), "OD": .move(-1, 0),
        "OP": menu(.first), "OQ": menu(.second), "OR": menu(.third), "OS": menu(.fourth),
        "[11~": menu(.first), "[12~": menu(.second), "[13~": menu(.third), "[14~": menu(.fourth),
        "[15~": menu(.fifth),
        "[[A": menu(.first), "[[B": menu(.second), "[[C": menu(.third), "[[D": menu(.fourth), "[[E": menu(.fifth)
    ]

    private static func plain(_ byte: UInt8) -> KeyAction? {
        switch byte {
        case 0x0D, 0x0A, 0x20: .touch
        case 0x7F, 0x08: .label(Key.backspace.label)
        case 0x03, 0x04: .quit
        default: letter(Character(Unicode.Scalar(byte)))
        }
    }

    private static func letter(_ letter: Character) -> KeyAction? {
        switch letter {
        case "0"..."9": .label(String(letter))
        case "x", "X": .label(Key.backspace.label)
        case "c": menu(.first)
        case "p": menu(.second)
        case "r": menu(.third)
        case "f": menu(.fourth)
        case "s": menu(.fifth)
        case "<", ",": .step(.input(.topLeft, written: "topLeftCmd()"))
        case ">", ".": .step(.input(.topRight, written: "topRightCmd()"))
        case "v": .step(.scan)
        case "l": .step(.refresh)
        case "a": .step(.again)
        case "q": .quit
        default: nil
        }
    }
}

/// Where the cursor is, and what an action at it comes to.
package struct Cursor: Hashable, Sendable {
    package private(set) var x = 2
    package private(set) var y = 5

    package init() {}

    package var cell: Cell? { Cell(x, y) }

    /// The step to carry out; nil when only the cursor moves, or nothing happens.
    package mutating func step(for action: KeyAction, on display: Display) -> ScriptStep? {
        switch action {
        case .step(let step): return step
        case .move(let columns, let rows):
            x = min(max(x + columns, 1), Cell.columns)
            y = min(max(y + rows, 1), Cell.rows)
            return nil
        case .touch: return Self.touch(x, y)
        case .label(let label):
            let place = Cell.all.first { display.grid[$0.y - 1][$0.x - 1] == label }
            return place.map { Self.touch($0.x, $0.y) }
        case .quit: return nil
        }
    }

    private static func touch(_ x: Int, _ y: Int) -> ScriptStep {
        .input(.touch(x, y), written: "touch(\(x),\(y))")
    }
}

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
    /// Shows the keys.
    case help
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
        Arrows choose a button, Enter touches it       0 to 9, Backspace    the key pad
        F1 to F5, or c p r f s    the menu             < and >    the top commands
        v    a merchant scans the pay code             l    looks again
        a    repeats the last touch                    ?    these keys      q    ends
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
        case 0x04: .quit
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
        case "?": .help
        case "q": .quit
        default: nil
        }
    }
}

/// Where the cursor is, and what an action at it comes to. It is on a cell that does something, where a screen has one.
package struct Cursor: Hashable, Sendable {
    private var last: Cell?
    private var screen = ""

    package init() {}

    /// Where it is on this display: on a new screen at its first button, which is its main one. Nil where it has none.
    package mutating func cell(on display: Display) -> Cell? {
        let isHere = display.screen == screen && last.map { Self.doesSomething($0, display) } ?? false
        if !isHere { last = Cell.all.first { Self.doesSomething($0, display) } }
        screen = display.screen
        return last
    }

    /// The step to carry out; nil when only the cursor moves, or nothing happens.
    package mutating func step(for action: KeyAction, on display: Display) -> ScriptStep? {
        let cell = cell(on: display)
        switch action {
        case .step(let step): return step
        case .move(let columns, let rows):
            if let cell { last = Self.next(from: cell, columns, rows, display) ?? cell }
            return nil
        case .touch: return cell.map(Self.touch)
        case .label(let label): return Cell.all.first { Self.label($0, display) == label }.map(Self.touch)
        case .help, .quit: return nil
        }
    }

    private static func label(_ cell: Cell, _ display: Display) -> String { display.grid[cell.y - 1][cell.x - 1] }

    private static func doesSomething(_ cell: Cell, _ display: Display) -> Bool {
        let label = label(cell, display)
        return !label.isEmpty && label != Key.blank.label
    }

    /// A button as wide as the screen.
    private static func isWide(_ y: Int, _ display: Display) -> Bool {
        Set(display.grid[y - 1]).count == 1
    }

    /// The nearest button in a direction: of the next row up or down that has one, of any row to the left or right.
    private static func next(from cell: Cell, _ columns: Int, _ rows: Int, _ display: Display) -> Cell? {
        let ahead = Cell.all.filter { other in
            guard doesSomething(other, display) else { return false }
            if rows != 0 { return (other.y - cell.y) * rows > 0 }
            return (other.x - cell.x) * columns > 0 && !isWide(cell.y, display) && !isWide(other.y, display)
        }
        return ahead.min { (abs($0.y - cell.y), abs($0.x - cell.x)) < (abs($1.y - cell.y), abs($1.x - cell.x)) }
    }

    private static func touch(_ cell: Cell) -> ScriptStep {
        .input(.touch(cell.x, cell.y), written: "touch(\(cell.x),\(cell.y))")
    }
}

import Primitives

/// Takes a card's 16 and 8 digits, by the same key pad as the PIN.
package struct AddCardScreen: Screen {
    /// What a touch means here.
    package enum Meaning: Hashable, Sendable {
        case focus(Field)
        case key(Key)
    }

    package enum Field: Hashable, Sendable {
        case cardID, cardCode
    }

    package static let name = ScreenName.addCard
    // In row 4, only the middle cell is part of it.
    package static let chain = TouchChain<Meaning>(
        Button(row: 3, "Card ID", .focus(.cardID)), Button(x: 2, y: 4, "Card Code", .focus(.cardCode)),
        KeyPadReceiver { .key($0) })

    private var cardID = DigitEntry(max: 16)
    private var cardCode = DigitEntry(max: 8)
    private var focus = Field.cardID

    package init() {}

    package mutating func touch(_ x: Int, _ y: Int) -> Reaction {
        let before = (cardID, cardCode, focus)
        switch Cell(x, y).flatMap(Self.chain.meaning) {
        case .focus(let field): focus = field
        case .key(let key):
            switch focus {
            case .cardID: cardID.press(key)
            case .cardCode: cardCode.press(key)
            }
        case nil: break
        }
        return before == (cardID, cardCode, focus) ? .ignored : .changed
    }

    package func display() -> String { "Enter a new Card" }

    package var topLeft: CommandKey? { CommandKey("Cancel", Show(.settings)) }
    package var topRight: CommandKey? {
        CommandKey("Add", SubmitCard(number: cardID.whole, code: cardCode.whole))
    }

    package var details: [String] {
        fields.map { "\($0.focused ? ">" : " ") \($0.label):" + ($0.digits.isEmpty ? "" : " " + $0.digits) }
    }

    package func fill(_ display: inout Display) { display.fields = fields }

    private var fields: [Display.EntryField] {
        [
            Display.EntryField(label: "Card ID", digits: cardID.text, digitsMax: 16, focused: focus == .cardID),
            Display.EntryField(label: "Card Code", digits: cardCode.text, digitsMax: 8, focused: focus == .cardCode)
        ]
    }
}

/// Digits entered one by one, as one number and how many they are: a string would be on the heap.
struct DigitEntry: Hashable, Sendable {
    private var value: UInt64 = 0
    private var count: UInt8 = 0
    private let max: UInt8

    /// `max` is 1 to 19.
    init(max: UInt8) { self.max = max }

    /// Further digits are ignored when it is full, `X` when it is empty, `_` always.
    mutating func press(_ key: Key) {
        switch key {
        case .digit(let digit) where count < max:
            value = value * 10 + UInt64(digit)
            count += 1
        case .backspace where count > 0:
            value /= 10
            count -= 1
        case .digit, .backspace, .blank: break
        }
    }

    var text: String {
        guard count > 0 else { return "" }
        let digits = String(value)
        return String(repeating: "0", count: Int(count) - digits.utf8.count) + digits
    }

    /// All digits; nil while some are missing.
    var whole: Digits? { Digits(text, count: Int(max)) }
}

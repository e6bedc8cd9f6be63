import Primitives
import Testing
import TouchApp

/// The machine's events.
enum PINEvent: CaseIterable {
    case digit, backspace, valid, invalid

    func apply(to state: any PINState) -> any PINState {
        switch self {
        case .digit: state.digit(9)
        case .backspace: state.backspace()
        case .valid: state.valid()
        case .invalid: state.invalid()
        }
    }
}

/// The state after so many digits: 1, 2, 3, 4.
func pinState(_ count: Int) -> any PINState {
    (0..<count).reduce(NoDigits() as any PINState) { state, index in state.digit(UInt8(index + 1)) }
}

@Suite("PIN entry as a state machine (000-60, 000-103, 000-109)")
struct PINStateTests {
    @Test("each number of digits is a state of its own type")
    func types() {
        let types = (0...4).map { ObjectIdentifier(type(of: pinState($0))) }
        #expect(Set(types).count == 5)
        #expect((0...4).map { pinState($0).count } == [0, 1, 2, 3, 4])
        #expect(pinState(0) is NoDigits)
        #expect(pinState(1) is OneDigit)
        #expect(pinState(2) is TwoDigits)
        #expect(pinState(3) is ThreeDigits)
        #expect(pinState(4) is FourDigits)
    }

    @Test(
        "every event in every state leads where it has to",
        arguments: [
            (0, PINEvent.digit, 1), (1, .digit, 2), (2, .digit, 3), (3, .digit, 4), (4, .digit, 4),
            (0, .backspace, 0), (1, .backspace, 0), (2, .backspace, 1), (3, .backspace, 2), (4, .backspace, 3),
            (0, .valid, 0), (1, .valid, 1), (2, .valid, 2), (3, .valid, 3), (4, .valid, 0),
            (0, .invalid, 0), (1, .invalid, 1), (2, .invalid, 2), (3, .invalid, 3), (4, .invalid, 0)
        ])
    func transition(from: Int, event: PINEvent, to: Int) {
        let next = event.apply(to: pinState(from))
        #expect(next.count == to)
        #expect(type(of: next) == type(of: pinState(to)))
    }

    @Test("the table above has every state and every event")
    func complete() { #expect(5 * PINEvent.allCases.count == 20) }

    @Test("only four digits are a PIN to be checked (000-58), and it is the one that was entered")
    func whole() {
        #expect((0...3).allSatisfy { pinState($0).pin == nil })
        #expect(pinState(4).pin?.text == "1234")
    }

    @Test("a fifth digit changes nothing of the PIN that is being checked")
    func fifth() { #expect(pinState(4).digit(9).pin?.text == "1234") }

    @Test("backspace takes the last digit, and only that (000-56)", arguments: 1...4)
    func backspace(count: Int) {
        var state = pinState(count).backspace()
        for _ in count...4 { state = state.digit(7) }
        let kept = "1234".prefix(count - 1)
        #expect(state.pin?.text == kept + String(repeating: "7", count: 5 - count))
    }
}

/// Writes down what it is told.
private struct Recorder: PINObserver {
    var counts: [Int] = []
    mutating func pinChanged(count: Int) { counts.append(count) }
}

@Suite("the PIN tells its observer (000-104)")
struct PINSubjectTests {
    @Test("of every change of the number of digits, once, and of nothing else")
    func told() {
        var pin = PINSubject(observer: Recorder())
        pin.backspace()
        pin.valid()
        pin.digit(1)
        pin.digit(2)
        pin.invalid()
        pin.backspace()
        pin.digit(2)
        pin.digit(3)
        pin.digit(4)
        pin.digit(5)
        pin.invalid()
        #expect(pin.observer.counts == [0, 1, 2, 1, 2, 3, 4, 0])
    }

    @Test("the passcode display follows it, four cells filled from the left (000-55, A7)")
    func passcode() {
        var pin = PINSubject(observer: PasscodeDisplay())
        var seen = [pin.observer.display()]
        for digit: UInt8 in 1...4 {
            pin.digit(digit)
            seen.append(pin.observer.display())
        }
        pin.valid()
        seen.append(pin.observer.display())
        #expect(
            seen == [
                "[ ][ ][ ][ ]", "[*][ ][ ][ ]", "[*][*][ ][ ]", "[*][*][*][ ]", "[*][*][*][*]", "[ ][ ][ ][ ]"
            ])
    }

    @Test("what is entered is in no description")
    func secret() {
        var pin = PINSubject(observer: PasscodeDisplay())
        for digit: UInt8 in [7, 5, 8, 6] { pin.digit(digit) }
        var dumped = ""
        dump(pin, to: &dumped)
        #expect(!dumped.contains("7") && !dumped.contains("5"))
        #expect("\(pin)" == "4 digits")
        #expect(!"\(String(describing: pin.pin))".contains("7586"))
    }
}

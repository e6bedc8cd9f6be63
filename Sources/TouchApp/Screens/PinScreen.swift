/// Asks for the PIN. Nothing else works before it has been entered.
package struct PinScreen: Screen {
    package static let name = ScreenName.pin
    package static let chain = TouchChain<Key>(PasscodeReceiver(), KeyPadReceiver { $0 })

    package var pin = PINSubject(observer: PasscodeDisplay())

    package init() {}

    package mutating func touch(_ x: Int, _ y: Int) -> Reaction {
        let before = pin.count
        switch Cell(x, y).flatMap(Self.chain.meaning) {
        case .digit(let digit): pin.digit(digit)
        case .backspace: pin.backspace()
        case .blank, nil: return .ignored
        }
        if let whole = pin.pin { return .command(VerifyPIN(whole)) }
        return pin.count == before ? .ignored : .changed
    }

    package func display() -> String { "Enter Pin\n" + pin.observer.display() }

    package func fill(_ display: inout Display) { display.passcode = pin.count }
}

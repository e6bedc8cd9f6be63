import Primitives

package enum PINLength {
    package static let digits = 4
}

/// One state of entering a PIN. Each answers every event with the state that follows.
package protocol PINState: Sendable {
    /// How many digits have been entered, 0 to 4.
    var count: Int { get }

    /// The PIN, once it is whole and has to be checked.
    var pin: Digits? { get }

    /// `digit` is 0 to 9.
    func digit(_ digit: UInt8) -> any PINState
    func backspace() -> any PINState
    /// The PIN was right.
    func valid() -> any PINState
    /// The PIN was wrong, or could not be checked.
    func invalid() -> any PINState
}

/// Nothing is being checked before the fourth digit, so the answer to a check changes nothing.
extension PINState {
    package var pin: Digits? { nil }
    package func valid() -> any PINState { self }
    package func invalid() -> any PINState { self }
}

package struct NoDigits: PINState {
    package init() {}

    package var count: Int { 0 }
    package func digit(_ digit: UInt8) -> any PINState { OneDigit(first: digit) }
    package func backspace() -> any PINState { self }
}

package struct OneDigit: PINState {
    let first: UInt8

    package var count: Int { 1 }
    package func digit(_ digit: UInt8) -> any PINState { TwoDigits(first: first, second: digit) }
    package func backspace() -> any PINState { NoDigits() }
}

package struct TwoDigits: PINState {
    let first, second: UInt8

    package var count: Int { 2 }
    package func digit(_ digit: UInt8) -> any PINState { ThreeDigits(first: first, second: second, third: digit) }
    package func backspace() -> any PINState { OneDigit(first: first) }
}

package struct ThreeDigits: PINState {
    let first, second, third: UInt8

    package var count: Int { 3 }
    package func digit(_ digit: UInt8) -> any PINState {
        FourDigits(first: first, second: second, third: third, fourth: digit)
    }
    package func backspace() -> any PINState { TwoDigits(first: first, second: second) }
}

/// The PIN is whole and is being checked. A further digit is no part of it.
package struct FourDigits: PINState {
    let first, second, third, fourth: UInt8

    package var count: Int { 4 }
    package var pin: Digits? { Digits("\(first)\(second)\(third)\(fourth)", count: PINLength.digits) }
    package func digit(_ digit: UInt8) -> any PINState { self }
    package func backspace() -> any PINState { ThreeDigits(first: first, second: second, third: third) }
    package func valid() -> any PINState { NoDigits() }
    package func invalid() -> any PINState { NoDigits() }
}

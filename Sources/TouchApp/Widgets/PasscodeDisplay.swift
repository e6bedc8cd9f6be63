/// Shows how many digits of the PIN have been entered, never which.
///
/// It learns of the number as an observer of the PIN, and takes no touches.
package struct PasscodeDisplay: PINObserver, Equatable {
    package private(set) var count = 0

    package init() {}

    package mutating func pinChanged(count: Int) { self.count = count }

    /// Four cells, filled from the left: `[*][*][ ][ ]`.
    package func display() -> String {
        String(repeating: "[*]", count: count) + String(repeating: "[ ]", count: PINLength.digits - count)
    }
}

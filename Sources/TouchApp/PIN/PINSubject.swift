import Primitives

/// Who wants to know how many digits of the PIN have been entered. It is never told which.
package protocol PINObserver: Sendable {
    /// `count` is 0 to 4.
    mutating func pinChanged(count: Int)
}

/// The PIN being entered: goes from state to state, and tells its observer whenever the number of digits changes
///.
///
/// The observer is a value that the subject holds: nothing has to be unsubscribed, and a copy observes a copy.
package struct PINSubject<Observer: PINObserver>: Sendable {
    package private(set) var observer: Observer
    private var state: any PINState = NoDigits()

    package init(observer: Observer) {
        self.observer = observer
        self.observer.pinChanged(count: 0)
    }

    package var count: Int { state.count }

    /// The PIN, once it is whole and has to be checked.
    package var pin: Digits? { state.pin }

    /// `digit` is 0 to 9.
    package mutating func digit(_ digit: UInt8) { go(to: state.digit(digit)) }
    package mutating func backspace() { go(to: state.backspace()) }
    package mutating func valid() { go(to: state.valid()) }
    package mutating func invalid() { go(to: state.invalid()) }

    private mutating func go(to next: any PINState) {
        let before = state.count
        state = next
        if next.count != before { observer.pinChanged(count: next.count) }
    }
}

/// The digits stay inside: descriptions end up in logs.
extension PINSubject: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(count) digits" }
    package var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}

/// What can be touched and shown: every screen, and the controller that shows them.
///
/// A screen answers with a ``Reaction``, the controller, which carries reactions out, with what it then shows.
package protocol AppScreen {
    associatedtype Answer

    /// A touch at column `x` and row `y` of the screen, both from 1.
    mutating func touch(_ x: Int, _ y: Int) async -> Answer

    /// What is shown, as text without a line end after its last line.
    func display() async -> String

    mutating func topLeftCmd() async -> Answer
    mutating func topRightCmd() async -> Answer
}

/// The five slots at the bottom of the phone. They do nothing before the PIN has been entered
///.
package protocol MenuBar {
    associatedtype Answer

    mutating func menu1() async -> Answer
    mutating func menu2() async -> Answer
    mutating func menu3() async -> Answer
    mutating func menu4() async -> Answer
    mutating func menu5() async -> Answer
}

/// How a screen takes a touch or one of the two commands.
package enum Reaction: Sendable {
    /// It means nothing here: nothing changes.
    case ignored
    /// The screen itself has changed, as by a digit.
    case changed
    /// The app has to do something.
    case command(any Command)
}

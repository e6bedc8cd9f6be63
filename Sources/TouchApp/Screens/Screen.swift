/// A screen as a value: what it shows, what touches mean on it.
///
/// Its touches go along a chain of links. It decides at once and asks nobody: whatever needs an answer from elsewhere
/// is a command.
package protocol Screen: AppScreen, Sendable where Answer == Reaction {
    associatedtype Meaning: Sendable

    static var name: ScreenName { get }
    static var chain: TouchChain<Meaning> { get }

    mutating func touch(_ x: Int, _ y: Int) -> Reaction
    /// The words of the document, and nothing else.
    func display() -> String
    mutating func topLeftCmd() -> Reaction
    mutating func topRightCmd() -> Reaction

    /// The two commands; nil where there is none.
    var topLeft: CommandKey? { get }
    var topRight: CommandKey? { get }

    /// Whether a touch pays here, and whether one reloads.
    var offersPayment: Bool { get }
    var offersReload: Bool { get }

    /// Lines below the words.
    var details: [String] { get }
    /// Reads what is shown here: when the screen opens, and when something has changed elsewhere.
    var reading: (any Command)? { get }

    mutating func cardChanged(_ card: KnownCard)
    /// A command begins: what the one before it showed goes.
    mutating func forgetResults()
    /// Adds what is shown here to a display.
    func fill(_ display: inout Display)
}

extension Screen {
    package var name: ScreenName { Self.name }
    package var grid: [[String]] { Self.chain.grid }

    package mutating func topLeftCmd() -> Reaction { topLeft.map { .command($0.command) } ?? .ignored }
    package mutating func topRightCmd() -> Reaction { topRight.map { .command($0.command) } ?? .ignored }

    package var topLeft: CommandKey? { nil }
    package var topRight: CommandKey? { nil }
    package var offersPayment: Bool { false }
    package var offersReload: Bool { false }
    package var details: [String] { [] }
    package var reading: (any Command)? { nil }
    package mutating func cardChanged(_ card: KnownCard) {}
    package mutating func forgetResults() {}
    package func fill(_ display: inout Display) {}
}

/// Most screens have buttons, each with a command.
extension Screen where Meaning == any Command {
    package mutating func touch(_ x: Int, _ y: Int) -> Reaction {
        Cell(x, y).flatMap(Self.chain.meaning).map(Reaction.command) ?? .ignored
    }
}

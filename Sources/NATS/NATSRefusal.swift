/// What an account's rights do not let this process do, in the server's words.
package struct NATSRefusal: Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        case subscription
        /// A message that nobody gets: its sender waits in vain if it was an ask.
        case message
        /// An answer to what was asked before this connection was made, or too long ago.
        case answer
    }

    package let kind: Kind
    package let description: String

    /// - Parameter text: as `Permissions Violation for Publish to "SUBJECT"`.
    package init(_ text: String) {
        description = text
        if text.contains("for Subscription") {
            kind = .subscription
        } else {
            kind = text.contains("\"\(NATSSubjects.answers)") ? .answer : .message
        }
    }
}

import Primitives

/// When a change was made, and the ask that led to it: what the facts of the change carry on.
package struct Cause: Sendable {
    package let time: Timestamp
    package let correlationID: String?
    package let causationID: String?
    package let traceparent: String?

    /// - Parameter context: of the ask; nil for a change that only the passing of time led to.
    package init(time: Timestamp, context: AskContext? = nil) {
        self.time = time
        correlationID = context?.correlationID
        causationID = context?.causationID
        traceparent = context?.traceparent
    }
}

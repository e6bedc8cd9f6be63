/// A message that has come in: views into the connection's memory, valid while it is handed over.
package struct NATSMessage {
    package let subscription: NATSSubscription
    package let subject: UnsafeRawBufferPointer
    /// Nil for a message that wants no answer.
    package let replySubject: UnsafeRawBufferPointer?
    package let body: UnsafeRawBufferPointer
    /// Whether the server says that nobody subscribes to what was asked.
    package let saysNobody: Bool
}

/// What a connection has subscribed to, by the number that its messages bear.
package struct NATSSubscription: Hashable, Sendable {
    let id: Int
}

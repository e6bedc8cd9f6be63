import Wire

/// Moves the cursor of a reader that cannot go on in a source's facts: `<service>.cursor.move.v1`. For operators on the
/// bus; nobody may ask it for somebody.
///
/// Facts up to `to` count as applied from then on, and those after it are read and applied. A reader that reads its
/// facts is not moved.
/// - Faults: `bus.malformed` for a source that the service does not read, for a reader that goes on by itself, for
///   another `from` than the cursor's, and for a `to` that the source's log does not have; `bus.unavailable` where the
///   source does not answer.
package struct MoveCursor<Service: FactConsumer>: Ask, Equatable {
    package static var type: MessageType { MessageType("\(Service.service).cursor.move.v1") }
    package static var effect: Effect<Self> { .once }
    package static var access: Access<Self> { .services }
    package static var limits: [Limit<Self>] {
        [
            .number(\.from, 0...Int64.max, example: 52),
            .number(\.to, 0...Int64.max, example: 17)
        ]
    }
    package static var faults: [FaultCode] { [] }
    package static var examples: Examples<Self> {
        Examples(
            Self(source: Service.consumes[0].service, from: 52, to: 17),
            reply: CursorMoved(source: Service.consumes[0].service, from: 52, to: 17, head: 20))
    }
    package typealias Reply = CursorMoved

    /// The service whose facts are read.
    package let source: String
    /// The last fact that counts as applied now: an operator decides on what was seen.
    package let from: Int64
    /// The last fact that counts as applied afterwards; 0 for none.
    package let to: Int64
}

/// Where a reader goes on.
package struct CursorMoved: WireMessage, Equatable {
    package let source: String
    package let from: Int64
    package let to: Int64
    /// The newest fact of the source.
    package let head: Int64
}

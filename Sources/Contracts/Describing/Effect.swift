/// What an ask does to its service, and so what asking again does.
@usableFromInline
package enum Effect<Question>: Sendable {
    /// Changes nothing.
    case reads
    /// Asking again is harmless.
    case idempotent
    /// Asked again with the same values in these fields it has no second effect and gets the first outcome.
    case keyedBy([AnyPath<Question>])
    /// Each ask counts; asking again is a new act.
    case once

    package static func keyed(by fields: AnyPath<Question>...) -> Effect { .keyedBy(fields) }

    /// What the bus may do when the outcome of an ask is unknown.
    package var retry: RetryClass {
        switch self {
        case .reads, .idempotent: .idempotent
        case .keyedBy: .keyed
        case .once: .once
        }
    }
}

extension Ask {
    @usableFromInline
    package static var retry: RetryClass { effect.retry }

    /// Whether it changes nothing.
    package static var isReading: Bool {
        if case .reads = effect { true } else { false }
    }

    /// The fields of a keyed ask that are its key.
    package static var key: [String] {
        guard case .keyedBy(let fields) = effect else { return [] }
        return fields.map { name(of: $0) }
    }
}

/// Why NATS cannot be used.
package struct NATSError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Why one connection to a server has ended.
package struct NATSFault: Error, Equatable {
    package let reason: String
    /// Whether another try would end the same way: a log-in that is rejected, a certificate that is not trusted.
    package let isRefusal: Bool

    static func lost(_ reason: String) -> NATSFault { NATSFault(reason: reason, isRefusal: false) }
    static func refused(_ reason: String) -> NATSFault { NATSFault(reason: reason, isRefusal: true) }
}

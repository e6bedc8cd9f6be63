/// How a service departs from its contract: one sentence for its author.
package struct Wrong: Error, Equatable, CustomStringConvertible {
    package let description: String
    /// Whether it did not answer at all.
    package let isSilence: Bool

    package init(_ description: String, isSilence: Bool = false) {
        self.description = description
        self.isSilence = isSilence
    }
}

/// Why the kit could not be run at all: says nothing about the service.
package struct CannotCheck: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

/// Throws unless `condition` holds.
func require(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws(Wrong) {
    guard condition else { throw Wrong(otherwise()) }
}

import CNATS

/// Why NATS cannot be used.
package struct NATSError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    init(_ what: String, _ status: natsStatus) {
        self.init("\(what): \(String(cString: natsStatus_GetText(status)))")
    }
}

/// - Throws: ``NATSError`` unless libnats says that it is done.
func check(_ status: natsStatus, _ what: @autoclosure () -> String) throws(NATSError) {
    guard status == NATS_OK else { throw NATSError(what(), status) }
}

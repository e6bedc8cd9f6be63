import Bus

/// Whether a new process's log of facts has what the old one's has. Readers of another log stop.
package enum LogContinuity: String, Sendable {
    /// The log has the old one's last fact, under its number.
    case needed
    /// Any log: the operator gives up what the old one has published.
    case forgotten

    /// Why a log may not follow; nil if it may.
    ///
    /// - Parameters:
    ///   - old: the old log's last fact.
    ///   - head: the new log's newest number.
    ///   - mark: of the new log's fact with the old one's number; nil if it has none.
    package func obstacle(after old: FactPosition, head: Int64, mark: [UInt8]?) -> String? {
        if self == .forgotten || old.sequence == 0 || mark == old.mark { return nil }
        let what =
            head == 0
            ? "its log of facts is empty, and the old one's ends at \(old.sequence)"
            : head < old.sequence
                ? "its log of facts ends at \(head), the old one's at \(old.sequence)"
                : "its log has another fact in the place of \(old.sequence), the old one's last"
        return
            "\(what): readers would stop. Give it the old log first; --empty starts it without, --back --forget goes back "
            + "without what was published since"
    }
}

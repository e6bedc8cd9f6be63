import Foundation

/// The settings of a process that is tried beside a set: those of this process, without the ones that would let it at
/// the set's bus, state and addresses, or at people's mail and phones.
package enum SettingsApart {
    /// Each with all names that begin with it and an underscore.
    private static let dropped = [
        "BILLFOLD_APNS", "BILLFOLD_ASKS_TCP", "BILLFOLD_BUS", "BILLFOLD_FCM", "BILLFOLD_HTTP", "BILLFOLD_KEYS",
        "BILLFOLD_LEDGER_ANCHOR", "BILLFOLD_LISTEN", "BILLFOLD_METRICS_HTTP", "BILLFOLD_NATS", "BILLFOLD_SMTP",
        "BILLFOLD_STORE", "BILLFOLD_TAKE_OVER"
    ]

    /// - Parameter own: where the process keeps its sockets and data instead.
    package static func environment(
        with own: [String: String], of given: [String: String] = ProcessInfo.processInfo.environment
    ) -> [String: String] {
        given.filter { name, _ in !dropped.contains { name == $0 || name.hasPrefix($0 + "_") } }.merging(own) { $1 }
    }
}

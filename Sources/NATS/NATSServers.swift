/// The servers of a NATS cluster, and how one gets in, as one setting names them:
/// `nats://[USER:PASSWORD@]HOST[:PORT],…`, or `tls://` for encrypted connections.
package struct NATSServers: Sendable, Equatable {
    /// Where no port is named.
    package static let portUsual: UInt16 = 4222

    /// `HOST:PORT` each.
    package let hosts: [String]
    package let isEncrypted: Bool
    /// Of the first server that names one; all get the same.
    package let login: NATSLogin?

    /// Whether a text can only be meant for NATS.
    package static func areMeant(by text: String) -> Bool { text.hasPrefix("nats://") || text.hasPrefix("tls://") }

    /// - Throws: ``NATSError``, which never repeats a password.
    package init(_ text: String) throws(NATSError) {
        var hosts: [String] = []
        var login: NATSLogin?
        for (index, part) in text.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
            // The scheme may stand before the first one only, or before each.
            let rest = part.drop(while: { $0 == " " })
            let scheme = ["nats://", "tls://"].first { rest.hasPrefix($0) } ?? ""
            guard scheme.isEmpty ? !hosts.isEmpty : text.hasPrefix(scheme) else {
                throw NATSError("servers of NATS are named as nats://HOST:PORT, all with nats:// or all with tls://")
            }
            let place = rest.dropFirst(scheme.count)
            let at = place.lastIndex(of: "@")
            if let at {
                guard let named = NATSLogin(place[..<at]) else {
                    throw NATSError("before the @ of a NATS server there has to be USER:PASSWORD")
                }
                login = login ?? named
            }
            // Not repeated: it may be part of a password with a comma, or lack the @.
            guard let host = Self.host(at.map { place[place.index(after: $0)...] } ?? place) else {
                throw NATSError(
                    "server \(index + 1) of NATS is not HOST:PORT with a port of 1 to 65535 (a password with a comma "
                        + "goes into the file of BILLFOLD_NATS_CREDENTIALS)")
            }
            hosts.append(host)
        }
        self.hosts = hosts
        self.login = login
        isEncrypted = text.hasPrefix("tls://")
    }

    /// `HOST:PORT`; nil for anything else.
    static func host(_ text: Substring) -> String? {
        // Of [IPv6]:PORT the last colon counts, and only behind the bracket.
        let bracket = text.lastIndex(of: "]") ?? text.startIndex
        let colon = text[bracket...].lastIndex(of: ":")
        let name = colon.map { text[..<$0] } ?? text
        let port = colon.map { UInt16(text[text.index(after: $0)...]) ?? 0 } ?? portUsual
        guard port > 0, !name.isEmpty, !name.contains(where: { "/ ?#@".contains($0) }) else { return nil }
        return "\(name):\(port)"
    }
}

extension NATSServers: CustomStringConvertible {
    package var description: String {
        hosts.map { (isEncrypted ? "tls://" : "nats://") + $0 }.joined(separator: ",")
    }
}

/// A user's name and password. Never printed.
package struct NATSLogin: Sendable, Equatable, CustomStringConvertible {
    package let user: String
    package let password: String

    /// - Parameter text: `USER:PASSWORD`; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else { return nil }
        user = String(text[..<colon])
        password = String(text[text.index(after: colon)...])
    }

    package var description: String { "\(user):…" }
}

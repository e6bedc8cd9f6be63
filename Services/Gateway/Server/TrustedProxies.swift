import NIOHTTP1

/// The proxies whose word about a client's address counts. A field of anybody else could be made up, and is not read.
package struct TrustedProxies: Sendable {
    /// The field in which the proxies write addresses. One only: a proxy passes on the other as its client wrote it.
    package enum Field: String, Sendable {
        case forwarded
        case xForwardedFor = "x-forwarded-for"
    }

    private let ranges: [IPAddress.Range]
    private let field: Field

    package init(_ ranges: [IPAddress.Range] = [], field: Field = .xForwardedFor) {
        self.ranges = ranges
        self.field = field
    }

    package func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

    /// The client of a request: the last address on its way that is not a trusted proxy's. Each proxy appends to what
    /// it was sent, so that all before that address may be made up.
    package func client(of peer: IPAddress, _ headers: HTTPHeaders) -> IPAddress {
        guard contains(peer) else { return peer }
        var client = peer
        for hop in hops(headers).reversed() {
            // What is no address, such as `unknown`, leaves the proxy that wrote it.
            guard let address = IPAddress(hop) else { return client }
            client = address
            guard contains(address) else { return client }
        }
        return client
    }

    /// Commas are looked for among bytes: as a character, one may carry what the client wrote before it.
    private func hops(_ headers: HTTPHeaders) -> [Substring] {
        headers[field.rawValue].flatMap {
            $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        }.map { bytes in
            let element = Substring(bytes)
            guard element.utf8.allSatisfy({ $0 < 0x80 }) else { return "" }  // no address, nor a name of one
            return switch field {
            case .xForwardedFor: Self.host(in: Self.trimmed(element))
            case .forwarded:
                // `for=192.0.2.60;proto=https` (RFC 7239 section 4).
                element.split(separator: ";").map(Self.trimmed)
                    .first { $0.lowercased().hasPrefix("for=") }
                    .map { Self.host(in: $0.dropFirst(4).trimming { $0 == "\"" }) } ?? ""
            }
        }
    }

    private static func trimmed(_ text: Substring) -> Substring { text.trimming { $0 == " " || $0 == "\t" } }

    /// Without a port: `192.0.2.60:4711`, `[2001:db8::1]:4711`.
    private static func host(in text: Substring) -> Substring {
        if text.first == "[" { return text.dropFirst().prefix { $0 != "]" } }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? parts[0] : text
    }
}

extension Substring {
    fileprivate func trimming(_ isDropped: (Character) -> Bool) -> Substring {
        var rest = drop(while: isDropped)
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return rest
    }
}

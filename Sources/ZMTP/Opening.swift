/// The opening of a connection: a greeting of 64 bytes each way, then READY each way (ZeroMQ RFC 37, "Overall behavior"
/// and "The NULL security mechanism").
package enum Opening {
    package static let greetingBytes = 64
    /// READY with a socket type and a name of 255 bytes has some 300.
    package static let readyBytesMax = 4_096
    private static let mechanism = 12..<32

    /// Ours: signature, version 3.1, NULL, not a server, filler.
    package static let greeting: [UInt8] =
        [0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0x7F, 3, 1] + Array("NULL".utf8) + [UInt8](repeating: 0, count: 48)

    package enum Mechanism {
        case null
        /// Authenticates, and may encrypt, what follows: it cannot be read here.
        case other
    }

    /// - Parameter greeting: as much as has come in.
    /// - Returns: nil while more is needed.
    /// - Throws: ``LinkFault/notZMTP3``, as early as it shows.
    package static func readGreeting(_ greeting: UnsafeRawBufferPointer) throws(LinkFault) -> Mechanism? {
        // Byte 10 is the major version. Before 3 a peer is opened in other ways; no library since 2013 needs them.
        guard greeting.count > 10 else {
            if let first = greeting.first, first != 0xFF { throw .notZMTP3 }
            return nil
        }
        guard greeting[0] == 0xFF, greeting[9] & 1 == 1, greeting[10] >= 3 else { throw .notZMTP3 }
        guard greeting.count >= greetingBytes else { return nil }
        let name = greeting[mechanism].prefix { $0 != 0 }
        return name.elementsEqual("NULL".utf8) ? .null : .other
    }
}

/// The kinds of socket that meet on the broker's asks.
package enum LinkRole: Sendable {
    case dealer
    case router

    fileprivate var name: StaticString {
        switch self {
        case .dealer: "DEALER"
        case .router: "ROUTER"
        }
    }

    /// The kinds that may be at the other end (RFC 28, "Request-Reply Pattern").
    fileprivate func mayMeet(_ other: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .dealer: other.isText("ROUTER") || other.isText("DEALER") || other.isText("REP")
        case .router: other.isText("DEALER") || other.isText("REQ") || other.isText("ROUTER")
        }
    }
}

/// The command READY: what a peer says of itself (RFC 37, "The READY command").
package enum Ready {
    private static let name: StaticString = "\u{5}READY"

    /// The whole frame.
    package static func frame(_ role: LinkRole) -> [UInt8] {
        var body = [5] + Array("READY".utf8)
        for (key, value) in [("Socket-Type", "\(role.name)"), ("Identity", "")] {
            body.append(UInt8(key.utf8.count))
            body += key.utf8
            body += [0, 0, 0, UInt8(value.utf8.count)]
            body += value.utf8
        }
        return [LinkFrame.command, UInt8(body.count)] + body
    }

    /// - Throws: ``LinkFault/wrongPeer`` for a kind of socket that cannot meet ours, ``LinkFault/forbiddenName``, and
    ///   ``LinkFault/brokenFrame`` for what is no READY.
    package static func check(_ body: UnsafeRawBufferPointer, for role: LinkRole) throws(LinkFault) {
        guard let properties = properties(body) else { throw .brokenFrame }
        guard !properties.contains(where: isForbiddenName) else { throw .forbiddenName }
        guard properties.contains(where: { $0.name.isText("Socket-Type") && role.mayMeet($0.value) }) else {
            throw .wrongPeer
        }
    }

    /// Whether a READY claims a name that begins with a zero: those a ROUTER makes up for peers without one (RFC 23).
    package static func claimsForbiddenName(_ body: UnsafeRawBufferPointer) -> Bool {
        properties(body)?.contains(where: isForbiddenName) ?? false
    }

    private typealias Property = (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)

    private static func isForbiddenName(_ property: Property) -> Bool {
        property.name.isText("Identity") && property.value.first == 0
    }

    /// A name's length and the name, four bytes of length and the value; nil for what is no READY, or is cut short.
    private static func properties(_ body: UnsafeRawBufferPointer) -> [Property]? {
        guard body.hasPrefix(name) else { return nil }
        var found: [Property] = []
        var rest = body[name.utf8CodeUnitCount...]
        func take(_ count: Int) -> UnsafeRawBufferPointer? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
        }
        while let length = take(1)?.first {
            guard let name = take(Int(length)), let size = take(4) else { return nil }
            guard let value = take(size.reduce(0) { $0 << 8 | Int($1) }) else { return nil }
            found.append((name, value))
        }
        return found
    }
}

extension UnsafeRawBufferPointer {
    func hasPrefix(_ text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where self[index] != text.utf8Start[index] { return false }
        return true
    }

    /// Property names and socket types are ASCII; names of properties may differ in case (RFC 37), ours and libzmq's do
    /// not.
    fileprivate func isText(_ text: StaticString) -> Bool { count == text.utf8CodeUnitCount && hasPrefix(text) }
}

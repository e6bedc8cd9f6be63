/// Secrets that wait to be hashed. PINs go first: they need a session and are few, while anybody can send passwords
/// without end.
package struct HashLine<Waiting: Sendable>: Sendable {
    private var pins: [Waiting] = []
    private var passwords: [Waiting] = []

    package init() {}

    package func count(_ kind: Secret.Kind) -> Int { kind == .pin ? pins.count : passwords.count }

    package mutating func append(_ one: Waiting, _ kind: Secret.Kind) {
        if kind == .pin { pins.append(one) } else { passwords.append(one) }
    }

    package mutating func next() -> Waiting? {
        if !pins.isEmpty { return pins.removeFirst() }
        return passwords.isEmpty ? nil : passwords.removeFirst()
    }

    mutating func takeAll() -> [Waiting] {
        defer { self = HashLine() }
        return pins + passwords
    }
}

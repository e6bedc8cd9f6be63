import CZeroMQ
import Foundation

/// A key of CURVE that its file cannot give, and why.
package struct KeyError: Error, CustomStringConvertible {
    package let description: String
}

/// A CURVE key pair (ZeroMQ RFC 26), in Z85: 40 characters each.
package struct CurveKeyPair: Sendable {
    package let publicKey: String
    package let secret: String

    package static let characters = 40

    package static func make() throws -> CurveKeyPair {
        var (publicKey, secret) = ([CChar](repeating: 0, count: 41), [CChar](repeating: 0, count: 41))
        guard zmq_curve_keypair(&publicKey, &secret) == 0 else { throw ZMQError("cannot make a CURVE key") }
        return CurveKeyPair(publicKey: Self.text(publicKey), secret: Self.text(secret))
    }

    /// - Parameter file: with the secret key; the public one follows from it.
    package init(file: String) throws {
        let secret = try Self.key(in: file)
        var publicKey = [CChar](repeating: 0, count: 41)
        guard zmq_curve_public(&publicKey, secret) == 0 else {
            throw KeyError(description: "\(file) holds no CURVE key")
        }
        self.init(publicKey: Self.text(publicKey), secret: secret)
    }

    private init(publicKey: String, secret: String) {
        self.publicKey = publicKey
        self.secret = secret
    }

    /// The key that a file holds, on one line.
    package static func key(in file: String) throws -> String {
        guard let content = FileManager.default.contents(atPath: file) else {
            throw KeyError(description: "\(file) cannot be read")
        }
        let text = String(decoding: content.prefix(256), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count == characters, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw KeyError(description: "\(file) holds no CURVE key")
        }
        return text
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix(Self.characters).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// What a peer of the broker needs: its own keys and the broker's public one.
package struct PeerKeys: Sendable {
    package let own: CurveKeyPair
    package let broker: String

    /// - Parameter directory: as ``KeyDirectory`` makes it for a peer.
    package init(directory: String) throws {
        own = try CurveKeyPair(file: "\(directory)/\(KeyDirectory.secret)")
        broker = try CurveKeyPair.key(in: "\(directory)/\(KeyDirectory.broker)")
    }
}

/// Directories of keys: one for the broker, with its secret key and the public ones of those it lets in, and one for
/// each peer, with that peer's secret key and the broker's public one. Each goes to its own host.
///
/// ```
/// DIR/broker/secret.key   DIR/broker/known/NAME.key   DIR/NAME/secret.key   DIR/NAME/broker.key
/// ```
package enum KeyDirectory {
    static let secret = "secret.key"
    static let broker = "broker.key"
    package static let known = "known"
    /// The broker reads no more known keys than it takes workers.
    package static let peersMax = 1_024

    /// Makes what is missing; keys that are there stay.
    ///
    /// - Returns: the directories made.
    package static func make(_ directory: String, peers: [String]) throws -> [String] {
        for peer in peers {
            guard peer.wholeMatch(of: /[a-z0-9][a-z0-9._-]{0,62}/) != nil, peer != "broker" else {
                throw KeyError(
                    description: "'\(peer)' cannot be a peer's name: 1 to 63 of a-z, 0-9 and ._-, and not 'broker'")
            }
        }
        var made: [String] = []
        let brokers = "\(directory)/broker"
        let brokerKeys = try pair(in: brokers, &made)
        try createPrivate("\(brokers)/\(known)")
        for peer in peers {
            let keys = try pair(in: "\(directory)/\(peer)", &made)
            try write(brokerKeys.publicKey, to: "\(directory)/\(peer)/\(broker)")
            try write(keys.publicKey, to: "\(brokers)/\(known)/\(peer).key")
        }
        return made
    }

    /// The public keys that the broker lets in, by their peers' names. A file that holds none is passed over.
    package static func knownPeers(in brokers: String) -> [String: String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(brokers)/\(known)")) ?? []
        var peers: [String: String] = [:]
        for file in files.sorted().prefix(peersMax) where file.hasSuffix(".key") {
            guard let key = try? CurveKeyPair.key(in: "\(brokers)/\(known)/\(file)") else { continue }
            peers[key] = String(file.dropLast(".key".count))
        }
        return peers
    }

    private static func pair(in directory: String, _ made: inout [String]) throws -> CurveKeyPair {
        let file = "\(directory)/\(secret)"
        if FileManager.default.fileExists(atPath: file) { return try CurveKeyPair(file: file) }
        try createPrivate(directory)
        let keys = try CurveKeyPair.make()
        try write(keys.secret, to: file)
        made.append(directory)
        return keys
    }

    private static func createPrivate(_ directory: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw KeyError(description: "no keys were made in \(directory): it is no directory, and cannot be made one")
        }
    }

    private static func write(_ key: String, to file: String) throws {
        let isMade = FileManager.default.createFile(
            atPath: file, contents: Data("\(key)\n".utf8), attributes: [.posixPermissions: 0o600])
        guard isMade else { throw KeyError(description: "\(file) cannot be written") }
    }
}

import Contracts
import Primitives
import Sodium
import Synchronization
import TouchApp
import Wire

/// What the client sent as `Idempotency-Key`: 1 to 255 visible ASCII characters, bare or as an RFC 8941 string.
package struct IdempotencyKey: Hashable, Sendable {
    private let bytes: [UInt8]

    package static let bytesMax = 255

    /// Nil unless the field's value is a key. `abc` and `"abc"` are the same one.
    package init?(_ value: String) {
        let quote = UInt8(ascii: "\"")
        let backslash = UInt8(ascii: "\\")
        var utf8 = value.utf8[...]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        if utf8.first == quote {
            utf8.removeFirst()
            guard utf8.popLast() == quote else { return nil }
            while var byte = utf8.popFirst() {
                if byte == backslash {
                    guard let escaped = utf8.popFirst(), escaped == quote || escaped == backslash else { return nil }
                    byte = escaped
                } else if byte == quote {
                    return nil
                }
                bytes.append(byte)
            }
        } else {
            bytes.append(contentsOf: utf8)
        }
        guard (1...Self.bytesMax).contains(bytes.count), bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return nil
        }
        self.bytes = bytes
    }

    /// The identifier of what an account does on a route under this key.
    func operation(of route: Route, account: PartyID?) -> OperationID {
        operation(route.name, scope: account?.bytes ?? [])
    }

    /// The identifier of a touch of a device, which what it does has too.
    func touch(of device: DeviceID, account: PartyID) -> TouchID {
        operation("touch", scope: account.bytes + device.bytes).reinterpreted()
    }

    /// The same for someone who has no account yet.
    func operation(of route: Route, username: String) -> OperationID {
        operation(route.name, scope: [UInt8](username.utf8))
    }

    private func operation(_ name: String, scope: [UInt8]) -> OperationID {
        Identifier(of: bytes, for: name, scope: scope)
    }
}

/// The keyed requests that are being answered by this process.
///
/// Only a courtesy, so that a client hears at once that its first request still runs: that nothing happens twice is the
/// ledger's promise, whichever process a repeat comes through.
final class KeysInFlight: Sendable {
    private let running = Mutex<Set<OperationID>>([])
    private let countMax: Int

    init(countMax: Int) { self.countMax = countMax }

    func begin(_ operation: OperationID) throws(Fault) {
        let (inserted, full) = running.withLock { running -> (Bool, Bool) in
            if running.count >= countMax { return (false, true) }
            return (running.insert(operation).inserted, false)
        }
        if full { throw Fault(.queueFull, retryAfterSeconds: 1) }
        guard inserted else { throw Fault(.keyInFlight, retryAfterSeconds: 1) }
    }

    func end(_ operation: OperationID) { _ = running.withLock { $0.remove(operation) } }

    var count: Int { running.withLock(\.count) }
}

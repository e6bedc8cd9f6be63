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

    /// BLAKE2b-128 of name (a route's, or `touch`), scope and key. The parts are told apart by the zero bytes, which neither name nor key has;
    /// the scope's length goes with it as it may hold any byte.
    ///
    /// Where the key is a UUID of version 7 (RFC 9562, section 5.7), its 48 bits of time take the place of the first 48
    /// of the digest: operations then come in the order of their ids, and the stores' indexes grow at their ends instead
    /// of changing another page for each payment. What is left of the digest, 80 bits, still depends on all parts.
    private func operation(_ name: String, scope: [UInt8]) -> OperationID {
        var input: [UInt8] = []
        input.reserveCapacity(name.utf8.count + scope.count + bytes.count + 4)
        input.append(contentsOf: name.utf8)
        input.append(0)
        input.append(UInt8(truncatingIfNeeded: scope.count >> 8))
        input.append(UInt8(truncatingIfNeeded: scope.count))
        input.append(contentsOf: scope)
        input.append(0)
        input.append(contentsOf: bytes)
        let digest = Digest.blake2b(input, length: 16).withUnsafeBytes { digest in
            (
                high: UInt64(bigEndian: digest.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        guard let time = uuidTime else { return OperationID(high: digest.high, low: digest.low) }
        return OperationID(high: time << 16 | digest.high & 0xFFFF, low: digest.low)
    }

    /// The first 48 bits of a UUID of version 7, its time; nil for any other key.
    private var uuidTime: UInt64? {
        guard bytes.count == 36 else { return nil }
        var (digits, time): (Int, UInt64) = (0, 0)
        for (place, byte) in bytes.enumerated() {
            if place == 8 || place == 13 || place == 18 || place == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = hexValue(byte) else { return nil }
            switch digits {
            case 0..<12: time = time << 4 | UInt64(digit)
            case 12 where digit != 7: return nil
            case 16 where digit & 0b1100 != 0b1000: return nil
            default: break
            }
            digits += 1
        }
        return time
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

import Glibc
import Primitives

/// A request being written: one buffer, used again and again, with room for the longest.
package final class RequestText {
    package let bytes: UnsafeMutablePointer<UInt8>
    package private(set) var count = 0
    private let capacity: Int

    package init(capacity: Int = 16 * 1024) {
        self.capacity = capacity
        bytes = .allocate(capacity: capacity)
    }

    deinit { bytes.deallocate() }

    package var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }
    package var string: String { String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self) }

    package var array: [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: count)) }

    package func clear() { count = 0 }

    package func text(_ text: StaticString) {
        precondition(count + text.utf8CodeUnitCount <= capacity)
        memcpy(bytes + count, text.utf8Start, text.utf8CodeUnitCount)
        count += text.utf8CodeUnitCount
    }

    package func text(_ text: [UInt8]) {
        precondition(count + text.count <= capacity)
        text.withUnsafeBytes { from in
            if let start = from.baseAddress { memcpy(bytes + count, start, from.count) }
        }
        count += text.count
    }

    package func hex(_ high: UInt64, _ low: UInt64) { hex(Identifier<Never>(high: high, low: low)) }

    /// The lowest digits of a number.
    package func hex(_ value: UInt64, digits: Int) {
        precondition(count + 16 <= capacity)
        for digit in 0..<digits {
            let nibble = UInt8(truncatingIfNeeded: value >> UInt64(4 * (digits - 1 - digit))) & 15
            bytes[count + digit] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") - 10 + nibble
        }
        count += digits
    }

    package func hex<Subject>(_ id: Identifier<Subject>) {
        precondition(count + 32 <= capacity)
        id.writeHex(to: bytes + count)
        count += 32
    }

    package func decimal(_ value: Int) {
        precondition(count + 20 <= capacity)
        if value < 0 {
            bytes[count] = UInt8(ascii: "-")
            count += 1
        }
        var rest = value.magnitude
        let start = count
        repeat {
            bytes[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            count += 1
            rest /= 10
        } while rest > 0
        var digits = UnsafeMutableBufferPointer(start: bytes + start, count: count - start)
        digits.reverse()
    }

    /// Puts a number of four digits over what stands there.
    package func patch(at place: Int, fourDigits value: Int) {
        var rest = value
        for digit in stride(from: 3, through: 0, by: -1) {
            bytes[place + digit] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }
}

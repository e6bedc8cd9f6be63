import CLinux
import Glibc
import Primitives

/// An answer as it came, searched for the few bytes that are needed. Valid only while it is being handled.
///
/// JSON without white space and with plain keys, as Billfold's services write it and `compact` makes it of others';
/// what is not found is not there.
package struct AnswerText {
    package let bytes: UnsafeRawBufferPointer

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// The same JSON without white space between its tokens.
    package static func compact(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var compact: [UInt8] = []
        compact.reserveCapacity(bytes.count)
        var isText = false
        var isEscaped = false
        for byte in bytes {
            let isSpace = byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
            if isText || !isSpace { compact.append(byte) }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isText.toggle()
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isText
            }
        }
        return compact
    }

    /// What follows the first occurrence of `key`, to be given with its quotes and colon.
    package func after(_ key: StaticString) -> UnsafeRawBufferPointer? {
        guard let base = bytes.baseAddress,
            let found = memmem(base, bytes.count, key.utf8Start, key.utf8CodeUnitCount)
        else { return nil }
        let offset = UnsafeRawPointer(found) - base + key.utf8CodeUnitCount
        return UnsafeRawBufferPointer(rebasing: bytes[offset...])
    }

    package func identifier<Subject>(
        _ key: StaticString, of type: Identifier<Subject>.Type = Identifier<Subject>.self
    ) -> Identifier<Subject>? {
        guard let rest = after(key), rest.count >= 32 else { return nil }
        return Identifier(hex: UnsafeRawBufferPointer(rebasing: rest[..<32]).bindMemory(to: UInt8.self))
    }

    package func integer(_ key: StaticString) -> Int64? {
        guard let rest = after(key) else { return nil }
        var value: Int64 = 0
        var place = 0
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { place = 1 }
        let first = place
        while place < rest.count {
            let digit = rest[place] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow, tenfold <= Int64.max - 9 else { return nil }
            value = tenfold + Int64(digit)
            place += 1
        }
        return place == first ? nil : isNegative ? -value : value
    }

    /// A text without escapes, up to its closing quote. `key` ends with the opening one.
    package func plainText(_ key: StaticString) -> UnsafeRawBufferPointer? {
        guard let rest = after(key), let start = rest.baseAddress,
            let quote = memchr(start, Int32(UInt8(ascii: "\"")), rest.count)
        else { return nil }
        return UnsafeRawBufferPointer(start: start, count: UnsafeRawPointer(quote) - start)
    }
}

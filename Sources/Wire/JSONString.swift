import Glibc

/// An object's key while it is being read. Compare or copy it; it is not valid after that.
@usableFromInline
package struct JSONKey {
    @usableFromInline
    package let utf8: UnsafeBufferPointer<UInt8>

    @usableFromInline
    package var string: String { String(decoding: utf8, as: UTF8.self) }

    package func `is`(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { name in
            guard name.count == utf8.count, let start = utf8.baseAddress, let other = name.baseAddress else {
                return name.isEmpty && utf8.isEmpty
            }
            return memcmp(start, other, name.count) == 0
        }
    }

    @inlinable
    package static func ~= (name: StaticString, key: JSONKey) -> Bool {
        key.utf8.count == name.utf8CodeUnitCount && key.begins(with: name)
    }

    @usableFromInline
    func begins(with name: StaticString) -> Bool {
        guard let start = utf8.baseAddress else { return true }
        return memcmp(start, name.utf8Start, utf8.count) == 0
    }
}

/// The range of a string in the text that is being read.
package struct JSONString: Sendable {
    let range: Range<Int>
    let escaped: Bool

    package var isEmpty: Bool { range.isEmpty }
    /// Bytes in the text that was read, with its escapes.
    package var count: Int { range.count }

    /// The string's bytes in the text that was read; nil if a character is escaped.
    package func plain(in text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        escaped ? nil : UnsafeBufferPointer(rebasing: text[range])
    }

    /// A copy of the string, from the text that was read.
    package func string(in text: [UInt8]) -> String { text.withUnsafeBytes { JSONReader($0).string(self) } }
}

/// A string's bytes while it is being read.
package struct JSONText {
    package let utf8: UnsafeBufferPointer<UInt8>

    package var string: String { String(decoding: utf8, as: UTF8.self) }
}

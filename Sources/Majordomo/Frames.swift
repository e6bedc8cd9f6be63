/// The frames of one received message without its routing id.
///
/// Views into memory the shell owns: valid during the call they are passed to, never kept.
package typealias Frames = UnsafeBufferPointer<UnsafeRawBufferPointer>

extension UnsafeRawBufferPointer {
    /// The big-endian integer at `offset`. The caller has checked the length.
    func bigEndian<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type = Value.self) -> Value {
        Value(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }

    func starts(with prefix: StaticString) -> Bool {
        guard count >= prefix.utf8CodeUnitCount else { return false }
        for index in 0..<prefix.utf8CodeUnitCount where self[index] != prefix.utf8Start[index] { return false }
        return true
    }

    func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && starts(with: text)
    }

    func equals(_ other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }
}

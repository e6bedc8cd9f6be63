import Primitives

/// Writes canonical bytes into a buffer of fixed size. Exceeding it is a bug.
struct CanonicalBytes {
    private let memory: UnsafeMutableRawBufferPointer
    private var count = 0

    init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.bigEndian) { append($0) }
    }

    mutating func append<Subject>(_ id: Identifier<Subject>) {
        append(id.high)
        append(id.low)
    }

    /// The length in bytes (4), then the UTF-8.
    mutating func append(counted text: String) {
        var text = text
        text.withUTF8 {
            append(UInt32($0.count))
            append(UnsafeRawBufferPointer($0))
        }
    }
}

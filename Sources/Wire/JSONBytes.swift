/// Marks the first of eight bytes that is `"`, `\` or below 0x20: its highest bit is the lowest bit set. Zero: there is
/// none. Bits above the lowest one may be wrong (the has-zero-byte trick).
func stringStops(_ eight: UInt64) -> UInt64 {
    let word = UInt64(littleEndian: eight)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let quote = word ^ (ones &* 0x22)
    let slash = word ^ (ones &* 0x5C)
    let quotes = (quote &- ones) & ~quote
    let slashes = (slash &- ones) & ~slash
    let controls = (word &- ones &* 0x20) & ~word
    return (quotes | slashes | controls) & highs
}

/// Replaces the escapes of RFC 8259 section 7; nil for an unknown escape or an unpaired surrogate.
func unescape(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var at = 0
    func unit() -> UInt16? {
        guard at + 4 <= text.count else { return nil }
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = hexValue(text[at]) else { return nil }
            value = value << 4 | UInt16(digit)
            at += 1
        }
        return value
    }
    while at < text.count {
        guard text[at] == UInt8(ascii: "\\") else {
            plain.append(text[at])
            at += 1
            continue
        }
        guard at + 1 < text.count else { return nil }
        let escape = text[at + 1]
        at += 2
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain.append(escape)
        case UInt8(ascii: "b"): plain.append(0x08)
        case UInt8(ascii: "f"): plain.append(0x0C)
        case UInt8(ascii: "n"): plain.append(0x0A)
        case UInt8(ascii: "r"): plain.append(0x0D)
        case UInt8(ascii: "t"): plain.append(0x09)
        case UInt8(ascii: "u"):
            guard let first = unit() else { return nil }
            var scalar = UInt32(first)
            if UTF16.isLeadSurrogate(first) {
                guard at + 2 <= text.count, text[at] == UInt8(ascii: "\\"), text[at + 1] == UInt8(ascii: "u") else {
                    return nil
                }
                at += 2
                guard let second = unit(), UTF16.isTrailSurrogate(second) else { return nil }
                scalar = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
            }
            // U+0000 is refused although RFC 8259 allows it: C interfaces, SQLite's among them, end a text there.
            guard scalar != 0, let character = Unicode.Scalar(scalar) else { return nil }
            plain.append(contentsOf: UTF8.encode(character)!)
        default: return nil
        }
    }
    return plain
}

/// The value of a hexadecimal digit of either case.
package func hexValue(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): return character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): return character - UInt8(ascii: "A") + 10
    default: return nil
    }
}

/// Whether the bytes are UTF-8 (RFC 3629). ASCII is checked 32 bytes at a time.
package func isUTF8(_ text: UnsafeRawBufferPointer) -> Bool {
    var at = 0
    let highs = SIMD4<UInt64>(repeating: 0x8080_8080_8080_8080)
    while at + 32 <= text.count {
        if text.loadUnaligned(fromByteOffset: at, as: SIMD4<UInt64>.self) & highs != .zero { break }
        at += 32
    }
    while at < text.count, text[at] < 0x80 { at += 1 }
    if at == text.count { return true }
    return String(validating: text[at...], as: UTF8.self) != nil
}

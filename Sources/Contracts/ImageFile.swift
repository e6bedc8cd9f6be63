import Foundation

/// What an uploaded image may be.
package enum ImageKind: String, Codable, Sendable, CaseIterable {
    case png, jpeg
}

/// A picture that was uploaded, written anew from the parts that make it up.
///
/// Whatever a decoder does not need is left out: comments, times, places, profiles, and anything behind the picture's
/// end. A file with a part that is broken, or that no such file has, is refused.
package struct ImageFile: Sendable, Equatable {
    package let kind: ImageKind
    package let width: Int
    package let height: Int
    package let bytes: [UInt8]

    /// Bytes of an image, so that its base64 fits into a request.
    package static let bytesMax = 9_000
    /// Characters of its base64.
    package static let base64Max = 12_000
    /// In pixels.
    package static let sideMax = 256

    /// Why a file is refused.
    package struct Refusal: Error, Equatable {
        package let reason: String
    }

    /// - Parameter base64: the file (RFC 4648, section 4).
    /// - Throws: the given refusal, with the reason.
    package init(base64: String, or refusal: FaultCode) throws(Fault) {
        guard let data = Data(base64Encoded: base64) else { throw Fault(refusal, "it is not base64") }
        do throws(Refusal) { self = try ImageFile(Array(data)) } catch { throw Fault(refusal, error.reason) }
    }

    package init(_ file: [UInt8]) throws(Refusal) {
        guard file.count <= Self.bytesMax else { throw Refusal(reason: "it has more than 9,000 bytes") }
        if file.starts(with: Self.pngSignature) {
            self = try Self.png(file)
        } else if file.starts(with: [0xFF, 0xD8]) {
            self = try Self.jpeg(file)
        } else {
            throw Refusal(reason: "it is neither a PNG nor a JPEG")
        }
        guard (1...Self.sideMax).contains(width), (1...Self.sideMax).contains(height) else {
            throw Refusal(reason: "it is not 1 to 256 pixels wide and high")
        }
    }

    private init(kind: ImageKind, width: Int, height: Int, bytes: [UInt8]) {
        self.kind = kind
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    // MARK: PNG (RFC 2083): chunks of length, type, data and a check sum

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let pngParts: Set<String> = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]

    private static func png(_ file: [UInt8]) throws(Refusal) -> ImageFile {
        let broken = Refusal(reason: "the PNG is broken")
        var bytes = pngSignature
        var at = pngSignature.count
        var types: [String] = []
        var size = (width: 0, height: 0)
        while types.last != "IEND" {
            guard at + 12 <= file.count else { throw broken }
            let length = number(file[at..<(at + 4)])
            let end = at + 12 + length
            guard end <= file.count else { throw broken }
            let type = String(decoding: file[(at + 4)..<(at + 8)], as: UTF8.self)
            guard number(file[(end - 4)..<end]) == Int(CRC32.of(file[(at + 4)..<(end - 4)])) else { throw broken }
            if types.isEmpty {
                guard type == "IHDR", length == 13 else { throw broken }
                size = (number(file[(at + 8)..<(at + 12)]), number(file[(at + 12)..<(at + 16)]))
            } else if type == "IHDR" {
                throw broken
            }
            if pngParts.contains(type) {
                bytes += file[at..<end]
                types.append(type)
            } else if file[at + 4] & 0x20 == 0 {
                // Critical by its name (section 3.3), and unknown.
                throw broken
            }
            at = end
        }
        guard types.contains("IDAT") else { throw broken }
        return ImageFile(kind: .png, width: size.width, height: size.height, bytes: bytes)
    }

    // MARK: JPEG (ITU T.81): segments of marker and length, and coded data behind each scan's header

    private static func jpeg(_ file: [UInt8]) throws(Refusal) -> ImageFile {
        let broken = Refusal(reason: "the JPEG is broken")
        var bytes: [UInt8] = [0xFF, 0xD8]
        var at = 2
        var size: (width: Int, height: Int)?
        var hasScan = false
        while true {
            guard at + 2 <= file.count, file[at] == 0xFF else { throw broken }
            let marker = file[at + 1]
            if marker == 0xFF {
                at += 1
                continue
            }
            if marker == 0xD9 { break }
            guard at + 4 <= file.count else { throw broken }
            let end = at + 2 + number(file[(at + 2)..<(at + 4)])
            guard end >= at + 4, end <= file.count else { throw broken }
            switch marker {
            case 0xC0, 0xC1, 0xC2:
                // One frame: the sizes of two could differ.
                guard size == nil, end >= at + 9 else { throw broken }
                size = (number(file[(at + 7)..<(at + 9)]), number(file[(at + 5)..<(at + 7)]))
                bytes += file[at..<end]
            case 0xC4, 0xDB, 0xDD: bytes += file[at..<end]
            case 0xDA:
                guard size != nil else { throw broken }
                hasScan = true
                let next = endOfScan(in: file, from: end)
                bytes += file[at..<next]
                at = next
                continue
            case 0xE0...0xEF, 0xFE: break
            default: throw Refusal(reason: "the JPEG is of a kind that browsers do not show")
            }
            at = end
        }
        guard let size, hasScan else { throw broken }
        return ImageFile(kind: .jpeg, width: size.width, height: size.height, bytes: bytes + [0xFF, 0xD9])
    }

    /// Coded data ends at the next marker; `FF 00` is a byte of it, and `FF D0` to `FF D7` are its restarts.
    private static func endOfScan(in file: [UInt8], from start: Int) -> Int {
        var at = start
        while at + 1 < file.count {
            if file[at] == 0xFF, file[at + 1] != 0, !(0xD0...0xD7).contains(file[at + 1]) { return at }
            at += 1
        }
        return file.count
    }
}

/// The check sum of PNG's chunks (RFC 2083, section 15).
private enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
    }
}

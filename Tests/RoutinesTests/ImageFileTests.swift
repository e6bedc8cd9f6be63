import Contracts
import Foundation
import RoutinesService
import TestKit
import Testing

@Suite("Own images")
struct ImageFileTests {
    static let png = Array(Data(base64Encoded: Samples.pixel)!)
    /// A grey picture of 8 by 8 pixels, with a comment and a profile.
    static let jpeg: [UInt8] = {
        var bytes: [UInt8] = [0xFF, 0xD8]
        bytes += [0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
        bytes += [0xFF, 0xFE, 0, 8] + Array("secret".utf8)
        bytes += [0xFF, 0xDB, 0, 67, 0] + Array(repeating: 16, count: 64)
        bytes += [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
        bytes += [0xFF, 0xC4, 0, 20, 0, 1] + Array(repeating: 0, count: 15) + [0]
        bytes += [0xFF, 0xC4, 0, 20, 0x10, 1] + Array(repeating: 0, count: 15) + [0]
        bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F, 0xFF, 0x00, 0xFF, 0xD9]
        return bytes
    }()

    private func refused(_ file: [UInt8]) -> Bool {
        (try? ImageFile(file)) == nil
    }

    /// A chunk with its check sum.
    private func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        var sum = ~UInt32(0)
        for byte in body {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
        }
        func four(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        return four(UInt32(data.count)) + body + four(~sum)
    }

    @Test("004-46: a PNG and a JPEG are taken, with their size")
    func taken() throws {
        let (png, jpeg) = (try ImageFile(Self.png), try ImageFile(Self.jpeg))
        #expect((png.kind, png.width, png.height, png.bytes) == (.png, 1, 1, Self.png))
        #expect((jpeg.kind, jpeg.width, jpeg.height) == (.jpeg, 8, 8))
    }

    @Test("what does not belong to the picture is left out")
    func cleaned() throws {
        let text = chunk("tEXt", Array("Comment\0secret".utf8))
        let file = try ImageFile(Array(Self.png[..<33]) + text + Array(Self.png[33...]) + Array("behind".utf8))
        #expect(file.bytes == Self.png)
        let jpeg = try ImageFile(Self.jpeg + Array("behind".utf8))
        #expect(jpeg.bytes.firstRange(of: Array("secret".utf8)) == nil)
        #expect(jpeg.bytes.firstRange(of: Array("JFIF".utf8)) == nil)
        #expect(jpeg.bytes.suffix(2) == [0xFF, 0xD9])
        #expect(try ImageFile(jpeg.bytes) == jpeg)
    }

    @Test("other kinds, and files that are too large, are refused")
    func refusals() {
        #expect(refused(Array("GIF89a".utf8)))
        #expect(refused(Array("<svg onload='x'/>".utf8)))
        #expect(refused([]))
        #expect(refused(Self.png + Array(repeating: 0, count: 9000)))
        let wide = chunk("IHDR", [0, 0, 1, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
        #expect(refused(Array(Self.png[..<8]) + wide + Array(Self.png[33...])))
        let unknown = chunk("NoNe", [])
        #expect(refused(Array(Self.png[..<33]) + unknown + Array(Self.png[33...])))
    }

    @Test("a file that is cut off or damaged anywhere is refused, or is a picture without the damage")
    func damaged() throws {
        for length in 0..<Self.png.count { #expect(refused(Array(Self.png[..<length])), "PNG of \(length) bytes") }
        for length in 0..<(Self.jpeg.count - 2) {
            #expect(refused(Array(Self.jpeg[..<length])), "JPEG of \(length) bytes")
        }
        for index in Self.png.indices {
            var file = Self.png
            file[index] ^= 0x41
            #expect(refused(file), "PNG with another byte at \(index)")
        }
        var dice = Dice(seed: 1)
        var taken = 0
        for _ in 0..<20_000 {
            var file = Self.jpeg
            for _ in 0..<3 {
                file[Int.random(in: file.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
            // Whatever comes of it, nothing crashes, and what is taken is taken again as it is.
            guard let picture = try? ImageFile(file) else { continue }
            #expect(try ImageFile(picture.bytes) == picture)
            taken += 1
        }
        #expect(taken > 0)
    }

    @Test("004-46: an image is read by its owner alone, and forgotten when it is removed")
    func kept() async throws {
        let harness = try RoutinesHarness()
        let ask = Routines.AddImage(account: RoutinesHarness.ada, image: harness.id(), data: Samples.pixel)
        #expect(try await harness.ask(ask).image == .init(image: ask.image, kind: .png, width: 1, height: 1))
        #expect(try await harness.ask(ask).replayed)
        let read = Routines.ReadImage(account: RoutinesHarness.ada, image: ask.image)
        #expect(try await harness.ask(read).data == Samples.pixel)
        let bob = Routines.ReadImage(account: RoutinesHarness.bob, image: ask.image)
        #expect(await refusal { try await harness.ask(bob) } == .routineImageNotFound)
        let remove = Routines.RemoveImage(account: RoutinesHarness.ada, image: ask.image)
        #expect(try await harness.ask(remove).removed)
        #expect(try await !harness.ask(remove).removed)
        #expect(await refusal { try await harness.ask(read) } == .routineImageNotFound)
        #expect(await refusal { try await harness.ask(ask) } == .routinesIDReused)
        for number in 0..<Routines.imagesMax {
            let more = Routines.AddImage(account: RoutinesHarness.ada, image: harness.id(), data: Samples.pixel)
            #expect(try await !harness.ask(more).replayed, "image \(number)")
        }
        let more = Routines.AddImage(account: RoutinesHarness.ada, image: harness.id(), data: Samples.pixel)
        #expect(await refusal { try await harness.ask(more) } == .tooManyRoutineImages)
    }
}

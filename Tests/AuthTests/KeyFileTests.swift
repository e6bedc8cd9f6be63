import Foundation
import Sodium
import TestKit
import Testing

@Suite("Key files")
struct KeyFileTests {
    private let folder: TemporaryDirectory
    var own: String { folder.file("auth.key") }
    var data: String { folder.file("auth.sqlite") }
    var named: String { folder.file("secret") }

    init() throws { folder = try TemporaryDirectory() }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    private func open(named: String?) throws -> [UInt8] {
        try KeyFile.open(named: named, otherwise: own, protecting: data)
    }

    @Test("a key of its own is made once, and not again once there is data")
    func ownKey() throws {
        let key = try open(named: nil)
        #expect(try open(named: nil) == key)
        try write([1], to: data)
        #expect(try open(named: nil) == key)
        try FileManager.default.removeItem(atPath: own)
        #expect(throws: KeyFile.KeyFileError.self) { try open(named: nil) }
    }

    @Test("a draft that a killed process has left is in nobody's way, also of a process with the same number")
    func draft() throws {
        try write([1], to: "\(own).\(getpid())")
        #expect(try open(named: nil).count == 32)
    }

    @Test("a file that is named is the key, and none is made beside the data")
    func namedKey() throws {
        let key = [UInt8](repeating: 7, count: 32)
        try write(key, to: named)
        #expect(try open(named: named) == key)
        #expect(!FileManager.default.fileExists(atPath: own))
    }

    @Test("an empty file stands for none; a missing one does not")
    func emptyAndMissing() throws {
        #expect(throws: KeyFile.KeyFileError.self) { try open(named: named) }
        #expect(!FileManager.default.fileExists(atPath: named))
        try write([], to: named)
        #expect(try open(named: named) == open(named: nil))
    }

    @Test("31 or 33 bytes are no key", arguments: [1, 31, 33, 64])
    func wrongLength(count: Int) throws {
        try write([UInt8](repeating: 1, count: count), to: named)
        #expect(throws: KeyFile.KeyFileError.self) { try open(named: named) }
    }

    @Test("a key can be moved to where others look after it")
    func moved() throws {
        let key = try open(named: nil)
        try write([1], to: data)
        try write(key, to: named)
        #expect(try open(named: named) == key)
        try FileManager.default.removeItem(atPath: own)
        #expect(try open(named: named) == key)
    }

    @Test("another key than the one that the data was written with is refused, wherever it comes from")
    func otherKey() throws {
        let key = try open(named: nil)
        try write([1], to: data)
        let other = [UInt8](repeating: 9, count: 32)
        try write(other, to: named)
        #expect(throws: KeyFile.KeyFileError.self) { try open(named: named) }
        try FileManager.default.removeItem(atPath: own)
        #expect(throws: KeyFile.KeyFileError.self) { try open(named: named) }
        try write(other, to: own)
        #expect(throws: KeyFile.KeyFileError.self) { try open(named: nil) }
        try write(key, to: own)
        #expect(try open(named: nil) == key)
    }
}

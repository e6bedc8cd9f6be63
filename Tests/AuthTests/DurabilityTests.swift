import AuthService
import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import Synchronization
import TestKit
import Testing

/// What a crash would leave: the files as they are at this moment.
struct Crash {
    let directory: TemporaryDirectory

    init(of original: TemporaryDirectory) throws {
        directory = try TemporaryDirectory()
        for file in try original.files where !file.hasSuffix(".lock") && !file.hasSuffix("-shm") {
            try FileManager.default.copyItem(
                atPath: file, toPath: directory.path + "/" + (file as NSString).lastPathComponent)
        }
    }

    func number(_ sql: String) throws -> Int? {
        try DatabaseQueue(path: directory.path + "/auth.db").read { try Int.fetchOne($0, sql: sql) }
    }
}

final class Crashes: Sendable {
    private let kept = Mutex<Crash?>(nil)

    var last: Crash? { kept.withLock { $0 } }
    func keep(_ crash: Crash?) { kept.withLock { $0 = crash } }
}

@Suite("What is kept")
struct DurabilityTests {
    @Test("a reopened file has everything, and a second process is kept out")
    func reopens() async throws {
        let directory = try TemporaryDirectory()
        var token = ""
        var session = SessionID(high: 0, low: 0)
        do {
            let auth = try AuthHarness(.file, in: directory)
            #expect(throws: (any Error).self) { try AccountStore(.file(directory.path + "/auth.db")) }
            try await auth.register()
            try await auth.setPIN()
            let reply = try await auth.logIn()
            (token, session) = (reply.token, reply.session.session)
            try await auth.verifyPIN("1234", session)
            _ = await fault { () throws(Fault) in try await auth.verifyPIN("0000", session) }
            for _ in 0..<10 { _ = await fault { () throws(Fault) in try await auth.logIn("alice", .wrong) } }
        }
        let auth = try AuthHarness(.file, in: directory)
        #expect(try await auth.readSession(token).pinVerifiedUntil == auth.clock.now + .seconds(900))
        #expect(try await auth.number("SELECT failures FROM pins") == 1)
        #expect(
            await fault { () throws(Fault) in try await auth.logIn() }
                == Fault(.tooManyAttempts, retryAfterSeconds: 30))
        auth.clock.advance(.seconds(30))
        try await auth.logIn()
        #expect(try await auth.register().replayed)
        try await auth.verifyPIN("1234", session)
        #expect(try await auth.facts().map(\.sequence) == [1])
    }

    @Test("no secret is anywhere in the files")
    func secrets() async throws {
        let auth = try AuthHarness(.file)
        try await auth.register()
        try await auth.setPIN("7391")
        let reply = try await auth.logIn()
        try await auth.verifyPIN("7391", reply.session.session)
        // Somebody types the password into the field for the name.
        _ = await fault { () throws(Fault) in try await auth.logIn(.right, "alice") }
        _ = await fault { () throws(Fault) in try await auth.logIn("alice", .wrong) }
        _ = await fault { () throws(Fault) in try await auth.register(password: .wrong) }
        let files = try auth.directory.files.filter { $0.contains("auth.db") }
        #expect(files.contains { $0.hasSuffix("-wal") })
        for file in files {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            for secret in [String.right, .wrong, reply.token] {
                #expect(bytes.range(of: Data(secret.utf8)) == nil)
            }
        }
        // Four digits may occur by chance; as a whole value or a part of a text they must not.
        let dump = try await auth.store.store.read { transaction in
            try ["accounts", "pins", "sessions", "logins", "facts"].flatMap { table in
                try transaction.all("SELECT * FROM \(table)") { String(decoding: $0.json, as: UTF8.self) }
            }.joined()
        }
        let withoutHex = dump.replacing(/[0-9a-f]{16,}|[0-9]{13}|\$argon2id[^\s\]]*/, with: "")
        #expect(dump.contains("alice"))
        #expect(!withoutHex.contains("7391"))
    }

    @Test("faults and asks' outcomes hold no secret")
    func faults() async throws {
        let auth = try AuthHarness()
        let session = try await auth.aliceWithPIN()
        let faults = [
            await fault { () throws(Fault) in try await auth.logIn("alice", .wrong) },
            await fault { () throws(Fault) in try await auth.verifyPIN("7391", session) },
            await fault { () throws(Fault) in try await auth.verifyPIN("73915", session) },
            await fault { () throws(Fault) in try await auth.setPIN("7391", password: .wrong) },
            await fault { () throws(Fault) in try await auth.register(password: .wrong) }
        ]
        for fault in faults {
            let text = String(decoding: try #require(fault).json, as: UTF8.self)
            #expect(!text.contains("7391") && !text.contains(String.wrong))
        }
    }

    @Test("facts are numbered without a gap and come in pages", arguments: StoreKind.allCases)
    func facts(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...200 {
                group.addTask {
                    let id = PartyID(high: 7, low: UInt64(number))
                    let name = String(repeating: "n", count: 100)
                    let role = Auth.Role.customer
                    _ = try await auth.store.register(
                        try Registration(
                            .init(
                                account: id, role: role, username: "user\(number)", password: .right, name: name),
                            under: auth.service.rules, at: auth.clock.now),
                        passwordHash: "$argon2id$", by: Cause(time: auth.clock.now, context: auth.context()))
                }
            }
            try await group.waitForAll()
        }
        #expect(auth.announcements.count == 200)
        let first = try await auth.store.store.read(after: 0, limit: 1_000_000)
        #expect(first.head == 200)
        #expect(first.facts.count < 200)
        #expect(first.json.count < Envelope.bytesMax - 512)
        var sequences: [Int64] = []
        while sequences.count < 200 {
            let page = try await auth.store.store.read(after: sequences.last ?? 0, limit: 70)
            #expect(page.facts.count <= 70)
            sequences += try page.facts.map { try #require(try Envelope(json: $0.bytes).sequence) }
        }
        #expect(sequences == Array(1...200))
        let end = try await auth.store.store.read(after: 200, limit: 0)
        #expect((end.facts.count, end.head) == (0, 200))
        #expect(try await auth.store.store.read(after: -5, limit: 0).facts.count == 1)
    }
}

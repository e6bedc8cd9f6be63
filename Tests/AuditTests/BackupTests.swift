import Audit
import Contracts
import Foundation
import Primitives
import Sodium
import TestKit
import Testing

@Suite("Backups")
struct BackupTests {
    @Test("a manifest fits together when no copy knows of facts that another lacks")
    func fits() {
        #expect(Self.manifest().problems == [])
    }

    @Test(
        "one that does not says why",
        arguments: [
            ("offers", "payments", 8, "offers knows 8 facts of payments, which has 7"),
            ("payments", "wallet", 9, "payments knows 9 facts of wallet, which has 7")
        ] as [(String, String, Int64, String)])
    func ahead(service: String, source: String, cursor: Int64, problem: String) {
        var manifest = Self.manifest()
        for place in manifest.services.indices where manifest.services[place].service == service {
            manifest.services[place].cursors[source] = cursor
        }
        #expect(manifest.problems == [problem])
    }

    @Test("one of a newer program, one with a service missing or twice, one that leads elsewhere")
    func unusable() throws {
        var manifest = Self.manifest()
        manifest.version += 1
        #expect(manifest.problems == ["it was written by a newer version of this program"])
        manifest = Self.manifest()
        let place = try #require(manifest.services.firstIndex { $0.service == "wallet" })
        let wallet = manifest.services.remove(at: place)
        #expect(manifest.problems == ["wallet is not in it"])
        manifest.services += [wallet, wallet]
        #expect(manifest.problems == ["wallet is in it twice"])
        manifest = Self.manifest()
        for file in ["../wallet/data.sqlite", "wallet/../../x", "wallet/", "wallet/.x", "auth/data.sqlite"] {
            manifest.services[place].file = file
            #expect(manifest.problems == ["wallet has its data in '\(file)'"])
        }
    }

    @Test("a restore puts every file in place, and sets what was there aside with its log")
    func restore() throws {
        let house = try House()
        let restored = try house.restorer().restore { _ in }
        #expect(restored.services == Self.services && restored.aside == [])
        #expect(try house.text("data/wallet/wallet.sqlite") == "copy of wallet")

        try house.write("data/wallet/wallet.sqlite", "newer")
        try house.write("data/wallet/wallet.sqlite-wal", "log")
        let again = try house.restorer(replaces: true, only: ["wallet"]).restore { _ in }
        let aside = try #require(again.aside.first)
        #expect(again.services == ["wallet"] && again.aside.count == 1)
        #expect(try house.text("data/wallet/wallet.sqlite") == "copy of wallet")
        #expect(try String(contentsOfFile: aside, encoding: .utf8) == "newer")
        #expect(try String(contentsOfFile: aside + "-wal", encoding: .utf8) == "log")
        #expect(!house.exists("data/wallet/wallet.sqlite-wal") && !house.exists("data/wallet/wallet.sqlite.restoring"))
    }

    @Test("a log that an earlier try left behind follows its file")
    func leftBehind() throws {
        let house = try House()
        let aside = "data/wallet/wallet.sqlite.replaced-19691231235959000"
        try house.write(aside, "mine")
        try house.write("data/wallet/wallet.sqlite-wal", "its log")
        let restored = try house.restorer(replaces: true, only: ["wallet"]).restore { _ in }
        #expect(restored.services == ["wallet"])
        #expect(try house.text(aside + "-wal") == "its log")
        #expect(try house.text("data/wallet/wallet.sqlite") == "copy of wallet")
    }

    @Test("a restore takes the ledger's head along, and says when the ledger goes back")
    func head() throws {
        let house = try House()
        let file = "data/wallet/wallet.sqlite.head.json"
        #expect(try house.restorer().restore { _ in }.forgottenHead == nil)
        // A backup from before ledgers had such a chain has none.
        #expect(!house.exists(file))
        var manifest = try JSONDecoder().decode(
            BackupManifest.self, from: Data(try house.text("backup/manifest.json").utf8))
        let place = try #require(manifest.services.firstIndex { $0.service == "wallet" })
        manifest.services[place].chain = "0af9"
        #expect(manifest.anchor == Wallet.Anchor(sequence: 7, chain: "0af9"))
        try house.write(
            "backup/manifest.json", String(decoding: try JSONEncoder().encode(manifest), as: UTF8.self))
        for (known, forgotten) in [(7, nil), (8, 8)] as [(Int, Int64?)] {
            try house.write(file, #"{"services":[{"service":"wallet","head":\#(known),"chain":"77"}]}"#)
            #expect(try house.restorer(replaces: true).restore { _ in }.forgottenHead == forgotten)
            #expect(try house.text(file) == #"{"services":[{"service":"wallet","head":7,"chain":"0af9"}]}"#)
        }
    }

    @Test("a restore that is refused has touched nothing")
    func refused() throws {
        let house = try House()
        try house.write("data/wallet/wallet.sqlite", "mine")
        expect("there is data already") { try house.restorer().restore { _ in } }

        try house.write("backup/payments/payments.sqlite", "copy of paymentz")
        expect("payments/payments.sqlite is not what was copied") {
            try house.restorer(replaces: true).restore { _ in }
        }
        try house.write("backup/payments/payments.sqlite", "copy of payments")

        let lock = open("\(house.path)/data/auth/auth.sqlite.lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        expect("auth is running") { try house.restorer(replaces: true).restore { _ in } }

        expect("'till' is no service") { try house.restorer(only: ["till"]).restore { _ in } }
        #expect(try house.text("data/wallet/wallet.sqlite") == "mine")
        #expect(!house.exists("data/payments/payments.sqlite"))

        unlink("\(house.path)/backup/manifest.json")
        expect("this is no backup") { try house.restorer(replaces: true).restore { _ in } }
    }

    @Test("keys are put where there are none, and never over another")
    func keys() throws {
        let house = try House()
        try house.write("vault/auth/auth.key", String(repeating: "k", count: 32))
        unlink("\(house.path)/data/auth/auth.key")
        _ = try house.restorer(keys: "vault").restore { _ in }
        #expect(try house.text("data/auth/auth.key") == String(repeating: "k", count: 32))
        try house.write("data/auth/auth.key", String(repeating: "o", count: 32))
        expect("another key") { try house.restorer(replaces: true, keys: "vault").restore { _ in } }
        expect("no keys") { try house.restorer(replaces: true, keys: "empty").restore { _ in } }
        #expect(try house.text("data/auth/auth.key").hasPrefix("oo"))
    }

    @Test("without a key that its service needs nothing is restored, and each that is missing is named with its place")
    func missingKeys() throws {
        let house = try House()
        for key in House.keys.dropFirst() { unlink("\(house.path)/data/\(key)") }
        let keys = [("wallet", "card-number.key"), ("payments", "code.key"), ("notifications", "vapid.key")]
        for (service, file) in keys {
            expect("\(service)'s in \(house.path)/data/\(service)/\(file)") { try house.restorer().restore { _ in } }
        }
        #expect(!house.exists("data/wallet/wallet.sqlite") && !house.exists("data/auth/auth.sqlite"))
        // Of those alone that have no key missing.
        _ = try house.restorer(only: ["auth", "location"]).restore { _ in }

        // Beside the data, in the vault, or where the service is told to look.
        try house.write("data/wallet/card-number.key", House.key)
        try house.write("vault/payments/code.key", House.key)
        try house.write("secrets/vapid", House.key)
        let environment = [
            "BILLFOLD_VAPID_KEY_FILE": "\(house.path)/secrets/vapid", "BILLFOLD_CODE_KEY_FILE": "/dev/null"
        ]
        let others = ["wallet", "payments", "notifications", "offers"]
        _ = try house.restorer(keys: "vault", only: others, environment: environment).restore { _ in }
        #expect(try house.text("data/payments/code.key") == House.key)
        #expect(!house.exists("data/notifications/vapid.key"))
    }

    @Test("another key than the one that the copy was written with is refused; the restored set knows it")
    func otherKey() throws {
        let house = try House()
        let other = [UInt8](repeating: 9, count: 32)
        let digest = KeyFile.digest(of: Array(House.key.utf8))
        try house.write("backup/payments/code.key.digest", digest)
        _ = try house.restorer(only: ["payments"]).restore { _ in }
        #expect(FileManager.default.contents(atPath: "\(house.path)/data/payments/code.key.digest") == Data(digest))
        try house.write("backup/auth/auth.key.digest", KeyFile.digest(of: other))
        expect("no keys in") { try house.restorer(keys: "backup", only: ["auth"]).restore { _ in } }
        expect("data/auth/auth.key is not the key") { try house.restorer(only: ["auth"]).restore { _ in } }
        #expect(!house.exists("data/auth/auth.sqlite"))
    }

    private func expect(_ words: String, _ body: () throws -> Void) {
        #expect { try body() } throws: { "\($0)".contains(words) }
    }

    fileprivate static let services = Catalogue.dataOwners.map { $0.service }

    fileprivate static func manifest(_ copy: (String) -> (bytes: Int64, sha256: String) = { _ in (1, "00") })
        -> BackupManifest
    {
        let cursors: [String: [String: Int64]] = [
            "payments": ["wallet": 5], "offers": ["payments": 4, "auth": 7],
            "notifications": ["payments": 4, "offers": 2, "auth": 1]
        ]
        return BackupManifest(
            begun: Timestamp(milliseconds: 0), ended: Timestamp(milliseconds: 1),
            services: Self.services.map { service in
                let (bytes, sha256) = copy(service)
                return BackupManifest.Entry(
                    service,
                    DataCopy(
                        file: "\(service)/\(service).sqlite", bytes: bytes, sha256: sha256, head: 7,
                        cursors: cursors[service] ?? [:], keys: [], pauseMicroseconds: 0))
            })
    }
}

/// A directory with a backup and room for data.
private struct House {
    private let directory: TemporaryDirectory
    var path: String { directory.path }

    init() throws {
        directory = try TemporaryDirectory()
        var digests: [String: (Int64, String)] = [:]
        for service in BackupTests.services {
            try write("backup/\(service)/\(service).sqlite", "copy of \(service)")
            let (digest, bytes) = try Digest.sha256(ofFile: "\(path)/backup/\(service)/\(service).sqlite")
            digests[service] = (bytes, digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        }
        let manifest = BackupTests.manifest { digests[$0]! }
        for key in Self.keys { try write("data/\(key)", Self.key) }
        try write("backup/manifest.json", String(decoding: try JSONEncoder().encode(manifest), as: UTF8.self))
    }

    static let keys = ["auth/auth.key", "wallet/card-number.key", "payments/code.key", "notifications/vapid.key"]
    static let key = String(repeating: "y", count: 32)

    func restorer(
        replaces: Bool = false, keys: String? = nil, only: [String] = [], environment: [String: String] = [:]
    ) -> BackupRestorer {
        BackupRestorer(
            from: "\(path)/backup", into: "\(path)/data", keys: keys.map { "\(path)/\($0)" }, services: only,
            replaces: replaces, now: Timestamp(milliseconds: 1_000), environment: environment)
    }

    func write(_ file: String, _ text: String) throws {
        let target = "\(path)/\(file)"
        try FileManager.default.createDirectory(
            atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: target, atomically: true, encoding: .utf8)
    }

    func write(_ file: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(file)"))
    }

    func text(_ file: String) throws -> String { try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8) }
    func exists(_ file: String) -> Bool { access("\(path)/\(file)", F_OK) == 0 }
}

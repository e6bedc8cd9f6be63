import AuthService
import Bus
import Contracts
import Foundation
import Primitives
import Sodium
import Synchronization
import TestKit
import Testing

/// Auth without its process: store, hash pool and handlers, with a clock that the test moves.
final class AuthHarness: Sendable {
    let clock = ManualClock()
    let hasher: ObservingHasher
    let store: AccountStore
    let service: AccountService
    /// Facts that the store has published.
    let announcements = CountingPublisher()
    let directory: TemporaryDirectory

    /// - Parameter directory: that of an earlier harness, to open its file and key again.
    init(
        _ kind: StoreKind = .inMemory, rules: AccountRules = AccountRules(), in directory: TemporaryDirectory? = nil,
        cost: PasswordHash.Cost = .cheapest, pool: HashPool.Limits = .init(threads: 2, waitingMax: 64)
    ) throws {
        let directory = try directory ?? TemporaryDirectory()
        let keys = AuthKeys(file: try KeyFile.open(directory.path + "/auth.key"))
        switch kind {
        case .inMemory: store = try AccountStore()
        case .file: store = try AccountStore(.file(directory.path + "/auth.db"))
        }
        store.store.publish(to: announcements)
        self.directory = directory
        hasher = ObservingHasher(
            try HashPool(PasswordHash(pepper: keys.pepper, cost: cost), limits: pool, clock: clock.wall))
        service = AccountService(store: store, hasher: hasher, keys: keys, clock: clock.wall, rules: rules)
    }

    /// Before the file is opened again.
    func close() async throws { try await store.store.close() }

    func context(actor: Actor? = nil) -> AskContext {
        AskContext(
            deadline: clock.now + .seconds(30), correlationID: "touch-1", causationID: "ask-1", actor: actor)
    }

    // MARK: Asks

    @discardableResult
    func register(
        _ id: PartyID = .alice, _ role: Auth.Role = .customer, username: String = "alice",
        password: String = .right, name: String? = nil, profile: Auth.Profile? = nil, approved: Bool? = nil,
        actor: Actor? = nil
    ) async throws(Fault) -> Auth.RegisterAccount.Reply {
        try await RegisterAccountHandler(service).admit(
            .init(
                account: id, role: role, username: username, password: password, name: name, profile: profile,
                approved: approved),
            in: context(actor: actor))
    }

    @discardableResult
    func logIn(_ username: String = "alice", _ password: String = .right) async throws(Fault)
        -> Auth.OpenSession.Reply
    {
        try await OpenSessionHandler(service).admit(.init(username: username, password: password), in: context())
    }

    func readSession(_ token: String) async throws(Fault) -> Auth.SessionView {
        let digest = Digest.sha256(Array(token.utf8)).map { String(format: "%02x", $0) }.joined()
        return try await ReadSessionHandler(service).admit(.init(tokenDigest: digest), in: context())
    }

    func close(
        _ session: SessionID, of account: PartyID = .alice, actor: Actor? = nil
    ) async throws(Fault) -> Bool {
        try await CloseSessionHandler(service).admit(
            .init(session: session, account: account), in: context(actor: actor)
        ).closed
    }

    @discardableResult
    func setPIN(
        _ pin: String = "1234", password: String = .right, of account: PartyID = .alice, in session: SessionID? = nil,
        replacing currentPin: String? = nil, actor: Actor? = nil
    ) async throws(Fault) -> [SessionID] {
        try await SetPINHandler(service).admit(
            .init(account: account, password: password, pin: pin, session: session, currentPin: currentPin),
            in: context(actor: actor)
        ).changed ?? []
    }

    @discardableResult
    func verifyPIN(
        _ pin: String, _ session: SessionID, of account: PartyID = .alice, actor: Actor? = nil
    ) async throws(Fault) -> Timestamp {
        try await VerifyPINHandler(service).admit(
            .init(account: account, session: session, pin: pin), in: context(actor: actor)
        ).verifiedUntil
    }

    /// Registers Alice, sets her PIN to 1234 (000-57) and logs her in.
    func aliceWithPIN() async throws -> SessionID {
        try await register()
        try await setPIN()
        return try await logIn().session.session
    }

    // MARK: What there is

    func facts() async throws -> [Envelope] {
        try await store.store.read(after: 0, limit: 1000).facts.map { try Envelope(json: $0.bytes) }
    }

    func factTypes() async throws -> [String] { try await facts().map(\.type) }

    func number(_ sql: String) async throws -> Int? {
        try await store.store.read { try $0.value(sql) }
    }
}

extension PartyID {
    static let alice = PartyID(high: 1, low: 0xA)
    static let bob = PartyID(high: 1, low: 0xB)
}

extension String {
    static let right = "correct horse battery"
    static let wrong = "correct horse cattery"
}

/// A hasher that counts, and lets a test look at the world at the moment of hashing.
final class ObservingHasher: SecretHashing {
    let pool: HashPool
    let hashes = Counter()
    let verifications = Counter()
    private let beforeVerifying = Mutex<(@Sendable () async throws(Fault) -> Void)?>(nil)

    init(_ pool: HashPool) { self.pool = pool }

    func onVerify(_ body: (@Sendable () async throws(Fault) -> Void)?) { beforeVerifying.withLock { $0 = body } }

    var decoy: String { pool.decoy }
    func admit(_ kind: Secret.Kind) throws(Fault) { try pool.admit(kind) }
    func needsRehash(_ hash: String) -> Bool { pool.needsRehash(hash) }

    func hash(_ secret: Secret, of owner: PartyID, before deadline: Timestamp) async throws(Fault) -> String {
        hashes.add()
        return try await pool.hash(secret, of: owner, before: deadline)
    }

    func verify(
        _ secret: Secret, of owner: PartyID, against hash: String, before deadline: Timestamp
    ) async throws(Fault) -> Bool {
        verifications.add()
        if let body = beforeVerifying.withLock({ $0 }) { try await body() }
        return try await pool.verify(secret, of: owner, against: hash, before: deadline)
    }
}

/// Takes back what the sixth version made of a file.
let undoVersion6 = """
    DROP TABLE reminders;
    DROP INDEX profiles_by_email;
    ALTER TABLE sessions DROP COLUMN client;
    ALTER TABLE accounts DROP COLUMN simulated;
    DELETE FROM grdb_migrations WHERE identifier LIKE '6:%';
    """

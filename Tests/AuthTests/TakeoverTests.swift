import AuthService
import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import TestKit
import Testing

extension String {
    fileprivate static let owner = "ada@example.com"
    fileprivate static let thief = "eve@example.com"
    fileprivate static let another = "another horse entirely"
}

private let alice = Actor(role: .customer, party: .alice)

@Suite("A stolen token does not take an account")
struct TakeoverTests {
    private let mail = Mailbox()

    private func setAddress(
        _ auth: AuthHarness, _ email: String?, password: String? = nil, pin: String? = nil,
        in session: SessionID? = nil, as actor: Actor? = alice
    ) async throws(Fault) {
        _ = try await UpdateProfileHandler(auth.service).admit(
            .init(
                account: .alice, name: nil, profile: Auth.Profile(email: email), fields: [.email], session: session,
                password: password, pin: pin), in: auth.context(actor: actor))
    }

    private func address(_ auth: AuthHarness) async throws -> String? {
        try await ReadProfileHandler(auth.service).admit(.init(account: .alice), in: auth.context()).profile.email
    }

    private func restore(
        _ auth: AuthHarness, _ code: String, password: String = .another
    ) async throws(Fault) -> [SessionID] {
        try await RestoreAddressHandler(auth.service).admit(
            .init(username: "alice", code: code, newPassword: password), in: auth.context()
        ).closed
    }

    private func change(
        _ auth: AuthHarness, pin: String? = nil, in session: SessionID? = nil
    ) async throws(Fault) {
        _ = try await ChangePasswordHandler(auth.service).admit(
            .init(account: .alice, session: session, password: .right, newPassword: .another, pin: pin),
            in: auth.context(actor: alice))
    }

    /// The letters that were sent by now.
    private func letters(_ auth: AuthHarness) async throws -> [MailedLetter] {
        try await mail.collect(from: auth)
        return mail.letters
    }

    private func credentials(_ auth: AuthHarness) async throws -> [Auth.Credential] {
        try await auth.facts().filter { $0.type == Auth.CredentialChanged.type.name }
            .map { try Auth.CredentialChanged(json: $0.data).credential }
    }

    private func owner(_ kind: StoreKind, _ role: Auth.Role = .customer) async throws -> AuthHarness {
        let auth = try AuthHarness(kind)
        try await auth.register(.alice, role, profile: Auth.Profile(email: .owner))
        return auth
    }

    @Test("another address needs the password, for every role and for services too", arguments: Auth.Role.allCases)
    func needsPassword(role: Auth.Role) async throws {
        let auth = try await owner(.inMemory, role)
        let session = try await auth.logIn().session.session
        for actor in [Actor(role: role, party: .alice), nil] {
            for email in [.thief, nil] as [String?] {
                #expect(
                    await fault { () throws(Fault) in try await setAddress(auth, email, in: session, as: actor) }
                        == Fault(.passwordRequired))
                #expect(
                    await fault { () throws(Fault) in
                        try await setAddress(auth, email, password: .wrong, in: session, as: actor)
                    } == Fault(.wrongCredentials))
            }
        }
        #expect(try await address(auth) == .owner)
        #expect(try await auth.number("SELECT max(failures) FROM logins") == 4)
        // The address that it has is no other one.
        try await setAddress(auth, .owner)
        #expect(try await letters(auth).isEmpty)
        #expect(try await credentials(auth) == [])
        try await setAddress(auth, .thief, password: .right)
        #expect(try await address(auth) == .thief)
        #expect(try await auth.number("SELECT count(*) FROM logins WHERE failures > 1") == 0)
    }

    @Test("guesses at the password count as log-ins", arguments: StoreKind.allCases)
    func counted(kind: StoreKind) async throws {
        let auth = try await owner(kind)
        for _ in 0..<10 {
            _ = await fault { () throws(Fault) in try await setAddress(auth, .thief, password: .wrong) }
        }
        #expect(
            await fault { () throws(Fault) in try await setAddress(auth, .thief, password: .right) }
                == Fault(.tooManyAttempts, retryAfterSeconds: 30))
        #expect(await fault { () throws(Fault) in try await auth.logIn() }?.code == .tooManyAttempts)
    }

    @Test("an account with a PIN proves it too: given, or entered in the session lately", arguments: StoreKind.allCases)
    func needsPIN(kind: StoreKind) async throws {
        let auth = try await owner(kind)
        try await auth.setPIN()
        let session = try await auth.logIn().session.session
        let other = try await auth.logIn().session.session
        try await auth.verifyPIN("1234", other)
        for proof in [session, nil] {
            #expect(
                await fault { () throws(Fault) in
                    try await setAddress(auth, .thief, password: .right, in: proof)
                } == Fault(.pinRequired))
            #expect(
                await fault { () throws(Fault) in try await change(auth, in: proof) } == Fault(.pinRequired))
        }
        #expect(
            await fault { () throws(Fault) in try await setAddress(auth, .thief, password: .right, pin: "12") }?.code
                == .pinInvalid)
        for count in 1...2 {
            #expect(
                await fault { () throws(Fault) in
                    try await setAddress(auth, .thief, password: .right, pin: "0000", in: session)
                }?.code == .pinWrong)
            #expect(try await auth.number("SELECT failures FROM pins") == count)
        }
        // The password was right each time.
        #expect(try await auth.number("SELECT count(*) FROM logins") == 0)
        #expect(try await address(auth) == .owner)
        try await setAddress(auth, .thief, password: .right, pin: "1234", in: session)
        #expect(try await auth.number("SELECT failures FROM pins") == 0)
        try await change(auth, in: other)
    }

    @Test("the old address gets a code that puts it back, once", arguments: StoreKind.allCases)
    func putsBack(kind: StoreKind) async throws {
        let auth = try await owner(kind)
        let thief = try await auth.logIn()
        auth.clock.advance(.seconds(1))
        try await setAddress(auth, .thief, password: .right)
        let letter = try #require(try await letters(auth).first)
        #expect(letter.to == .owner)
        #expect(letter.expires == auth.clock.now + .seconds(7 * 86_400))
        #expect(letter.text.contains(auth.clock.now.rfc3339) && letter.text.contains("No money was moved"))
        let code = try #require(letter.code)

        // The thief changes it once more, and so has a code too.
        auth.clock.advance(.seconds(1))
        try await setAddress(auth, "eve2@example.com", password: .right)
        let theirs = try #require(try await letters(auth).last)
        #expect(theirs.to == .thief)

        for wrong in ["", "0000", theirs.code! + "0"] {
            #expect(await fault { () throws(Fault) in try await restore(auth, wrong) } == Fault(.resetInvalid))
        }
        auth.clock.advance(.seconds(6 * 86_400))
        let session = try await auth.logIn().session.session
        #expect(try await restore(auth, code) == [session])
        #expect(try await address(auth) == .owner)
        #expect(await fault { () throws(Fault) in try await auth.logIn() } == Fault(.wrongCredentials))
        try await auth.logIn("alice", .another)
        for spent in [code, theirs.code!] {
            #expect(await fault { () throws(Fault) in try await restore(auth, spent) } == Fault(.resetInvalid))
        }
        #expect(await fault { () throws(Fault) in try await auth.readSession(thief.token) } != nil)
        #expect(try await credentials(auth) == [.address, .address, .restoredAddress])
        #expect(try await letters(auth).map(\.to) == [.owner, .thief, .owner])
    }

    @Test("whoever uses a later code takes nothing from the earlier one", arguments: StoreKind.allCases)
    func earlierStays(kind: StoreKind) async throws {
        let auth = try await owner(kind)
        try await setAddress(auth, .thief, password: .right)
        auth.clock.advance(.seconds(1))
        try await setAddress(auth, "eve2@example.com", password: .right)
        let codes = try await letters(auth).map { $0.code! }
        _ = try await restore(auth, codes[1])
        #expect(try await address(auth) == .thief)
        _ = try await restore(auth, codes[0])
        #expect(try await address(auth) == .owner)
    }

    @Test("a code for an old address is good for a week, and sets no new password alone", arguments: StoreKind.allCases)
    func bounds(kind: StoreKind) async throws {
        let auth = try await owner(kind)
        try await setAddress(auth, .thief, password: .right)
        let code = try #require(try await letters(auth).first?.code)
        #expect(
            await fault { () throws(Fault) in
                try await UseResetHandler(auth.service).admit(
                    .init(username: "alice", code: code, newPassword: .another), in: auth.context())
            } == Fault(.resetInvalid))
        auth.clock.advance(.seconds(7 * 86_400))
        #expect(await fault { () throws(Fault) in try await restore(auth, code) } == Fault(.resetInvalid))
        try await AccountSweeper(auth.service).sweep()
        for table in ["restorations", "letters", "holds"] {
            #expect(try await auth.number("SELECT count(*) FROM \(table)") == 0, "\(table)")
        }
    }

    @Test("transfers are held for a day after a recovery and a changed address", arguments: StoreKind.allCases)
    func holds(kind: StoreKind) async throws {
        let auth = try await owner(kind)
        let opened = try await auth.logIn()
        #expect(opened.session.transfersHeldUntil == nil)
        try await setAddress(auth, .thief, password: .right)
        let until = auth.clock.now + .seconds(86_400)
        #expect(try await auth.readSession(opened.token).transfersHeldUntil == until)
        let changed = try await auth.facts().filter { $0.type == Auth.SessionChanged.type.name }
        #expect(try changed.map { try Auth.SessionChanged(json: $0.data).session } == [opened.session.session])
        auth.clock.advance(.seconds(3600))
        _ = try await RequestResetHandler(auth.service).admit(
            .init(username: "alice", email: .thief), in: auth.context())
        let code = try #require(try await letters(auth).last { $0.to == .thief }?.code)
        _ = try await UseResetHandler(auth.service).admit(
            .init(username: "alice", code: code, newPassword: .another), in: auth.context())
        let again = try await auth.logIn("alice", .another)
        #expect(again.session.transfersHeldUntil == until + .seconds(3600))
        auth.clock.advance(.seconds(86_399))
        #expect(try await auth.readSession(auth.logIn("alice", .another).token).transfersHeldUntil != nil)
        auth.clock.advance(.seconds(1))
        #expect(try await auth.readSession(auth.logIn("alice", .another).token).transfersHeldUntil == nil)
        #expect(try await credentials(auth) == [.address, .resetPassword])
    }

    @Test("the owner is mailed of a new password and a new PIN; not of the first PIN", arguments: StoreKind.allCases)
    func published(kind: StoreKind) async throws {
        let auth = try await owner(kind)
        try await auth.setPIN()
        #expect(try await letters(auth).isEmpty)
        try await auth.setPIN("4321", replacing: "1234")
        auth.clock.advance(.seconds(1))
        try await change(auth, pin: "4321")
        let subjects = try await letters(auth).map(\.subject)
        #expect(subjects == ["Your PIN was changed", "Your password was changed"])
        #expect(mail.letters.allSatisfy { $0.to == .owner && $0.code == nil })
        #expect(try await credentials(auth) == [.pin, .password])
        #expect(try await auth.logIn("alice", .another).session.transfersHeldUntil == nil)
        // Once each.
        #expect(try await letters(auth).count == 2)
    }

    @Test("nobody's mailbox is filled: changes of the address are limited", arguments: StoreKind.allCases)
    func limited(kind: StoreKind) async throws {
        let auth = try await owner(kind)
        for number in 0..<5 { try await setAddress(auth, "eve\(number)@example.com", password: .right) }
        let refused = await fault { () throws(Fault) in
            try await setAddress(auth, "eve5@example.com", password: .right)
        }
        #expect((refused?.code, refused?.retryAfterSeconds) == (.tooManyAttempts, 60))
        #expect(try await address(auth) == "eve4@example.com")
        try await change(auth)
        #expect(try await letters(auth).count == 5)
    }

    @Test("a new PIN needs the one before, except where that is locked; then transfers are held")
    func newPIN() async throws {
        var rules = AccountRules()
        rules.pinPolicy = AttemptPolicy(delayFrom: nil, lockAt: 3)
        let auth = try AuthHarness(rules: rules)
        let session = try await auth.aliceWithPIN()
        #expect(await fault { () throws(Fault) in try await auth.setPIN("4321") } == Fault(.pinRequired))
        #expect(
            await fault { () throws(Fault) in try await auth.setPIN("4321", replacing: "1111") } == PINTests.wrong)
        // A repeat of what was done is answered like the first.
        try await auth.setPIN("4321", replacing: "1234")
        try await auth.setPIN("4321")
        try await auth.verifyPIN("4321", session)
        #expect(try await auth.setPIN("5678", in: session) == [session])
        #expect(try await auth.number("SELECT count(*) FROM holds") == 0)
        for _ in 0..<3 { _ = await fault { () throws(Fault) in try await auth.verifyPIN("0000", session) } }
        #expect(try await auth.setPIN("9012") == [session])
        #expect(
            try await auth.logIn().session.transfersHeldUntil == auth.clock.now + .seconds(86_400))
        // A recovered account sets a forgotten one by the password.
        try await auth.setPIN("3456")
    }

    @Test("a first PIN that comes late is told of, and transfers are held; a new account's is not")
    func firstPIN() async throws {
        let auth = try AuthHarness()
        try await auth.register(profile: .ada)
        try await auth.setPIN("1234")
        #expect(try await auth.number("SELECT count(*) FROM holds") == 0)

        let late = try AuthHarness()
        try await late.register(profile: .ada)
        late.clock.advance(.seconds(86_400))
        try await late.setPIN("1234")
        #expect(try await letters(late).count == 1)
        #expect(try await late.logIn().session.transfersHeldUntil == late.clock.now + .seconds(86_400))
    }

    @Test("a first address, and the same one in other letters, hold no transfers")
    func firstAddress() async throws {
        let auth = try AuthHarness()
        try await auth.register()
        try await setAddress(auth, .owner, password: .right)
        try await setAddress(auth, String.owner.uppercased())
        #expect(try await address(auth) == String.owner.uppercased())
        #expect(try await auth.number("SELECT count(*) FROM holds") == 0)
        #expect(try await letters(auth).isEmpty)
    }

    @Test("fields that are not named stay as they are", arguments: StoreKind.allCases)
    func fields(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register(profile: .ada)
        let view = try await UpdateProfileHandler(auth.service).admit(
            .init(
                account: .alice, name: nil, profile: Auth.Profile(firstName: "Augusta"),
                fields: [.firstName, .gender]), in: auth.context(actor: alice))
        #expect(
            view.profile
                == Auth.Profile(
                    firstName: "Augusta", lastName: "Lovelace", email: "ada@example.com",
                    birthdate: CivilDate("2001-05-30"), student: true))
    }

    @Test("a file from before these letters opens, and has them from then on")
    func migrates() async throws {
        let directory = try TemporaryDirectory()
        do {
            let auth = try AuthHarness(.file, in: directory)
            try await auth.register(profile: Auth.Profile(email: .owner))
            try await auth.close()
        }
        // As the third version left it.
        try await DatabaseQueue(path: directory.path + "/auth.db").write { database in
            try database.execute(sql: undoVersion6)
            for table in ["restorations", "letters", "holds"] { try database.execute(sql: "DROP TABLE \(table)") }
            try database.execute(sql: "DROP INDEX administrators")
            try database.execute(sql: "CREATE INDEX resets_unsent ON resets (expires) WHERE sent = 0")
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier >= '4:'")
        }
        let auth = try AuthHarness(.file, in: directory)
        #expect(try await auth.logIn().session.transfersHeldUntil == nil)
        try await setAddress(auth, .thief, password: .right)
        #expect(try await letters(auth).map(\.to) == [.owner])
        #expect(try await auth.logIn().session.transfersHeldUntil != nil)
    }
}

@Suite("Names of the set's own")
struct ReservedNameTests {
    @Test(
        "are registered by services only, in whatever spelling",
        arguments: ["touch-shop", "Touch.Shop", "touch_shop", "billfold", "Administrator", "support", "no-reply"])
    func reserved(name: String) async throws {
        let auth = try AuthHarness()
        for role in [Auth.Role.customer, .merchant] {
            for actor in [Actor(role: role, party: .alice), nil] {
                #expect(
                    await fault { () throws(Fault) in
                        try await auth.register(.alice, role, username: name, actor: actor)
                    }?.code == .usernameTaken)
            }
        }
        #expect(try await auth.register(.bob, .merchant, username: name, approved: true).account.username == name)
        // Registered before it was reserved, or by the set: it goes on as it was.
        #expect(try await auth.register(.bob, .merchant, username: name, approved: true).replayed)
        try await auth.logIn(name)
    }

    @Test("others are free", arguments: ["touch-shops", "alice", "my.wallet", "root2", "supporter"])
    func free(name: String) async throws {
        let auth = try AuthHarness()
        try await auth.register(.alice, .merchant, username: name)
    }

    @Test("the operator makes administrators of any name")
    func administrators() async throws {
        let auth = try AuthHarness()
        try await auth.register(.alice, .administrator, username: "root")
    }
}

@Suite("Administrators")
struct AdministratorTests {
    private func list(_ auth: AuthHarness, after: PartyID? = nil, limit: Int = 100, as actor: Actor? = nil)
        async throws(Fault) -> Auth.ReadAdministrators.Reply
    {
        try await ReadAdministratorsHandler(auth.service).admit(
            .init(after: after, limit: limit), in: auth.context(actor: actor))
    }

    private func remove(
        _ auth: AuthHarness, _ username: String, evenLast: Bool? = nil, as actor: Actor? = nil
    ) async throws(Fault) -> Auth.RemoveAdministrator.Reply {
        try await RemoveAdministratorHandler(auth.service).admit(
            .init(username: username, evenLast: evenLast), in: auth.context(actor: actor))
    }

    private func renew(
        _ auth: AuthHarness, _ username: String, _ password: String = .another, as actor: Actor? = nil
    ) async throws(Fault) -> Auth.RenewAdministrator.Reply {
        try await RenewAdministratorHandler(auth.service).admit(
            .init(username: username, newPassword: password), in: auth.context(actor: actor))
    }

    private func three(_ kind: StoreKind = .inMemory) async throws -> AuthHarness {
        let auth = try AuthHarness(kind)
        for number in 1...3 as ClosedRange<UInt64> {
            try await auth.register(PartyID(high: 9, low: number), .administrator, username: "root\(number)")
        }
        try await auth.register()
        return auth
    }

    @Test("are listed in pages, and nobody else is", arguments: StoreKind.allCases)
    func lists(kind: StoreKind) async throws {
        let auth = try await three(kind)
        let first = try await list(auth, limit: 2)
        #expect(first.administrators.map(\.username) == ["root1", "root2"])
        let second = try await list(auth, after: first.next, limit: 2)
        #expect(second.administrators.map(\.username) == ["root3"] && second.next == nil)
        #expect(second.administrators.first?.registered == auth.clock.now)
    }

    @Test("get another password, which ends their sessions", arguments: StoreKind.allCases)
    func renews(kind: StoreKind) async throws {
        let auth = try await three(kind)
        let session = try await auth.logIn("root1").session.session
        #expect(try await renew(auth, "root1").closed == [session])
        #expect(await fault { () throws(Fault) in try await auth.logIn("root1") } == Fault(.wrongCredentials))
        try await auth.logIn("root1", .another)
        #expect(await fault { () throws(Fault) in try await renew(auth, "alice") } == Fault(.partyNotFound))
        #expect(await fault { () throws(Fault) in try await renew(auth, "nobody") } == Fault(.partyNotFound))
        let short = await fault { () throws(Fault) in try await renew(auth, "root1", "short") }
        #expect(short?.code == .passwordInvalid && short?.detail?.contains("8 to 128") == true)
        try await auth.logIn()
    }

    @Test("are removed with all that there is of them, the last one only on purpose", arguments: StoreKind.allCases)
    func removes(kind: StoreKind) async throws {
        let auth = try await three(kind)
        try await auth.setPIN(of: PartyID(high: 9, low: 1))
        let opened = try await auth.logIn("root1")
        #expect(try await remove(auth, "root1").closed == [opened.session.session])
        #expect(
            await fault { () throws(Fault) in try await auth.readSession(opened.token) } == Fault(.sessionNotFound))
        #expect(await fault { () throws(Fault) in try await auth.logIn("root1") } == Fault(.wrongCredentials))
        for nobody in ["root1", "alice", "nobody"] {
            #expect(await fault { () throws(Fault) in try await remove(auth, nobody) }?.code == .partyNotFound)
        }
        _ = try await remove(auth, "root2")
        #expect(await fault { () throws(Fault) in try await remove(auth, "root3") } == Fault(.lastAdministrator))
        #expect(try await list(auth).administrators.map(\.username) == ["root3"])
        _ = try await remove(auth, "root3", evenLast: true)
        #expect(try await list(auth).administrators.isEmpty)
        // The name is free again.
        try await auth.register(PartyID(high: 9, low: 7), .administrator, username: "root1")
        try await auth.logIn()
    }

    @Test("are nobody's to list, renew or remove over HTTP, not even their own")
    func operatorOnly() async throws {
        let auth = try await three()
        for role in Auth.Role.allCases {
            let actor = Actor(role: role, party: PartyID(high: 9, low: 1))
            #expect(await fault { () throws(Fault) in try await list(auth, as: actor) } == Fault(.forbidden))
            #expect(
                await fault { () throws(Fault) in try await renew(auth, "root2", as: actor) } == Fault(.forbidden))
            #expect(
                await fault { () throws(Fault) in try await remove(auth, "root2", as: actor) } == Fault(.forbidden))
        }
        #expect(try await list(auth).administrators.count == 3)
    }
}

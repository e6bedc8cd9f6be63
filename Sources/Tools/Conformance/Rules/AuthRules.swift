import Bus
import Contracts
import Primitives

/// Cases of the rules of auth.
enum AuthRules {
    static let all: [Case] = [profiles, decisions, pins, resets, addresses, administrators]

    private static func register(
        _ role: Auth.Role, _ trial: Trial, email: String? = nil, approved: Bool? = nil
    ) async throws -> Auth.RegisterAccount {
        let account: PartyID = trial.world.id()
        let ask = Auth.RegisterAccount(
            account: account, role: role, username: "check-\(account.hex)", password: World.password,
            name: "Conformance", profile: email.map { .init(email: $0) }, approved: approved)
        _ = try await trial.asker.ask(ask)
        return ask
    }

    private static func logIn(
        _ account: Auth.RegisterAccount, _ trial: Trial, password: String = World.password
    ) async throws -> Auth.SessionView {
        let opened = try await trial.asker.ask(Auth.OpenSession(username: account.username, password: password))
        try require(
            opened.session.account == account.account && opened.session.role == account.role,
            "a log-in opens a session of another account")
        return opened.session
    }

    private static let profiles: Case = Case(
        "auth/profiles", "a registration and a changed profile are told as they read, with all that they say", .changing
    ) { trial in
        let start = try await trial.head()
        let merchant = try await register(.merchant, trial, approved: true)
        let registered = try await trial.fact(Auth.AccountRegistered.self, after: start) {
            $0.account == merchant.account
        }
        try require(
            registered.role == .merchant && registered.name == "Conformance"
                && registered.username == merchant.username && registered.status == .approved,
            "the fact of a registration says otherwise than the account")
        let profile = Auth.Profile(
            firstName: "Con", lastName: "Formance", birthdate: CivilDate(year: 1990, month: 2, day: 28),
            gender: .female, student: true, businessName: "Corner", address: "Main Street 1",
            productTypes: ["coffee", "cake", "bread"])
        let updated = try await trial.asker.ask(
            Auth.UpdateProfile(account: merchant.account, name: "Corner", profile: profile))
        let changed = try await trial.fact(Auth.ProfileChanged.self, after: start) { $0.account == merchant.account }
        let read = try await trial.asker.ask(Auth.ReadProfile(account: merchant.account))
        try require(
            read == updated && read.profile == profile && read.name == "Corner" && read.role == .merchant
                && read.username == merchant.username && read.status == .approved,
            "a profile reads otherwise than it was set")
        try require(
            changed.role == .merchant && changed.username == merchant.username && changed.name == "Corner"
                && changed.productTypes == profile.productTypes && changed.birthdate == profile.birthdate
                && changed.gender == profile.gender && changed.student == profile.student,
            "the fact of a profile says otherwise than the profile")
        let part = try await trial.asker.ask(
            Auth.UpdateProfile(
                account: merchant.account, name: nil, profile: .init(firstName: "Another"), fields: [.firstName]))
        try require(
            part.profile.firstName == "Another" && part.profile.lastName == "Formance" && part.name == "Corner",
            "a change of one field changes others")
    }

    private static let decisions: Case = Case(
        "auth/decisions", "a merchant is what was decided last, and each decision is told once", .changing
    ) { trial in
        let start = try await trial.head()
        let merchant = try await register(.merchant, trial, approved: false)
        for (approved, reason) in [(true, nil), (false, "Conformance")] as [(Bool, String?)] {
            let status: Auth.MerchantStatus = approved ? .approved : .rejected
            let decide = Auth.DecideMerchant(merchant: merchant.account, approved: approved, reason: reason)
            for _ in 0..<2 {
                let view = try await trial.asker.ask(decide)
                try require(
                    view.merchant == merchant.account && view.status == status && view.reason == reason,
                    "a decided merchant is \(view.status.rawValue)")
            }
            let decided = try await trial.fact(Auth.MerchantDecided.self, after: start) {
                $0.merchant == merchant.account && $0.status == status
            }
            try require(decided.reason == reason, "the fact of a decision has another reason")
            let read = try await trial.asker.ask(Auth.ReadProfile(account: merchant.account))
            try require(read.status == status, "a decided merchant reads \(read.status?.rawValue ?? "nothing")")
        }
    }

    private static let pins: Case = Case(
        "auth/pins", "a PIN counts in the session that it was entered in, and no longer when it is another one",
        .changing
    ) { trial in
        let account = try await register(.customer, trial)
        let (first, second) = (try await logIn(account, trial), try await logIn(account, trial))
        let set = try await trial.asker.ask(
            Auth.SetPIN(account: account.account, password: World.password, pin: "4711", session: first.session))
        try require(set.set && set.changed ?? [] == [], "a first PIN ends one that was entered")
        func verify(_ pin: String) -> Auth.VerifyPIN {
            Auth.VerifyPIN(account: account.account, session: second.session, pin: pin)
        }
        let verified = try await trial.asker.ask(verify("4711"))
        try require(verified.verifiedUntil > trial.world.now, "a PIN that was entered counts no longer")
        let again = try await trial.asker.ask(
            Auth.SetPIN(
                account: account.account, password: World.password, pin: "0815", session: first.session,
                currentPin: "4711"))
        try require(
            again.changed == [second.session],
            "another PIN ends it in \(again.changed?.count ?? 0) sessions, not in one")
        try await trial.expect(verify("4711"), refusedWith: .pinWrong, when: "the PIN before")
        _ = try await trial.asker.ask(verify("0815"))
        let sessions = try await trial.asker.ask(Auth.ReadSessions(account: account.account)).sessions
        try require(
            Set(sessions.map(\.session)) == [first.session, second.session] && sessions.count == 2,
            "an account's sessions are not those opened")
    }

    // MARK: Letters. In a set with notifications they are gone as soon as they were mailed.

    /// The letter that an account is sent, and the code in it.
    private static func letter(
        to account: Auth.RegisterAccount, _ kind: Auth.LetterKind, after start: Int64, _ trial: Trial
    ) async throws -> (letter: LetterID, text: String, code: String?) {
        let queued = try await trial.fact(Auth.LetterQueued.self, after: start) {
            $0.account == account.account && $0.kind == kind
        }
        let read = try await trial.asker.ask(Auth.ReadLetter(letter: queued.letter))
        try require(
            read.to == account.profile?.email && read.expires == queued.expires,
            "a letter goes to another address, or ends at another time")
        // 28 characters of Crockford's base 32, however they are grouped.
        let words = read.text.split(whereSeparator: \.isWhitespace).map(String.init)
        let code = words.first { word in
            let characters = word.filter { $0.isLetter || $0.isNumber }
            return characters.count == 28 && characters.allSatisfy("0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains)
        }
        return (queued.letter, read.text, code)
    }

    private static let newPassword = "conformance-2"

    private static let resets: Case = Case(
        "auth/resets",
        "a mailed code sets a new password once, by whoever has it, in time; forgotten usernames go to their address",
        .controlling
    ) { trial in
        let world = trial.world
        let email = "\((world.id() as PartyID).hex)@billfold.invalid"
        let account = try await register(.customer, trial, email: email)
        let open = try await logIn(account, trial)
        var start = try await trial.head()
        _ = try await trial.asker.ask(Auth.RequestUsernames(email: email))
        let names = try await letter(to: account, .code, after: start, trial)
        try require(names.text.contains(account.username), "a letter with usernames lacks one")
        try require(
            try await trial.asker.ask(Auth.ConfirmLetter(letter: names.letter)).confirmed, "a letter is not confirmed")
        try await trial.expect(
            Auth.ReadLetter(letter: names.letter), refusedWith: .letterNotFound, when: "after it was confirmed")
        start = try await trial.head()
        _ = try await trial.asker.ask(Auth.RequestReset(username: account.username, email: email))
        let mailed = try await letter(to: account, .code, after: start, trial)
        guard let code = mailed.code else { throw Wrong("a letter for a new password has no code of 28 characters") }
        let use = Auth.UseReset(username: account.username, code: code, newPassword: newPassword)
        try await refuse(use, trial)
        let used = try await trial.asker.ask(use)
        try require(
            used.account == account.account && used.closed == [open.session],
            "a code for a new password was another account's, or leaves its sessions open")
        let told = try await trial.fact(Auth.CredentialChanged.self, after: start) { $0.account == account.account }
        try require(told.credential == .resetPassword, "a reset password is told as \(told.credential.rawValue)")
        try await trial.expect(use, refusedWith: .resetInvalid, when: "with a code that was used")
        try await expectLogIn(account, by: newPassword, not: World.password, trial)
    }

    private static let addresses: Case = Case(
        "auth/addresses", "another address needs the password, and the old one gets a code that puts it back, once",
        .controlling
    ) { trial in
        let world = trial.world
        let email = "\((world.id() as PartyID).hex)@billfold.invalid"
        let account = try await register(.customer, trial, email: email)
        let start = try await trial.head()
        func change(_ password: String?) -> Auth.UpdateProfile {
            Auth.UpdateProfile(
                account: account.account, name: nil, profile: .init(email: "other-\(email)"), fields: [.email],
                password: password)
        }
        try await trial.expect(change(nil), refusedWith: .passwordRequired, when: "without the password")
        try await trial.expect(
            change("not the password"), refusedWith: .wrongCredentials, when: "with another password")
        _ = try await trial.asker.ask(change(World.password))
        func address() async throws -> String? {
            let read = try await trial.asker.ask(Auth.ReadProfile(account: account.account))
            return read.profile.email
        }
        try require(try await address() == "other-\(email)", "another address is not kept")
        let mailed = try await letter(to: account, .change, after: start, trial)
        guard let code = mailed.code else { throw Wrong("a letter about another address has no code of 28 characters") }
        let restore = Auth.RestoreAddress(username: account.username, code: code, newPassword: newPassword)
        try await refuse(restore, trial)
        try require(try await address() == "other-\(email)", "an address is put back although the ask was refused")
        let restored = try await trial.asker.ask(restore)
        try require(restored.account == account.account, "another account's address is put back")
        try require(try await address() == email, "the old address is not put back")
        try await trial.expect(restore, refusedWith: .resetInvalid, when: "with a code that was used")
        try await expectLogIn(account, by: newPassword, not: World.password, trial)
    }

    /// Asks with what has to be refused without using up the code.
    private static func refuse<A: Ask>(_ ask: A, _ trial: Trial) async throws {
        let late = try await trial.asker.answer(ask, .init(expires: trial.asker.now + .seconds(-1)))
        guard case .fault(let fault) = late, fault.code == .deadlineExceeded else {
            throw Wrong("\(A.type) is not refused with bus.deadline_exceeded")
        }
        for variant in Malformed.variants(of: ask) {
            let answer = try await trial.asker.answer(
                A.type, data: variant.data, faults: A.faults, .init(mayBeUnreadable: true))
            guard case .fault(let fault) = answer, fault.code == .malformed else {
                throw Wrong("data \(variant.what) is answered with \(answer.words), not with bus.malformed")
            }
        }
    }

    private static func expectLogIn(
        _ account: Auth.RegisterAccount, by password: String, not other: String, _ trial: Trial
    ) async throws {
        try await trial.expect(
            Auth.OpenSession(username: account.username, password: other), refusedWith: .wrongCredentials,
            when: "with the password before")
        _ = try await logIn(account, trial, password: password)
    }

    /// With a password that nobody knows, and gone at the end.
    private static let administrators: Case = Case(
        "auth/administrators", "an administrator is listed, gets another password, and is gone when it is removed",
        .controlling
    ) { trial in
        let account: PartyID = trial.world.id()
        let ask = Auth.RegisterAccount(
            account: account, role: .administrator, username: "check-\(account.hex)",
            password: (trial.world.id() as PartyID).hex, name: "Conformance")
        _ = try await trial.asker.ask(ask)
        func listed() async throws -> Bool {
            let reply = try await trial.asker.ask(Auth.ReadAdministrators(after: nil, limit: 100))
            return reply.administrators.contains { $0.account == account && $0.username == ask.username }
        }
        try require(try await listed(), "an administrator is not listed")
        let open = try await logIn(ask, trial, password: ask.password)
        let password = (trial.world.id() as PartyID).hex
        let renewed = try await trial.asker.ask(
            Auth.RenewAdministrator(username: ask.username, newPassword: password))
        try require(
            renewed.account == account && renewed.closed == [open.session],
            "another administrator's password is new, or its sessions stay open")
        try await expectLogIn(ask, by: password, not: ask.password, trial)
        let remove = Auth.RemoveAdministrator(username: ask.username, evenLast: true)
        try await refuse(remove, trial)
        try require(try await listed(), "an administrator is removed although the ask was refused")
        try require(try await trial.asker.ask(remove).account == account, "another administrator is removed")
        try require(try await !listed(), "an administrator is listed after it was removed")
        try await trial.expect(
            Auth.OpenSession(username: ask.username, password: password), refusedWith: .wrongCredentials,
            when: "removed")
    }
}

import Contracts
import Primitives
import Sodium

extension Auth: Specified {
    package static var specification: Specification { .auth }
}

extension Specification {
    static let auth = Specification(
        service: Auth.service, needs: [],
        examples: authAccounts + authAdministrators + authLetters + authSessions + authReading,
        log: FactsSpecification(Auth.self) { trial in _ = try await trial.asker.ask(trial.world.registration(.customer))
        },
        load: Specification.registration.load, others: AuthRules.all)

    /// Passwords and PINs take their time: behind these log-ins an ask that was refused, and is done all the same, is
    /// done.
    private static func settle(_ world: World) async throws {
        for _ in 0..<3 {
            _ = try await world.outcome(
                Auth.OpenSession(username: username(of: world.id()), password: World.password))
        }
    }

    private static func username(of account: PartyID) -> String { "check-\(account.hex)" }

    private static let registration = Example(
        nobody: Auth.RegisterAccount(
            account: nobody(), role: .customer, username: "check-nobody", password: World.password, name: nil),
        make: { world in world.registration(.customer) },
        other: {
            Auth.RegisterAccount(
                account: $0.account, role: $0.role, username: $0.username, password: $0.password, name: "Another")
        },
        reused: .registrationReused,
        shows: { ask, world in [try await world.reading(Auth.ReadAccount(account: ask.account))] },
        leadsTo: [Auth.AccountRegistered.type],
        expect: { ask, reply, world in
            try require(
                reply.account
                    == Auth.AccountView(
                        account: ask.account, role: ask.role, username: ask.username, name: "Conformance"),
                "another account was made")
            let read = try await world.ask(Auth.ReadAccount(username: ask.username))
            try require(read.account == ask.account, "the account is not found by its username")
        })

    private static let authAccounts: [any AskExample] = [
        registration,
        Example(
            nobody: Auth.ReadAccount(account: nobody()), nobodyFinds: .refused(.partyNotFound),
            make: { world in Auth.ReadAccount(account: try await world.customer()) },
            expect: { ask, account, _ in try require(account.account == ask.account, "another account was read") }),
        Example(
            nobody: Auth.ReadProfile(account: nobody()), nobodyFinds: .refused(.partyNotFound),
            make: { world in Auth.ReadProfile(account: try await world.customer()) },
            expect: { ask, account, _ in try require(account.account == ask.account, "another profile was read") }),
        Example(
            nobody: Auth.UpdateProfile(account: nobody(), name: nil, profile: .init()),
            nobodyFinds: .refused(.partyNotFound),
            make: { world in
                Auth.UpdateProfile(
                    account: try await world.customer(), name: nil,
                    profile: .init(firstName: "Con", lastName: "Formance-\((world.id() as PartyID).hex.prefix(6))"))
            },
            shows: { ask, world in [try await world.reading(Auth.ReadProfile(account: ask.account))] },
            expect: { ask, _, world in
                let read = try await world.ask(Auth.ReadProfile(account: ask.account))
                try require(read.profile == ask.profile, "the profile was not kept")
            }),
        Example(
            nobody: Auth.DecideMerchant(merchant: nobody(), approved: true, reason: nil),
            nobodyFinds: .refused(.partyNotFound),
            make: { world in
                let pending = world.registration(.merchant, isApproved: false)
                _ = try await world.ask(pending)
                return Auth.DecideMerchant(merchant: pending.account, approved: true, reason: nil)
            },
            shows: { ask, world in [try await world.reading(Auth.ReadProfile(account: ask.merchant))] },
            leadsTo: [Auth.MerchantDecided.type],
            expect: { _, merchant, _ in try require(merchant.status == .approved, "the merchant is \(merchant.status)")
            }),
        Example(
            nobody: Auth.ReadMerchants(status: nil, after: nil, limit: 1), nobodyFinds: .replied,
            make: { world in
                _ = try await world.merchant()
                return Auth.ReadMerchants(status: .approved, after: nil, limit: 100)
            },
            expect: { _, reply, _ in
                try require(!reply.merchants.isEmpty, "there are no merchants")
                try require(reply.merchants.allSatisfy { $0.status == .approved }, "others than the approved are shown")
            }),
        Example(
            nobody: Auth.ChangePassword(
                account: nobody(), session: nil, password: World.password, newPassword: "conformance-2"),
            make: { world in
                Auth.ChangePassword(
                    account: try await world.newAccount(.customer), session: nil, password: World.password,
                    newPassword: "conformance-2")
            },
            shows: { ask, world in
                try await settle(world)
                return [
                    try await world.outcome(
                        Auth.OpenSession(username: username(of: ask.account), password: ask.password))
                ]
            },
            hasLooseFacts: true),
        Example(
            nobody: Auth.RequestReset(username: "check-nobody", email: "nobody@billfold.invalid"),
            make: { world in
                Auth.RequestReset(username: "check-\(world.id() as PartyID)", email: "nobody@billfold.invalid")
            },
            isHarmless: false, isRationed: true),
        Example(
            nobody: Auth.RequestUsernames(email: "nobody@billfold.invalid"),
            make: { world in Auth.RequestUsernames(email: "\(world.id() as PartyID)@billfold.invalid") },
            isHarmless: false, isRationed: true),
        // A right code takes a letter.
        Example(
            nobody: Auth.UseReset(
                username: "check-nobody", code: String(repeating: "0", count: 28), newPassword: World.password),
            nobodyFinds: .refused(.resetInvalid)),
        Example(
            nobody: Auth.RestoreAddress(
                username: "check-nobody", code: String(repeating: "0", count: 28), newPassword: World.password),
            nobodyFinds: .refused(.resetInvalid))
    ]

    /// The kit makes no administrators: anyone who knows its password could log in to the set.
    private static let authAdministrators: [any AskExample] = [
        Example(
            nobody: Auth.ReadAdministrators(after: nil, limit: 1), nobodyFinds: .replied,
            make: { _ in Auth.ReadAdministrators(after: nil, limit: 100) }),
        Example(
            nobody: Auth.RenewAdministrator(username: "check-nobody", newPassword: World.password),
            nobodyFinds: .refused(.partyNotFound)),
        Example(
            nobody: Auth.RemoveAdministrator(username: "check-nobody"), nobodyFinds: .refused(.partyNotFound))
    ]

    /// The kit has no mailbox: it knows no letter that waits.
    private static let authLetters: [any AskExample] = [
        Example(
            nobody: Auth.ReadLetter(letter: nobody()), nobodyFinds: .refused(.letterNotFound)),
        Example(nobody: Auth.ConfirmLetter(letter: nobody()), nobodyFinds: .replied)
    ]

    private static func session(_ world: World) async throws -> Auth.OpenSession.Reply {
        let customer = try await world.customer()
        return try await world.ask(Auth.OpenSession(username: username(of: customer), password: World.password))
    }

    private static let authSessions: [any AskExample] = [
        Example(
            nobody: Auth.OpenSession(username: "check-nobody", password: "not the password"),
            nobodyFinds: .refused(.wrongCredentials),
            make: { world in
                Auth.OpenSession(
                    username: username(of: try await world.newAccount(.customer)), password: World.password)
            },
            shows: { ask, world in
                try await settle(world)
                let account = try await world.ask(Auth.ReadAccount(username: ask.username)).account
                return [try await world.reading(Auth.ReadSessions(account: account))]
            },
            expect: { _, opened, world in
                try require(opened.token.utf8.count >= 32, "a token of \(opened.token.utf8.count) bytes can be guessed")
                let read = try await world.ask(Auth.ReadSession(tokenDigest: digest(opened.token)))
                try require(read == opened.session, "the session's token does not lead to it")
            }),
        Example(
            nobody: Auth.ReadSession(tokenDigest: String(repeating: "0", count: 64)),
            nobodyFinds: .refused(.sessionNotFound),
            make: { world in Auth.ReadSession(tokenDigest: digest(try await session(world).token)) },
            expect: { _, session, world in
                let customer = try await world.customer()
                try require(session.account == customer, "the session is another account's")
            }),
        Example(
            nobody: Auth.ReadSessions(account: nobody()), nobodyFinds: .replied,
            make: { world in Auth.ReadSessions(account: try await session(world).session.account) },
            expect: { ask, list, world in
                let opened = try await session(world).session
                let after = try await world.ask(ask)
                try require(
                    after.sessions.contains { $0.session == opened.session }
                        && list.sessions.allSatisfy(after.sessions.contains),
                    "an open session is not in the list")
            }),
        Example(
            nobody: Auth.CloseSession(session: nobody(), account: nobody()), nobodyFinds: .replied,
            make: { world in
                let opened = try await session(world).session
                return Auth.CloseSession(session: opened.session, account: opened.account)
            },
            expect: { _, reply, _ in try require(reply.closed, "an open session was not closed") }),
        Example(
            nobody: Auth.SetPIN(account: nobody(), password: World.password, pin: World.pin),
            make: { world in
                Auth.SetPIN(account: try await world.newAccount(.customer), password: World.password, pin: World.pin)
            },
            shows: { ask, world in
                try await settle(world)
                let opened = try await world.ask(
                    Auth.OpenSession(username: username(of: ask.account), password: ask.password)
                ).session
                return [
                    try await world.outcome(
                        Auth.VerifyPIN(account: ask.account, session: opened.session, pin: ask.pin))
                ]
            },
            // Each proves who asks: of many at once some count as tries of the PIN that the first one has set.
            hasLooseFacts: true, isRationed: true,
            expect: { _, reply, _ in try require(reply.set, "the PIN was not set") }),
        Example(
            nobody: Auth.VerifyPIN(account: nobody(), session: nobody(), pin: World.pin),
            make: { world in
                let account = try await world.newAccount(.customer)
                let opened = try await world.ask(
                    Auth.OpenSession(username: username(of: account), password: World.password)
                ).session
                _ = try await world.ask(
                    Auth.SetPIN(account: opened.account, password: World.password, pin: World.pin))
                return Auth.VerifyPIN(account: opened.account, session: opened.session, pin: World.pin)
            },
            expect: { _, reply, world in try require(reply.verifiedUntil > world.now, "the PIN counts no longer") })
    ]

    private static let authReading: [any AskExample] = [
        Example(table: .customers, of: Auth.self), Example(facts: Auth.self), Example(stats: Auth.self),
        Example(spans: Auth.self),
        Example(backup: Auth.self),
        Example(follow: Auth.self), Example(state: Auth.self), Example(seal: Auth.self)
    ]

    private static func digest(_ token: String) -> String {
        let digits = Array("0123456789abcdef")
        return String(Digest.sha256(Array(token.utf8)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}

import AuthService
import Bus
import Contracts
import GRDB
import Primitives
import TestKit
import Testing

@Suite("Approving merchants (A36, 001-56)")
struct MerchantApprovalTests {
    private static let root = Actor(role: .administrator, party: PartyID(high: 9, low: 9))

    private func decide(
        _ auth: AuthHarness, _ merchant: PartyID = .bob, approved: Bool, reason: String? = nil, as actor: Actor? = root
    ) async throws(Fault) -> Auth.MerchantView {
        try await DecideMerchantHandler(auth.service).admit(
            .init(merchant: merchant, approved: approved, reason: reason), in: auth.context(actor: actor))
    }

    private func list(
        _ auth: AuthHarness, _ status: Auth.MerchantStatus? = nil, after: PartyID? = nil, limit: Int = 20,
        as actor: Actor? = root
    ) async throws(Fault) -> Auth.ReadMerchants.Reply {
        try await ReadMerchantsHandler(auth.service).admit(
            .init(status: status, after: after, limit: limit), in: auth.context(actor: actor))
    }

    private func status(_ auth: AuthHarness, _ account: PartyID = .bob) async throws -> Auth.MerchantStatus? {
        try await ReadAccountHandler(auth.service).admit(.init(account: account), in: auth.context()).status
    }

    @Test(
        "a new one waits, and can log in meanwhile; customers have nothing to wait for", arguments: StoreKind.allCases)
    func waits(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        #expect(try await auth.register(.bob, .merchant, username: "bob").account.status == .pending)
        #expect(try await auth.register().account.status == nil)
        #expect(try await status(auth) == .pending)
        #expect(try await auth.logIn("bob").session.role == .merchant)
        #expect(
            try await auth.register(.bob, .merchant, username: "bob")
                == .init(
                    account: .init(account: .bob, role: .merchant, username: "bob", name: "bob", status: .pending),
                    replayed: true))
    }

    @Test("where the operator says so, all are approved at once")
    func automatic() async throws {
        var rules = AccountRules()
        rules.approvesMerchants = true
        let auth = try AuthHarness(rules: rules)
        #expect(try await auth.register(.bob, .merchant, username: "bob").account.status == .approved)
        #expect(
            try await auth.register(.alice, .merchant, approved: false).account.status == .pending)
    }

    @Test("a service may register an approved one; nobody else, and only merchants")
    func services() async throws {
        let auth = try AuthHarness()
        for role in Auth.Role.allCases {
            let actor = Actor(role: role, party: .bob)
            for approved in [true, false] {
                #expect(
                    await fault { () throws(Fault) in
                        try await auth.register(.bob, .merchant, username: "bob", approved: approved, actor: actor)
                    } == Fault(.forbidden))
            }
        }
        #expect(await fault { () throws(Fault) in try await auth.register(approved: true) }?.code == .malformed)
        #expect(
            try await auth.register(.bob, .merchant, username: "bob", approved: true).account.status == .approved)
        #expect(
            await fault { () throws(Fault) in try await auth.register(.bob, .merchant, username: "bob") }
                == Fault(.registrationReused))
    }

    @Test("each decision is told once; the last one counts", arguments: StoreKind.allCases)
    func decides(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register(.bob, .merchant, username: "bob", profile: .full)
        let registered = auth.clock.now
        auth.clock.advance(.seconds(60))
        for _ in 0..<2 {
            #expect(
                try await decide(auth, approved: true)
                    == .init(
                        merchant: .bob, username: "bob", name: "Engines, Inc.", status: .approved, profile: .full,
                        registered: registered, decided: auth.clock.now, reason: nil))
        }
        #expect(try await status(auth) == .approved)
        auth.clock.advance(.seconds(60))
        let rejected = try await decide(auth, approved: false, reason: "No such engines.")
        #expect((rejected.status, rejected.reason, rejected.decided) == (.rejected, "No such engines.", auth.clock.now))
        #expect(try await status(auth) == .rejected)
        #expect(try await auth.store.profile(of: .bob)?.reason == "No such engines.")
        let facts = try await auth.facts().dropFirst()
        #expect(
            try facts.map { try Auth.MerchantDecided(json: $0.data) } == [
                .init(merchant: .bob, status: .approved, reason: nil, time: registered + .seconds(60)),
                .init(merchant: .bob, status: .rejected, reason: "No such engines.", time: auth.clock.now)
            ])
        #expect(facts.allSatisfy { $0.type == "auth.merchant.decided.v1" })
        #expect(try await decide(auth, approved: true).status == .approved)
    }

    @Test("administrators and services decide and list; merchants themselves do not")
    func permissions() async throws {
        let auth = try AuthHarness()
        try await auth.register(.bob, .merchant, username: "bob")
        for actor in [Actor(role: .merchant, party: .bob), Actor(role: .customer, party: .alice)] {
            #expect(
                await fault { () throws(Fault) in try await decide(auth, approved: true, as: actor) }
                    == Fault(.forbidden))
            #expect(await fault { () throws(Fault) in try await list(auth, as: actor) } == Fault(.forbidden))
        }
        #expect(try await status(auth) == .pending)
        #expect(try await list(auth, as: nil).merchants.count == 1)
        #expect(try await decide(auth, approved: true, as: nil).status == .approved)
    }

    @Test("only merchants are decided on, and reasons can be shown")
    func refused() async throws {
        let auth = try AuthHarness()
        try await auth.register()
        for nobody in [PartyID.alice, .bob] {
            #expect(
                await fault { () throws(Fault) in try await decide(auth, nobody, approved: true) }
                    == Fault(.partyNotFound))
        }
        for reason in ["", "a\u{7}", String(repeating: "x", count: 251)] {
            #expect(
                await fault { () throws(Fault) in try await decide(auth, approved: false, reason: reason) }?.code
                    == .reasonInvalid)
        }
        #expect(try await auth.factTypes() == ["auth.account.registered.v1"])
    }

    @Test("are listed by status in pages, each once", arguments: StoreKind.allCases)
    func lists(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        for number in 1...7 as ClosedRange<UInt64> {
            try await auth.register(PartyID(high: 3, low: number), .merchant, username: "shop\(number)")
        }
        try await auth.register()
        for number in [2, 5] as [UInt64] { _ = try await decide(auth, PartyID(high: 3, low: number), approved: true) }
        func pages(_ status: Auth.MerchantStatus?) async throws -> [[String]] {
            var pages: [[String]] = []
            var next: PartyID?
            repeat {
                let page = try await list(auth, status, after: next, limit: 2)
                pages.append(page.merchants.map(\.username))
                next = page.next
            } while next != nil
            return pages
        }
        #expect(try await pages(.approved) == [["shop2", "shop5"]])
        #expect(try await pages(.pending) == [["shop1", "shop3"], ["shop4", "shop6"], ["shop7"]])
        #expect(try await pages(.rejected) == [[]])
        #expect(try await pages(nil).flatMap(\.self) == (1...7).map { "shop\($0)" })
        for limit in [0, 101] {
            #expect(await fault { () throws(Fault) in try await list(auth, limit: limit) }?.code == .malformed)
        }
    }

    @Test("a page fits into an envelope")
    func fits() async throws {
        let auth = try AuthHarness()
        let large = Auth.Profile(
            address: String(repeating: "\"", count: 250),
            productTypes: (10...29).map { "\($0)" + String(repeating: "\"", count: 38) })
        for number in 1...60 as ClosedRange<UInt64> {
            try await auth.register(PartyID(high: 3, low: number), .merchant, username: "shop\(number)", profile: large)
        }
        var (next, seen): (PartyID?, Int) = (nil, 0)
        repeat {
            let page = try await list(auth, after: next, limit: 100)
            #expect(page.json.count < Envelope.bytesMax - 1024)
            #expect(!page.merchants.isEmpty)
            (next, seen) = (page.next, seen + page.merchants.count)
        } while next != nil
        #expect(seen == 60)
    }

    @Test("those of an older file go on as approved")
    func migrates() async throws {
        let directory = try TemporaryDirectory()
        do {
            let auth = try AuthHarness(.file, in: directory)
            try await auth.register(.bob, .merchant, username: "bob")
            try await auth.register()
            try await auth.close()
        }
        // As the first version left it.
        try await DatabaseQueue(path: directory.path + "/auth.db").write { database in
            try database.execute(sql: undoVersion6)
            for view in ["Customers", "Merchants"] { try database.execute(sql: "DROP VIEW \(view)") }
            try database.execute(sql: "DROP INDEX administrators")
            for table in ["product_types", "profiles", "approvals", "resets", "restorations", "letters", "holds"] {
                try database.execute(sql: "DROP TABLE \(table)")
            }
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier NOT LIKE '1:%'")
        }
        let auth = try AuthHarness(.file, in: directory)
        #expect(try await status(auth) == .approved)
        #expect(try await status(auth, .alice) == nil)
        #expect(try await auth.register(.bob, .merchant, username: "bob").replayed)
        #expect(try await list(auth, .approved).merchants.map(\.merchant) == [.bob])
    }
}

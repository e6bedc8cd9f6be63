import Contracts
import Primitives
import Schemas
import Wire

/// An account as an administrator looks it up.
package struct AccountSheet: WireMessage, Equatable {
    package let account: PartyID
    package let role: Auth.Role
    package let username: String
    package let name: String
    package let profile: Auth.Profile
    /// A merchant's: only an approved one may charge.
    package let status: Auth.MerchantStatus?
    /// A merchant's. Absent while the wallet does not answer, and before the merchant's first payment.
    package let balance: Money?

    fileprivate init(_ view: Auth.ProfileView, _ balance: Money?) {
        account = view.account
        role = view.role
        username = view.username
        name = view.name
        profile = view.profile
        status = view.status
        self.balance = balance
    }
}

/// Where a check of the ledger goes on.
package struct NewLedgerCheck: RequestBody, Equatable {
    package let after: Int64?

    static let notes: [String: SchemaNote] = [
        "after": SchemaNote("The `next` of the stretch before; the first stretch where none is given.")
    ]
}

extension RouteTable {
    /// What an administrator looks up: accounts, charges, the books.
    static let desk = [
        Route(
            .get, "/v1/accounts", "findAccount", "The account with a username", for: .administrator,
            query: [.username], asks: [Auth.ReadAccount.self, Auth.ReadProfile.self, Wallet.ReadAccount.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<AccountSheet> in
            let account = try await call.ask(Auth.ReadAccount(username: try call.query.username()))
            let profile = try await call.ask(Auth.ReadProfile(account: account.account))
            var balance: Money?
            if account.role == .merchant {
                // The sheet is of use without it.
                balance = await call.askForExtra(Wallet.ReadAccount(merchant: account.account))?.balance
            }
            return Given(AccountSheet(profile, balance))
        },
        Route(
            .get, "/v1/accounts/{account}/charges", "readAccountCharges",
            "Charges of a customer or of a merchant, newest first", for: .administrator,
            query: [.state, .since] + QueryParameter.page, asks: [Payments.ReadCharges.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Payments.ReadCharges.Reply> in
            Given(
                try await call.ask(
                    Payments.ReadCharges(
                        party: call.id(), state: try call.query.state(), before: try call.query.before(),
                        limit: try call.query.limit(), since: try call.query.since())))
        },
        Route(
            .get, "/v1/charges/{charge}/trace", "traceCharge",
            "A charge with all that happened to it: requests, asks and facts, up to the ledger's entry",
            for: .administrator, asks: [Payments.ReadCharge.self] + TraceReader.asks
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<ChargeTrace> in
            Given(try await TraceReader(call: call).trace(of: call.id()))
        },
        Route(
            .get, "/v1/books", "readBooks",
            "The ledger: sums by kind of account, which add up to zero, the head of its chain, the newest check",
            for: .administrator, asks: [Wallet.ReadLedger.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Wallet.ReadLedger.Reply> in
            Given(try await call.ask(Wallet.ReadLedger()))
        },
        Route(
            .post, "/v1/books/checks", "checkBooks",
            "Checks a stretch of the ledger. Go on behind `next` until there is none", for: .administrator,
            bodyIsOptional: true, asks: [Wallet.VerifyLedger.self]
        ) { (call: Call, body: NewLedgerCheck) async throws(Fault) -> Given<Wallet.VerifyLedger.Reply> in
            Given(
                try await call.ask(Wallet.VerifyLedger(after: body.after ?? 0, limit: checkedAtOnce, anchor: nil)))
        }
    ]

    /// Rows of one stretch: payments wait while the wallet checks it.
    private static let checkedAtOnce = 2_000
}

import Contracts
import Primitives
import Wire

/// What moved, as the account's owner sees it.
package struct Activity: Codable, Sendable, Equatable {
    package let entry: Int64
    package let kind: Wallet.EntryKind
    /// The charge of a payment; of a refund, a reload and a transfer its own.
    package let operation: OperationID
    /// Positive when the money came in, negative when it went out.
    package let amount: Money
    /// The card's or the account's balance after it.
    package let balance: Money
    package let time: Timestamp
    package let memo: String
    package let card: CardID?
    /// Who is on the other side; absent of a reload.
    package let counterparty: PartyID?
    package let counterpartyRole: Wallet.HolderRole?
    /// Absent while it cannot be found out.
    package let counterpartyName: String?
    package let counterpartyUsername: String?

    init(_ entry: Wallet.EntryView, _ other: Auth.AccountView?) {
        self.entry = entry.entry
        kind = entry.kind
        operation = entry.operation
        amount = entry.amount
        balance = entry.balance
        time = entry.time
        memo = entry.memo
        card = entry.card
        counterparty = entry.counterparty
        counterpartyRole = entry.counterpartyRole
        counterpartyName = other?.name
        counterpartyUsername = other?.username
    }
}

package struct Activities: WireMessage, Equatable {
    package let activities: [Activity]
    /// The charges of the payments among them, in the same order.
    package let charges: [Payments.ChargeView]
    /// Ask for older ones with this as `before`; absent when there are none.
    package let next: Int64?
}

extension RouteTable {
    static let activities = [
        activity("/v1/activities", "readActivities"),
        // As document 001 prints it.
        activity("/v1/recentActivites", "readRecentActivites")
    ]

    private static func activity(_ path: RoutePath, _ name: String) -> Route {
        Route(
            .get, path, name,
            "Payments, refunds, reloads and transfers of the last seven days, newest first, at most ten; older ones "
                + "behind `next`",
            for: .holders, query: [.before],
            asks: [Wallet.ReadMovements.self, Auth.ReadAccount.self, Payments.ReadCharge.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Activities> in
            let before = try call.query.before()
            guard let role = Wallet.HolderRole(rawValue: call.login.view.role.rawValue) else { throw Fault(.forbidden) }
            let page = try await call.ask(
                Wallet.ReadMovements(
                    holder: Wallet.Holder(party: call.account, role: role), before: before.map { max(1, $0) },
                    // The week limits the first page only.
                    since: before == nil ? call.now - .seconds(7 * 86_400) : nil, limit: 10))
            async let others = others(page.entries.compactMap(\.counterparty), call)
            async let charges = charges(page.entries, call)
            let names = await others
            return Given(
                Activities(
                    activities: page.entries.map { entry in
                        Activity(entry, entry.counterparty.flatMap { names[$0] })
                    }, charges: await charges, next: page.next))
        }
    }

    /// A payment whose charge cannot be read now is among the activities all the same.
    private static func charges(_ entries: [Wallet.EntryView], _ call: Call) async -> [Payments.ChargeView] {
        let paid: [ChargeID] = entries.filter { $0.kind == .payment }.map { $0.operation.reinterpreted() }
        let found = await withTaskGroup(of: Payments.ChargeView?.self) { group in
            for charge in paid {
                group.addTask { await call.askForExtra(Payments.ReadCharge(charge: charge, party: call.account)) }
            }
            return await group.reduce(into: [ChargeID: Payments.ChargeView]()) { found, view in
                if let view { found[view.charge] = view }
            }
        }
        return paid.compactMap { found[$0] }
    }

    /// Names only adorn the list: it is there without them.
    private static func others(_ parties: [PartyID], _ call: Call) async -> [PartyID: Auth.AccountView] {
        await withTaskGroup(of: Auth.AccountView?.self) { group in
            for party in Set(parties) {
                group.addTask { await call.askForExtra(Auth.ReadAccount(account: party)) }
            }
            return await group.reduce(into: [:]) { found, account in
                if let account { found[account.account] = account }
            }
        }
    }
}

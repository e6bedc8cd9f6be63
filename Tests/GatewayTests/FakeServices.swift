import Bus
import Contracts
import Primitives
import Synchronization
import TestKit

/// An ask of a service whose answer needs no state.
protocol FakeAnswered: Ask {
    var fakeReply: Reply { get }
}

/// A read of a service's facts, whichever service that is.
protocol FakeLogRead: Ask {
    var after: Int64 { get }
    var limit: Int { get }
}

extension ReadFacts: FakeLogRead {}

/// A read of what a process remembers, whichever it is.
protocol FakeSpansRead: Ask {
    var id: MessageID? { get }
    func fakeReply(_ spans: [Span]) -> any Sendable
}

extension ReadSpans: FakeSpansRead {
    func fakeReply(_ spans: [Span]) -> any Sendable { Reply(spans: spans) }
}

/// All services in a few lines: enough to answer every ask that a route may make, and to remember it.
final class FakeServices: Asking {
    struct Asked: Sendable {
        let type: MessageType
        let ask: any Ask
        let context: AskContext
    }

    private struct State {
        var asked: [Asked] = []
        /// Payments by their charge's id.
        var paid: [ChargeID: Payments.CreatePayment] = [:]
        var sessions: [String: Auth.SessionView] = [:]
        var refusals: [MessageType: Fault] = [:]
        var gates: [MessageType: Gate] = [:]
        /// The one place that there is.
        var place = FakeLocation.place
        var isBobNear = true
        /// Pay codes issued.
        var codes = 0
        var takenNames: Set<String> = []
        /// What each service has published, and what it remembers.
        var facts: [String: [Envelope]] = [:]
        var spans: [String: [Span]] = [:]
        var charges: @Sendable (Payments.ReadCharges) -> Payments.ReadCharges.Reply = { _ in
            Payments.ReadCharges.Reply(charges: [FakeServices.charge(ChargeID(high: 1, low: 1), .captured)], next: nil)
        }
    }

    private let state = Mutex(State())

    var asked: [Asked] { state.withLock(\.asked) }
    func asked<A: Ask>(_ type: A.Type) -> [A] { asked.compactMap { $0.ask as? A } }
    func forget() { state.withLock { $0.asked = [] } }

    func put(_ session: Auth.SessionView, digest: String) { state.withLock { $0.sessions[digest] = session } }
    func publish(_ facts: [Envelope], by service: String) { state.withLock { $0.facts[service] = facts } }
    func remember(_ spans: [Span], by service: String) { state.withLock { $0.spans[service] = spans } }
    func remove(digest: String) { state.withLock { $0.sessions[digest] = nil } }
    /// Gives the one place another id.
    func put(_ place: PlaceID) { state.withLock { $0.place = place } }
    func come() { state.withLock { $0.isBobNear = true } }
    func leave() { state.withLock { $0.isBobNear = false } }
    /// Makes every ask of a type be refused.
    func refuse(_ type: MessageType, _ fault: Fault?) { state.withLock { $0.refusals[type] = fault } }
    /// Makes the lists of charges.
    func list(_ charges: @escaping @Sendable (Payments.ReadCharges) -> Payments.ReadCharges.Reply) {
        state.withLock { $0.charges = charges }
    }
    /// Lets a stranger have a username.
    func take(_ username: String) { state.withLock { _ = $0.takenNames.insert(username) } }
    /// Makes every ask of a type wait.
    func hold(_ type: MessageType, _ gate: Gate?) { state.withLock { $0.gates[type] = gate } }

    func ask<A: Ask>(_ ask: A, in context: AskContext) async throws(Fault) -> A.Reply {
        let (refusal, gate) = state.withLock { state in
            state.asked.append(Asked(type: A.type, ask: ask, context: context))
            return (state.refusals[A.type], state.gates[A.type])
        }
        if let gate { await gate.pass() }
        if let refusal { throw refusal }
        guard let reply = try answer(ask) as? A.Reply else { throw Fault(.unknownType) }
        return reply
    }

    // MARK: Answers

    /// A transfer from before, under the id that examples have.
    private static let earlier = Wallet.PostTransfer(
        operation: PartyID.sample(.customer).reinterpreted(),
        from: Wallet.Holder(party: .sample(.customer), role: .customer),
        to: Wallet.Holder(party: bob.account, role: .customer), amount: Money(150), memo: "Lunch")

    private static func posted(_ ask: Wallet.PostTransfer) -> Wallet.TransferPosted {
        Wallet.TransferPosted(
            operation: ask.operation, from: ask.from, to: ask.to, amount: ask.amount, memo: ask.memo,
            balance: Money(10), entry: 3, time: time)
    }

    static let time = Timestamp(milliseconds: 1_795_230_600_000)
    static let card = CardID(high: 0xCA, low: 0xD0)
    static let bob = Auth.AccountView(
        account: PartyID(high: 0xB0, low: 0xB), role: .customer, username: "bob", name: "Bob")
    /// Another username of Bob's, which is written like an id that nobody has.
    static let hexUsername = String(repeating: "0123456789abcdef", count: 2)

    private func answer(_ ask: any Ask) throws(Fault) -> any Sendable {
        switch ask {
        case let ask as Auth.RegisterAccount:
            guard !state.withLock({ $0.takenNames.contains(ask.username) }) else { throw Fault(.usernameTaken) }
            let account = Auth.AccountView(
                account: ask.account, role: ask.role, username: ask.username, name: ask.name ?? ask.username)
            return Auth.RegisterAccount.Reply(account: account, replayed: false)
        case let ask as Auth.ReadAccount:
            if ask.username == "shop" || ask.account == PartyID(high: 5, low: 5) {
                return Auth.AccountView(
                    account: PartyID(high: 0x5, low: 0x5), role: .merchant, username: "shop", name: "Shop")
            }
            if ask.username == "waiting" || ask.account == PartyID(high: 6, low: 6) {
                return Auth.AccountView(
                    account: PartyID(high: 6, low: 6), role: .merchant, username: "waiting", name: "Waiting",
                    status: .pending)
            }
            if ask.username == "refused" || ask.account == PartyID(high: 6, low: 7) {
                return Auth.AccountView(
                    account: PartyID(high: 6, low: 7), role: .merchant, username: "refused", name: "Refused",
                    status: .rejected)
            }
            if ask.username == "root" {
                return Auth.AccountView(
                    account: PartyID(high: 0xA, low: 0xA), role: .administrator, username: "root", name: "Root")
            }
            guard ["bob", "ada", Self.hexUsername].contains(ask.username) || ask.account == Self.bob.account else {
                throw Fault(.partyNotFound)
            }
            return Self.bob
        case is Auth.OpenSession:
            return Auth.OpenSession.Reply(token: "token", session: .sample(.customer, pin: false))
        case let ask as Auth.ReadSession:
            guard let session = state.withLock({ $0.sessions[ask.tokenDigest] }) else {
                throw Fault(.sessionNotFound)
            }
            return session
        case is Auth.ReadSessions:
            let sessions = [2, 1].map { id in
                Auth.SessionSummary(
                    session: SessionID(high: id, low: 0x5E), opened: Self.time, expires: Self.time + .seconds(3600),
                    client: "Firefox on Linux")
            }
            return Auth.ReadSessions.Reply(sessions: sessions)
        case is Auth.RequestUsernames: return Auth.RequestUsernames.Reply(expires: Self.time + .seconds(900))
        case is Auth.CloseSession: return Auth.CloseSession.Reply(closed: true)
        case is Auth.SetPIN: return Auth.SetPIN.Reply(set: true, changed: [SessionID(high: 1, low: 0x5E)])
        case is Auth.VerifyPIN: return Auth.VerifyPIN.Reply(verifiedUntil: Self.time + .seconds(900))
        case let ask as Auth.ReadProfile: return Self.profileView(ask.account, Auth.Profile(email: "ada@example.com"))
        case let ask as Auth.UpdateProfile: return Self.profileView(ask.account, ask.profile)
        case is Auth.ChangePassword: return Auth.ChangePassword.Reply(closed: [SessionID(high: 2, low: 0x5E)])
        case let ask as Auth.DecideMerchant:
            return Self.merchantView(ask.merchant, ask.approved ? .approved : .rejected, ask.reason)
        case let ask as Auth.ReadMerchants:
            let merchant = PartyID(high: 5, low: 5)
            return Auth.ReadMerchants.Reply(
                merchants: [Self.merchantView(merchant, ask.status ?? .approved, nil)], next: merchant)
        case is Auth.RequestReset: return Auth.RequestReset.Reply(expires: Self.time + .seconds(900))
        case is Auth.UseReset:
            return Auth.UseReset.Reply(account: .sample(.customer), closed: [SessionID(high: 1, low: 0x5E)])
        case is Auth.RestoreAddress:
            return Auth.RestoreAddress.Reply(account: .sample(.customer), closed: [SessionID(high: 1, low: 0x5E)])
        case is Wallet.ReadCards: return Wallet.ReadCards.Reply(cards: [cardView(Self.card)])
        case let ask as Wallet.ReadCard: return cardView(ask.card ?? Self.card)
        case let ask as Wallet.ChooseCard: return cardView(ask.card)
        case let ask as Wallet.AddCard:
            return Recorded(
                Wallet.CardAdded(
                    card: ask.card, customer: ask.customer, lastFour: String(ask.number.suffix(4)),
                    balance: Money(1650), entry: 1, time: Self.time), sequence: 1, replayed: false)
        case let ask as Wallet.ReloadCard:
            return Recorded(
                Wallet.CardReloaded(
                    operation: ask.operation, card: ask.card ?? Self.card, customer: ask.customer, amount: ask.amount,
                    cardBalance: Money(2000), entry: 2, time: Self.time), sequence: 2, replayed: false)
        case let ask as Wallet.OpenAccount: return Wallet.AccountView(merchant: ask.merchant, balance: Money(0))
        case let ask as Wallet.ReadAccount: return Wallet.AccountView(merchant: ask.merchant, balance: Money(12_345))
        case let ask as Wallet.PostTransfer:
            let made = state.withLock { state in
                state.asked.count { ($0.ask as? Wallet.PostTransfer)?.operation == ask.operation }
            }
            return Recorded(Self.posted(ask), sequence: 3, replayed: made > 1)
        case let ask as Wallet.ReadTransfer:
            let made = state.withLock { state in
                state.asked.lazy.compactMap { $0.ask as? Wallet.PostTransfer }.first { $0.operation == ask.operation }
            }
            let known = ask.operation == Self.earlier.operation ? Self.earlier : nil
            guard let posted = made ?? known else { throw Fault(.transferNotFound) }
            return Recorded(Self.posted(posted), sequence: 3, replayed: true)
        case is Wallet.ReadEntries:
            let entry = Wallet.EntryView(
                entry: 9, kind: .payment, operation: OperationID(high: 1, low: 9), amount: Money(-150),
                balance: Money(1500), time: Self.time, memo: "Coffee")
            return Wallet.ReadEntries.Reply(entries: [entry], next: 9)
        case let ask as Wallet.ReadMovements:
            let entry = Wallet.EntryView(
                entry: 9, kind: .transfer, operation: OperationID(high: 1, low: 9), amount: Money(-150),
                balance: Money(1500), time: Self.time, memo: "Lunch", card: ask.holder.card,
                counterparty: Self.bob.account, counterpartyRole: .customer)
            return Wallet.ReadMovements.Reply(entries: [entry], next: 9)
        case let ask as any FakeLogRead:
            let facts = state.withLock { $0.facts[type(of: ask).type.service] ?? [] }
            let page = facts.filter { $0.sequence ?? 0 > ask.after }.prefix(ask.limit)
            return FactsPage(facts: page.map { RawJSON($0.json) }, head: facts.last?.sequence ?? 0)
        case let ask as any FakeSpansRead:
            let spans = state.withLock { $0.spans[type(of: ask).type.service] ?? [] }
            return ask.fakeReply(spans.filter { ask.id == nil || $0.correlation == ask.id })
        case is Wallet.ReadLedger: return Wallet.ReadLedger.examples.reply
        case let ask as Wallet.VerifyLedger:
            return Wallet.VerifyLedger.Reply(next: ask.after == 0 ? 2000 : nil, checked: 2000, problems: [])
        case is ReadTable<Payments>:
            let customer = "0" + String(repeating: "1", count: 31)
            let row = """
                {"merchant":"00000000000000050000000000000005","productIndex":7,"customer":"\(customer)","paid":1}
                """
            return TablePage(rows: [RawJSON(Array(row.utf8))], next: 1)
        case is ReadTable<Auth>, is ReadTable<Location>, is ReadTable<Offers>: return TablePage(rows: [], next: nil)
        default: return try paymentsAnswer(ask)
        }
    }

    private static func profileView(_ account: PartyID, _ profile: Auth.Profile) -> Auth.ProfileView {
        Auth.ProfileView(
            account: account, role: .customer, username: "ada", name: "Ada", profile: profile, status: nil, reason: nil)
    }

    private static func merchantView(
        _ merchant: PartyID, _ status: Auth.MerchantStatus, _ reason: String?
    ) -> Auth.MerchantView {
        Auth.MerchantView(
            merchant: merchant, username: "shop", name: "Shop", status: status, profile: Auth.Profile(),
            registered: time, decided: nil, reason: reason)
    }

    private func paymentsAnswer(_ ask: any Ask) throws(Fault) -> any Sendable {
        switch ask {
        case let ask as Payments.CreatePayment:
            let first = state.withLock { state in
                let first = state.paid[ask.charge]
                if first == nil { state.paid[ask.charge] = ask }
                return first
            }
            if let first, first != ask { throw Fault(.idReused) }
            return Payments.CreatePayment.Reply(
                receipt: receipt(ask.charge, ask.customer, ask.merchant, ask.amount, ask.memo), replayed: first != nil)
        case let ask as Payments.RedeemCode:
            let receipt = receipt(ask.attempt.reinterpreted(), Self.bob.account, ask.merchant, ask.amount, ask.memo)
            return Payments.CreatePayment.Reply(receipt: receipt, replayed: false)
        case let ask as Payments.ApproveCharge:
            let receipt = receipt(ask.charge, ask.customer, PartyID(high: 7, low: 7), ask.amount ?? Money(150), "")
            return Payments.CreatePayment.Reply(receipt: receipt, replayed: false)
        case is Payments.IssueCode:
            let number = state.withLock { state in
                state.codes += 1
                return state.codes
            }
            return Payments.IssueCode.Reply(code: "BF1.code\(number)", expires: Self.time + .seconds(60))
        case let ask as Payments.ReadEnabled:
            return Payments.EnabledView(customer: ask.customer, enabled: true)
        case let ask as Payments.SetEnabled:
            return Payments.EnabledView(customer: ask.customer, enabled: ask.enabled)
        case let ask as Payments.ReadChargeable:
            return Payments.ReadChargeable.Reply(customer: ask.customer, chargeable: true)
        case let ask as Payments.SetPermission: return Payments.SetPermission.Reply(allowed: ask.allowed)
        case is Payments.ReadPermissions: return Payments.ReadPermissions.Reply(everyone: false, merchants: [])
        case let ask as Payments.RequestCharge:
            guard ask.customer.hex != Self.hexUsername else { throw Fault(.customerNotFound) }
            return Payments.RequestCharge.Reply(
                charge: Self.charge(ask.charge, .requested, ask.merchant, ask.customer, ask.amount), replayed: false)
        case let ask as Payments.DeclineCharge:
            return Payments.RequestCharge.Reply(charge: Self.charge(ask.charge, .declined), replayed: true)
        case let ask as Payments.CancelCharge:
            return Payments.RequestCharge.Reply(charge: Self.charge(ask.charge, .cancelled), replayed: false)
        case let ask as Payments.RefundCharge:
            return Payments.RefundCharge.Reply(
                refund: ask.refund, charge: ask.charge, amount: ask.amount ?? Money(150), refunded: Money(150),
                entry: 4, time: Self.time, replayed: false)
        case let ask as Payments.ReadCharge: return Self.charge(ask.charge, .captured)
        case let ask as Payments.ReadCharges: return state.withLock(\.charges)(ask)
        case let ask as Payments.ReadReceipt:
            if let paid = state.withLock({ $0.paid[ask.charge] }) {
                return receipt(ask.charge, paid.customer, paid.merchant, paid.amount, paid.memo)
            }
            return receipt(ask.charge, ask.party, PartyID(high: 7, low: 7), Money(150), "Coffee")
        case _ where type(of: ask).type.service == Notifications.service: return try FakeNotifications.answer(ask)
        case let ask as any FakeAnswered: return ask.fakeReply
        default:
            if let answer = FakeOffers.answer(ask) { return answer }
            return try FakeLocation.answer(
                ask, place: state.withLock(\.place), isBobNear: state.withLock(\.isBobNear))
        }
    }

    private func cardView(_ card: CardID) -> Wallet.CardView {
        Wallet.CardView(
            card: card, lastFour: "1234", balance: Money(1650), available: Money(1650), isDefault: true)
    }

    private func receipt(
        _ charge: ChargeID, _ customer: PartyID, _ merchant: PartyID, _ amount: Money, _ memo: String
    ) -> Payments.Receipt {
        Payments.Receipt(
            charge: charge, customer: customer, card: Self.card, merchant: merchant, merchantName: "Blue Bottle",
            amount: amount, memo: memo, cardBalance: Money(1500), entry: 5, time: Self.time)
    }

    static func charge(
        _ charge: ChargeID, _ state: Payments.ChargeState, _ merchant: PartyID = PartyID(high: 7, low: 7),
        _ customer: PartyID = PartyID(high: 8, low: 8), _ amount: Money = Money(150), at time: Timestamp = time
    ) -> Payments.ChargeView {
        Payments.ChargeView(
            charge: charge, state: state, merchant: merchant, merchantName: "Blue Bottle", customer: customer,
            amount: amount, memo: "", requested: time, expires: nil, decided: nil, card: nil, entry: nil,
            refunded: Money(0))
    }
}

/// Lets those who come to it wait until it is opened.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        if isOpen { return }
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            for watcher in watchers { watcher.resume() }
            watchers = []
        }
    }

    /// Returns once somebody waits.
    func reached() async {
        if !waiting.isEmpty { return }
        await withCheckedContinuation { watchers.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

extension Auth.SessionView {
    /// A session of the account that each role has here.
    static func sample(_ role: Auth.Role, pin: Bool, id: UInt64 = 1) -> Auth.SessionView {
        Auth.SessionView(
            session: SessionID(high: id, low: 0x5E), account: .sample(role), role: role,
            expires: FakeServices.time + .seconds(86_400),
            pinVerifiedUntil: pin ? FakeServices.time + .seconds(900) : nil)
    }
}

extension PartyID {
    static func sample(_ role: Auth.Role) -> PartyID {
        switch role {
        case .customer: PartyID(high: 0xC, low: 1)
        case .merchant: PartyID(high: 0xE, low: 2)
        case .administrator: PartyID(high: 0xA, low: 3)
        }
    }
}

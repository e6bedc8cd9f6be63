import Bus
import Contracts
import Primitives
import Sodium

/// What the handlers of payments share: the store, the bus to the wallet, the rules and the clock.
package struct ChargeService: Sendable {
    package let store: any ChargeStore
    package let bus: any Asking
    package let merchants: Payees
    package let rules: ChargeRules
    package let codeKey: [UInt8]
    package let clock: WallClock
    package let watermark: WalletWatermark
    package let unpaid: MerchantBuckets
    /// Wrong typed codes.
    package let guesses: MerchantBuckets
    let cards = KnownCards()
    let requests = RecentRequests()
    /// Waits until the wallet's facts up to a sequence have been applied.
    package let caughtUp: @Sendable (Int64, Timestamp) async throws(Fault) -> Void

    package init(
        store: any ChargeStore, bus: any Asking, rules: ChargeRules, codeKey: [UInt8], clock: WallClock,
        watermark: WalletWatermark = WalletWatermark(),
        caughtUp: @escaping @Sendable (Int64, Timestamp) async throws(Fault) -> Void
    ) {
        self.store = store
        self.bus = bus
        merchants = Payees(asking: bus, clock: clock)
        self.rules = rules
        self.codeKey = codeKey
        self.clock = clock
        self.watermark = watermark
        unpaid = MerchantBuckets(perMinute: rules.unpaidPerMinute)
        guesses = MerchantBuckets(perMinute: rules.guessesPerMinute)
        self.caughtUp = caughtUp
    }

    /// A nested ask ends this much earlier, so that its refusal still reaches the asker.
    private static let margin = Duration.milliseconds(150)

    /// The context of a nested ask. The wallet gets the actor too, and checks it by the same rule.
    func nested(_ context: AskContext) -> AskContext {
        context.by(context.deadline - Self.margin)
    }

    /// The payment under a charge's id, which the wallet knows also where its fact has not arrived.
    ///
    /// - Throws: `bus.outcome_unknown` where the wallet does not say.
    func payment(_ charge: ChargeID, in context: AskContext) async throws(Fault) -> Wallet.PaymentPosted? {
        do throws(Fault) {
            let recorded = try await bus.ask(Wallet.ReadPayment(payment: charge), in: nested(context).onOwnBehalf)
            watermark.raise(to: recorded.sequence)
            return recorded.result
        } catch {
            if error.code == .paymentNotFound { return nil }
            throw Fault(.outcomeUnknown)
        }
    }

    /// Refuses a customer who has disabled payments, unless this payment was made before: then it is answered again.
    func requireEnabled(_ customer: PartyID, for charge: ChargeID, in context: AskContext) async throws(Fault) {
        guard store.disabled.contains(customer) else { return }
        guard try await payment(charge, in: context) != nil else { throw Fault(.paymentsDisabled) }
    }

    /// - Parameter card: nil is the default card.
    /// - Throws: `wallet.no_card`, `wallet.card_not_found`.
    func requireCard(_ card: CardID?, of customer: PartyID, in context: AskContext) async throws(Fault) {
        if !cards.contains(card, of: customer) { _ = try await self.card(card, of: customer, in: context) }
    }

    /// The card that would pay now.
    ///
    /// - Parameter card: nil is the default card, which the wallet says each time as it may change.
    /// - Throws: `wallet.no_card`, `wallet.card_not_found`.
    func card(_ card: CardID?, of customer: PartyID, in context: AskContext) async throws(Fault) -> CardID {
        if let card, cards.contains(card, of: customer) { return card }
        let found = try await bus.ask(Wallet.ReadCard(customer: customer, card: card), in: nested(context))
        cards.note(found.card, of: customer)
        return found.card
    }

    /// The name of an approved merchant. A charge that was made before is answered again, also for a merchant who
    /// is no longer approved.
    /// - Throws: `payments.merchant_not_found`, `payments.merchant_not_approved`.
    nonisolated(nonsending) func payee(
        _ merchant: PartyID, of charge: ChargeID, in context: AskContext
    ) async throws(Fault) -> String {
        let payee = try await merchants.payee(merchant, in: context)
        if payee.isApproved { return payee.name }
        if let known = try await find(charge), known.merchant == merchant { return payee.name }
        guard try await payment(charge, in: context)?.merchant == merchant else { throw Fault(.merchantNotApproved) }
        return payee.name
    }

    /// Pays: the wallet's commit decides, and its answer is the receipt.
    ///
    /// - Parameter context: the nested ask's.
    nonisolated(nonsending) func pay(
        _ payment: Wallet.PostPayment, merchantName: String, discount: Money? = nil, in context: AskContext
    ) async throws(Fault) -> Payments.CreatePayment.Reply {
        let recorded = try await bus.ask(payment, in: context)
        watermark.raise(to: recorded.sequence)
        return Payments.CreatePayment.Reply(recorded, merchantName: merchantName, discount: discount)
    }

    /// The same, without a waiting task.
    func forward(
        _ payment: Wallet.PostPayment, merchantName: String, in context: AskContext
    ) -> Forward<Wallet.PostPayment, Payments.CreatePayment.Reply> {
        Forward(payment, in: nested(context)) { [watermark] recorded in
            watermark.raise(to: recorded.sequence)
            return Payments.CreatePayment.Reply(recorded, merchantName: merchantName)
        }
    }

    /// Ends a waiting charge without payment. If it was decided before, refuses with that decision.
    func close(
        _ charge: Charge, _ reason: Wallet.CloseReason, in context: AskContext
    ) async throws(Fault) -> Payments.RequestCharge.Reply {
        // Access was checked when the ask came.
        let replayed = try await closeInWallet(charge.id, reason, in: nested(context).onOwnBehalf)
        let decided = try await self.charge(charge.id, decidedBefore: context.deadline)
        guard decided.state == Payments.ChargeState(reason) else {
            throw Fault(decided.state.refusal ?? .unavailable)
        }
        return Payments.RequestCharge.Reply(charge: try await view(decided, in: context), replayed: replayed)
    }

    /// - Returns: whether it had been decided before, in whatever way.
    func closeInWallet(
        _ charge: ChargeID, _ reason: Wallet.CloseReason, in context: AskContext
    ) async throws(Fault) -> Bool {
        do throws(Fault) {
            let recorded = try await bus.ask(Wallet.ClosePayment(payment: charge, reason: reason), in: context)
            watermark.raise(to: recorded.sequence)
            return recorded.replayed
        } catch {
            if Self.isDecided(error.code) { return true }
            throw error
        }
    }

    /// Whether the wallet's refusal says that another decision was committed under the charge's id.
    static func isDecided(_ code: FaultCode) -> Bool {
        code == .paymentPosted || code == .paymentClosed || code == .idReused
    }

    /// The charge, once the wallet's decision has arrived here.
    func charge(_ id: ChargeID, decidedBefore deadline: Timestamp) async throws(Fault) -> Charge {
        do { try await caughtUp(watermark.sequence, deadline) } catch { throw Fault(.outcomeUnknown) }
        while clock.now() < deadline {
            guard let charge = try await find(id) else { throw Fault(.chargeNotFound) }
            if charge.state != .requested { return charge }
            // The wallet has decided, and its fact is on the way.
            do { try await Task.sleep(for: .milliseconds(5)) } catch { break }
        }
        throw Fault(.outcomeUnknown)
    }

    /// A charge that one of its parties decides. It may have been decided in the wallet already, which then refuses:
    /// payments catches up only for a charge that is not here.
    func chargeToDecide(_ id: ChargeID, by party: PartyID, in context: AskContext) async throws(Fault) -> Charge {
        if let charge = requests.take(id, for: party) { return charge }
        if let charge = try await find(id), charge.isParty(party) { return charge }
        return try await charge(id, for: party, in: context)
    }

    /// A charge, for one of its parties or for an operator (nil). For others it is not found, as if it did not exist.
    func charge(_ id: ChargeID, for party: PartyID?, in context: AskContext) async throws(Fault) -> Charge {
        try await caughtUp(watermark.sequence, context.deadline)
        guard let charge = try await find(id), party.map(charge.isParty) ?? true else { throw Fault(.chargeNotFound) }
        return charge
    }

    func find(_ id: ChargeID) async throws(Fault) -> Charge? { try await store.charge(id) }

    func view(_ charge: Charge, in context: AskContext) async throws(Fault) -> Payments.ChargeView {
        try await view(charge, number: store.number(of: charge.id), in: context)
    }

    func view(_ charge: Charge, number: Int64?, in context: AskContext) async throws(Fault) -> Payments.ChargeView {
        let names = await merchants.names(of: [charge.customer, charge.merchant], in: context)
        // Today's name, or that of the request where auth does not answer.
        guard let name = names[charge.merchant] ?? charge.merchantName else {
            return try await view(charge, number: number, names, in: context)
        }
        return charge.view(merchantName: name, customerName: names[charge.customer], productIndex: number)
    }

    /// - Parameter names: of customers, those that are known.
    func view(
        _ charge: Charge, number: Int64?, _ names: [PartyID: String], in context: AskContext
    ) async throws(Fault) -> Payments.ChargeView {
        charge.view(
            merchantName: try await merchants.name(of: charge.merchant, in: context),
            customerName: names[charge.customer], productIndex: number)
    }
}

extension Payments.CreatePayment.Reply {
    /// The receipt of a payment that the wallet has recorded.
    init(_ recorded: Recorded<Wallet.PaymentPosted>, merchantName: String, discount: Money? = nil) {
        let posted = recorded.result
        self.init(
            receipt: Payments.Receipt(
                charge: posted.payment, customer: posted.customer, card: posted.card, merchant: posted.merchant,
                merchantName: merchantName, amount: posted.amount, memo: posted.memo, cardBalance: posted.cardBalance,
                entry: posted.entry, time: posted.time, coupon: posted.coupon, discount: discount),
            replayed: recorded.replayed)
    }
}

import Audit
import Bus
import Contracts
import Primitives

/// Gathers the evidence from the running set, over the bus: from the wallet's facts, from the accounts' own entries,
/// from the balances that holders are shown, from payments' records and from its log.
struct EvidenceReader {
    let bus: Bus
    let stage: Stage
    /// By their places in the journal.
    let scenarios: [any Scenario]
    let baseline: Baseline
    /// Cards whose entries are walked; beyond that, so many by chance.
    let cardsWalkedMax: Int
    let verifiesWhole: Bool
    let isSharedSet: Bool
    let seed: UInt64
    /// When location's present process was started, as far as that can be seen.
    let locationBirth: @Sendable () -> Timestamp?

    /// Receipts that are read one by one.
    private static let receiptsRead = 1000

    var population: Population { stage.population }

    typealias Progress = (_ what: String, _ done: Int, _ of: Int) -> Void

    /// What is known of a run before anything is read.
    func begin(_ journal: Journal) -> Evidence {
        var evidence = Evidence(journal: journal, codes: stage.codes, population: population)
        evidence.isSharedSet = isSharedSet
        evidence.before = baseline.sums
        if baseline.offersHead != nil { evidence.coupons = CouponEvidence(book: stage.coupons) }
        let hasRefunds = (0..<journal.count).contains { journal[$0].kind == .refund }
        if hasRefunds { evidence.refunds = RefundEvidence(paid: stage.paid.all) }
        return evidence
    }

    /// Reads everything. What it throws is why it could not be read; what came before is in `evidence`.
    func read(into evidence: inout Evidence, live: () -> ReceivedNotices, progress: Progress) async throws {
        let journal = evidence.journal
        evidence.repeats = try await readRepeats(journal, progress)
        progress("ledger", 0, 1)
        evidence.after = try await LedgerSums.read(bus)
        // First: where the ledger is damaged the rest may be unreadable, and this says why.
        try await verify(into: &evidence, progress)
        try await readMovements(into: &evidence, progress)
        try await readNotices(into: &evidence, progress)
        try await readRedemptions(into: &evidence, progress)
        try await readRefunds(into: &evidence, progress)
        try await readSides(into: &evidence, progress)
        try await readCharges(into: &evidence, progress)
        try await readReceipts(into: &evidence, progress)
        try await readBalances(into: &evidence, progress)
        evidence.walks = try await readWalks(journal, progress)
        evidence.orders = try await readOrders(journal, progress)
        evidence.live = live()
    }

    // MARK: The wallet's facts

    private func readMovements(into evidence: inout Evidence, _ progress: Progress) async throws {
        evidence.walletLogFaults = try await FactReader<Wallet>.read(
            bus, after: evidence.before.sequence, through: evidence.after.sequence,
            progress: { progress("wallet's facts", $0, $1) },
            take: { fact, _ in
                if let movement = try movement(fact, &evidence) { evidence.movements.append(movement) }
            })
    }

    private func movement(_ fact: Envelope, _ evidence: inout Evidence) throws -> Movement? {
        let sequence = fact.sequence ?? 0
        switch fact.type {
        case Wallet.PaymentPosted.type.name:
            let posted = try Wallet.PaymentPosted(json: fact.data)
            return Movement(
                sequence: sequence, entry: posted.entry, kind: .payment, operation: posted.payment,
                from: card(posted.card), to: merchant(posted.merchant), amount: posted.amount.amount,
                cardBalance: posted.cardBalance.amount, memoNumber: stage.number(ofMemo: posted.memo),
                namesOwner: isOwner(posted.customer, of: posted.card))
        case Wallet.CardReloaded.type.name:
            let reloaded = try Wallet.CardReloaded(json: fact.data)
            return Movement(
                sequence: sequence, entry: reloaded.entry, kind: .reload, operation: reloaded.operation.reinterpreted(),
                from: .ledger, to: card(reloaded.card), amount: reloaded.amount.amount,
                cardBalance: reloaded.cardBalance.amount, memoNumber: nil,
                namesOwner: isOwner(reloaded.customer, of: reloaded.card))
        case Wallet.CardAdded.type.name:
            let added = try Wallet.CardAdded(json: fact.data)
            // Without an opening balance there is none.
            guard added.entry > 0 else { return nil }
            return other(
                sequence, added.entry, added.card.reinterpreted(), .ledger, card(added.card), added.balance,
                added.balance)
        case Wallet.HoldCaptured.type.name:
            let captured = try Wallet.HoldCaptured(json: fact.data)
            return other(
                sequence, captured.entry, captured.operation.reinterpreted(), card(captured.card),
                merchant(captured.merchant), captured.amount, captured.cardBalance)
        case Wallet.RefundPosted.type.name:
            let refund = try Wallet.RefundPosted(json: fact.data)
            readRefund(refund, into: &evidence)
            return Movement(
                sequence: sequence, entry: refund.entry, kind: .refund, operation: refund.operation.reinterpreted(),
                from: merchant(refund.merchant), to: card(refund.card), amount: refund.amount.amount,
                cardBalance: refund.cardBalance.amount, memoNumber: nil)
        case Wallet.TransferPosted.type.name:
            let transfer = try Wallet.TransferPosted(json: fact.data)
            return Movement(
                sequence: sequence, entry: transfer.entry, kind: .transfer,
                operation: transfer.operation.reinterpreted(), from: account(transfer.from), to: account(transfer.to),
                amount: transfer.amount.amount, cardBalance: transfer.balance.amount,
                memoNumber: stage.number(ofMemo: transfer.memo),
                namesOwner: isOwner(transfer.from) && isOwner(transfer.to))
        default: return nil
        }
    }

    private func other(
        _ sequence: Int64, _ entry: Int64, _ operation: ChargeID, _ from: AccountRef, _ to: AccountRef, _ amount: Money,
        _ balance: Money
    ) -> Movement {
        Movement(
            sequence: sequence, entry: entry, kind: .other, operation: operation, from: from, to: to,
            amount: amount.amount, cardBalance: balance.amount, memoNumber: nil)
    }

    func card(_ id: CardID) -> AccountRef {
        population.number(ofCard: id).map { .card($0) } ?? .strangerCard(id)
    }
    /// Of strangers' cards nothing is known.
    private func isOwner(_ customer: PartyID, of card: CardID) -> Bool {
        population.number(ofCard: card).map { population.customer(population.owner(ofCard: $0)) == customer } ?? true
    }
    private func isOwner(_ holder: Wallet.Holder) -> Bool { holder.card.map { isOwner(holder.party, of: $0) } ?? true }
    func merchant(_ id: PartyID) -> AccountRef {
        population.number(ofMerchant: id).map { .merchant($0) } ?? .strangerMerchant(id)
    }
    private func account(_ holder: Wallet.Holder) -> AccountRef {
        holder.card.map(card) ?? (holder.role == .merchant ? merchant(holder.party) : .strangerMerchant(holder.party))
    }

    // MARK: Payments' log

    /// Reads the merchants' notices once payments has consumed the wallet's facts.
    private func readNotices(into evidence: inout Evidence, _ progress: Progress) async throws {
        let last = evidence.movements.last { $0.kind == .payment }?.operation
        var position = baseline.paymentsHead
        var isComplete = last == nil
        var idle = 0
        while true {
            let head = try await bus.ask(ReadFacts<Payments>(after: Int64.max - 1, limit: 1), in: bus.patient).head
            evidence.paymentsLogFaults += try await FactReader<Payments>.read(
                bus, after: position, through: head, progress: { progress("payments' facts", $0, $1) },
                take: { fact, digest in
                    switch fact.type {
                    case Payments.ChargeRequested.type.name: try readRequest(fact, into: &evidence)
                    case Payments.ChargeClosed.type.name:
                        let closed = try Payments.ChargeClosed(json: fact.data)
                        evidence.closures.append(
                            Closure(
                                charge: closed.charge, merchant: merchant(closed.merchant),
                                reason: closed.reason.rawValue))
                    case Payments.ChargeCaptured.type.name:
                        let notice = try notice(fact, digest)
                        isComplete = isComplete || notice.charge == last
                        evidence.notices.append(notice)
                        try readCapture(fact, into: &evidence)
                    default: break
                    }
                })
            idle = head > position ? 0 : idle + 1
            position = max(position, head)
            // A projection that does not move for so long does not lag: it lacks something, which the checks will name.
            if isComplete || idle > 30 { break }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func notice(_ fact: Envelope, _ digest: UInt64) throws -> Notice {
        let published = try Payments.ChargeCaptured(json: fact.data)
        return Notice(
            sequence: fact.sequence ?? 0, charge: published.charge, merchant: merchant(published.merchant),
            card: card(published.card),
            amount: published.amount.amount, entry: published.entry, digest: digest,
            namesOwner: isOwner(published.customer, of: published.card))
    }

    // MARK: The accounts' own entries

    private func readSides(into evidence: inout Evidence, _ progress: Progress) async throws {
        var inPlay: Set<Int> = []
        for number in 0..<evidence.journal.count where evidence.journal[number].kind != nil {
            inPlay.insert(Int(evidence.journal[number].card))
        }
        for movement in evidence.movements {
            for case .card(let number) in [movement.from, movement.to] { inPlay.insert(number) }
        }
        evidence.cardsInPlay = inPlay.count
        var cards = inPlay.sorted()
        if cards.count > cardsWalkedMax {
            var dice = Dice(seed: seed)
            cards.shuffle(using: &dice)
            cards = Array(cards.prefix(cardsWalkedMax))
        }
        evidence.cardsWalked = cards.count
        let accounts = cards.map { AccountRef.card($0) } + (0..<population.merchants).map { AccountRef.merchant($0) }
        let base = evidence.before.entries
        // The merchants' long lists go first, beside the cards' short ones.
        let walks = try await pipelined(accounts.reversed(), width: 64, on: bus) { account in
            try await walk(account, downTo: base)
        } done: {
            progress("entries", $0, accounts.count)
        }
        for walk in walks { evidence.sides += walk }
    }

    /// An account's entries behind one, newest first.
    private func walk(_ account: AccountRef, downTo base: Int64) async throws -> [EntrySide] {
        let holder: Wallet.Holder
        switch account {
        case .card(let number):
            let owner = population.customer(population.owner(ofCard: number))
            holder = Wallet.Holder(party: owner, role: .customer, card: population.card(number))
        case .merchant(let number): holder = Wallet.Holder(party: population.merchant(number), role: .merchant)
        default: return []
        }
        var sides: [EntrySide] = []
        var before: Int64?
        // Most cards have a handful: a small page first.
        var limit = 10
        while true {
            let page = try await bus.ask(
                Wallet.ReadEntries(holder: holder, before: before, limit: limit), in: bus.patient)
            for entry in page.entries {
                guard entry.entry > base else { return sides }
                sides.append(
                    EntrySide(
                        account: account, entry: entry.entry,
                        kind: MovementKind(entry.kind),
                        operation: entry.operation.reinterpreted(), change: entry.amount.amount,
                        balance: entry.balance.amount, memoNumber: stage.number(ofMemo: entry.memo)))
            }
            guard let next = page.next else { return sides }
            before = next
            limit = 100
        }
    }

    // MARK: Payments' records

    private func readCharges(into evidence: inout Evidence, _ progress: Progress) async throws {
        let count = population.merchants
        let lists = try await pipelined(Array(0..<count), width: 16, on: bus) { number in
            try await charges(ofMerchant: number)
        } done: {
            progress("receipts", $0, count)
        }
        for list in lists { evidence.charges += list }
    }

    private func charges(ofMerchant number: Int) async throws -> [ChargeLine] {
        var lines: [ChargeLine] = []
        var before: Int64?
        while true {
            let page = try await bus.ask(
                Payments.ReadCharges(party: population.merchant(number), state: nil, before: before, limit: 100),
                in: bus.patient)
            for charge in page.charges {
                if charge.charge == baseline.newestCharges[number] { return lines }
                lines.append(
                    ChargeLine(
                        charge: charge.charge, isCaptured: charge.state == .captured,
                        merchant: merchant(charge.merchant),
                        card: charge.card.map(card), amount: charge.amount.amount, entry: charge.entry,
                        memoNumber: stage.number(ofMemo: charge.memo)))
            }
            guard let next = page.next else { return lines }
            before = next
        }
    }

    /// Receipts as customers read them, one by one: of some payments, chosen by chance.
    private func readReceipts(into evidence: inout Evidence, _ progress: Progress) async throws {
        let journal = evidence.journal
        let chosen = sample(journal, Self.receiptsRead) { intent in
            intent.outcome == .acknowledged && intent.kind == .payment
        }
        let asks = chosen.map { number in
            let customer = population.customer(population.owner(ofCard: Int(journal[number].card)))
            return (number, Payments.ReadReceipt(charge: journal[number].charge, party: customer))
        }
        evidence.receipts = try await pipelined(asks, width: 32, on: bus) { number, ask in
            try await receipt(number, ask)
        } done: {
            progress("receipts of customers", $0, asks.count)
        }
    }

    private func receipt(_ number: Int, _ ask: Payments.ReadReceipt) async throws -> ReceiptRead {
        do throws(Fault) {
            var receipt = read(try await bus.ask(ask, in: bus.patient))
            receipt.intent = number
            return receipt
        } catch {
            guard error.code == .chargeNotFound || error.code == .chargeNotCaptured else { throw error }
            return .refused(number, error.code.code)
        }
    }

    func read(_ receipt: Payments.Receipt) -> ReceiptRead {
        ReceiptRead(
            intent: 0, refusal: nil, merchant: merchant(receipt.merchant), card: card(receipt.card),
            amount: receipt.amount.amount, entry: receipt.entry, cardBalance: receipt.cardBalance?.amount ?? .min)
    }

    /// So many intents by chance, or fewer where fewer are fit; in their order.
    func sample(_ journal: Journal, _ count: Int, where isFit: (Intent) -> Bool) -> [Int] {
        var dice = Dice(seed: seed)
        var (chosen, fit): ([Int], Int) = ([], 0)
        // Each of those that are fit stays with the same chance, however many follow.
        for number in 0..<journal.count where isFit(journal[number]) {
            fit += 1
            if chosen.count < count {
                chosen.append(number)
            } else {
                let place = dice.below(fit)
                if place < count { chosen[place] = number }
            }
        }
        return chosen.sorted()
    }

    // MARK: Balances, and the wallet's own check

    private func readBalances(into evidence: inout Evidence, _ progress: Progress) async throws {
        let cards = try await Baseline.balances(bus, population, progress)
        evidence.cardBalances = cards.indices.compactMap { number in
            cards[number].map { BalancePair(number: number, before: baseline.cards[number], after: $0) }
        }
        let merchants = try await Baseline.merchantBalances(bus, population)
        evidence.merchantBalances = merchants.indices.map {
            BalancePair(number: $0, before: baseline.merchants[$0], after: merchants[$0])
        }
    }

    private func verify(into evidence: inout Evidence, _ progress: Progress) async throws {
        evidence.verification.fromEntry = verifiesWhole ? 0 : evidence.before.entries
        var after: Int64? = evidence.verification.fromEntry
        while let start = after {
            let part = try await bus.ask(Wallet.VerifyLedger(after: start, limit: 5_000), in: bus.patient)
            evidence.verification.checked += part.checked
            evidence.verification.problems += part.problems
            after = part.next
            // Behind the entries come accounts.
            progress("hash chain", Int(start >= 0 ? start : evidence.after.entries), Int(evidence.after.entries))
        }
    }
}

extension MovementKind {
    init(_ kind: Wallet.EntryKind) {
        switch kind {
        case .payment: self = .payment
        case .reload: self = .reload
        case .refund: self = .refund
        case .transfer: self = .transfer
        case .opening, .capture: self = .other
        }
    }
}

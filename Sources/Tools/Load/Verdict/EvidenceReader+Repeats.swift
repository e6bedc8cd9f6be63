import Audit
import Bus
import Contracts
import Primitives

/// Asking again for what was acknowledged. Before the ledger is read, so that whatever this moves is found there.
extension EvidenceReader {
    private static let repeatsMax = 200

    func readRepeats(_ journal: Journal, _ progress: Progress) async throws -> [RepeatRead] {
        let chosen = sample(journal, Self.repeatsMax) { intent in
            intent.outcome == .acknowledged && askedAgain(intent) != nil
        }
        return try await pipelined(chosen, width: 16, on: bus) { number in
            try await again(number, journal[number])
        } done: {
            progress("asking again", $0, chosen.count)
        }
    }

    private func askedAgain(_ intent: Intent) -> AskedAgain? {
        switch intent.kind {
        case .payment: scenarios[Int(intent.scenario)].askedAgain
        case .reload: .reload
        case .refund: .refund
        case .transfer: .transfer
        case .other, nil: nil
        }
    }

    private typealias Answer = (receipt: ReceiptRead, isReplay: Bool)

    /// Asks the same, then for a cent more under the same key.
    private func again(_ number: Int, _ intent: Intent) async throws -> RepeatRead {
        var read: RepeatRead
        do throws(Fault) {
            let answer = try await ask(number, intent, more: 0)
            read = RepeatRead(answer.receipt, isReplay: answer.isReplay)
        } catch {
            guard error.code.retry == .never else { throw error }
            return RepeatRead(.refused(number, error.code.code), isReplay: false)
        }
        read.answer.intent = number
        do throws(Fault) {
            // Nobody's money is at stake where the answer is that of before, but the asker is told that the cent was
            // paid.
            read.otherAmount = try await ask(number, intent, more: 1).receipt.entry
        } catch {
            guard error.code.retry == .never else { throw error }
        }
        return read
    }

    private func ask(_ number: Int, _ intent: Intent, more: Int64) async throws(Fault) -> Answer {
        switch askedAgain(intent) {
        case .payment: try await payment(number, intent, more: more)
        case .approval: try await approval(intent, more: more)
        case .reload: try await reload(intent, more: more)
        case .refund: try await refund(intent, more: more)
        case .transfer: try await transfer(number, intent, more: more)
        case nil: preconditionFailure("an operation was chosen that cannot be asked again")
        }
    }

    private func payment(_ number: Int, _ intent: Intent, more: Int64) async throws(Fault) -> Answer {
        let reply = try await bus.ask(
            Payments.CreatePayment(
                charge: intent.charge, customer: owner(of: intent), card: population.card(Int(intent.card)),
                merchant: population.merchant(Int(intent.merchant)), amount: Money(Int64(intent.amount) + more),
                memo: stage.memo(number)), in: bus.patient)
        return (read(reply.receipt), reply.replayed)
    }

    private func approval(_ intent: Intent, more: Int64) async throws(Fault) -> Answer {
        let reply = try await bus.ask(
            Payments.ApproveCharge(
                charge: intent.charge, customer: owner(of: intent), card: population.card(Int(intent.card)),
                amount: Money(Int64(intent.amount) + Int64(intent.discount) + more),
                coupon: stage.coupons.id(intent.coupon, of: Int(intent.merchant))), in: bus.patient)
        return (read(reply.receipt), reply.replayed)
    }

    private func reload(_ intent: Intent, more: Int64) async throws(Fault) -> Answer {
        let reply = try await bus.ask(
            Wallet.ReloadCard(
                operation: intent.charge.reinterpreted(), customer: owner(of: intent),
                card: population.card(Int(intent.card)), amount: Money(Int64(intent.amount) + more)), in: bus.patient)
        let receipt = ReceiptRead(
            intent: 0, refusal: nil, merchant: .ledger, card: card(reply.result.card),
            amount: reply.result.amount.amount,
            entry: reply.result.entry, cardBalance: reply.result.cardBalance.amount)
        return (receipt, reply.replayed)
    }

    /// A refund of what is left names no amount, and another one with an amount is another ask.
    private func refund(_ intent: Intent, more: Int64) async throws(Fault) -> Answer {
        let paid = stage.paid[Int(intent.counterpart)]
        let reply = try await bus.ask(
            Payments.RefundCharge(
                refund: intent.charge.reinterpreted(), charge: paid.charge,
                merchant: population.merchant(Int(intent.merchant)),
                amount: intent.isWhole && more == 0 ? nil : Money(Int64(intent.amount) + more)), in: bus.patient)
        let receipt = ReceiptRead(
            intent: 0, refusal: nil, merchant: .merchant(Int(intent.merchant)), card: .card(paid.card),
            amount: reply.amount.amount, entry: reply.entry, cardBalance: reply.refunded.amount)
        return (receipt, reply.replayed)
    }

    private func transfer(_ number: Int, _ intent: Intent, more: Int64) async throws(Fault) -> Answer {
        let payee = Int(intent.counterpart)
        let reply = try await bus.ask(
            Wallet.PostTransfer(
                operation: intent.charge.reinterpreted(),
                from: Wallet.Holder(party: owner(of: intent), role: .customer, card: population.card(Int(intent.card))),
                // As it was asked: over HTTP nobody names another one's card.
                to: Wallet.Holder(
                    party: population.customer(population.owner(ofCard: payee)), role: .customer,
                    card: stage.driver == .bus ? population.card(payee) : nil),
                amount: Money(Int64(intent.amount) + more), memo: stage.memo(number)), in: bus.patient)
        let posted = reply.result
        let receipt = ReceiptRead(
            intent: 0, refusal: nil, merchant: posted.to.card.map(card) ?? .ledger,
            card: posted.from.card.map(card) ?? .ledger, amount: posted.amount.amount, entry: posted.entry,
            cardBalance: posted.balance.amount)
        return (receipt, reply.replayed)
    }

    private func owner(of intent: Intent) -> PartyID {
        population.customer(population.owner(ofCard: Int(intent.card)))
    }
}

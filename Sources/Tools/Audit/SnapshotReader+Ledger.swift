import Bus
import Contracts
import Primitives

/// What the wallet publishes, and its own check of the ledger.
extension SnapshotReader {
    func readMove(_ fact: Envelope, into snapshot: inout Snapshot) throws {
        let sequence = fact.sequence ?? 0
        func move(
            _ entry: Int64, _ amount: Money, _ kind: Snapshot.Move.Kind = .other, _ legs: Snapshot.Leg...
        ) -> Snapshot.Move {
            Snapshot.Move(sequence: sequence, entry: entry, kind: kind, amount: amount.amount, legs: legs)
        }
        func leg(_ card: CardID, _ change: Int64, _ balance: Money?) -> Snapshot.Leg {
            Snapshot.Leg(card: card, change: change, balance: balance?.amount)
        }
        switch fact.type {
        case Wallet.PaymentPosted.type.name:
            let published = try Wallet.PaymentPosted(json: fact.data)
            snapshot.moves.append(
                move(
                    published.entry, published.amount,
                    .payment(
                        published.payment, customer: published.customer, merchant: published.merchant,
                        coupon: published.coupon),
                    leg(published.card, -published.amount.amount, published.cardBalance)))
        case Wallet.CardAdded.type.name:
            let published = try Wallet.CardAdded(json: fact.data)
            // A card may begin with nothing on it, and then no entry made it.
            guard published.entry > 0 else { return }
            snapshot.moves.append(
                move(
                    published.entry, published.balance, .other,
                    leg(published.card, published.balance.amount, published.balance)))
        case Wallet.CardReloaded.type.name:
            let published = try Wallet.CardReloaded(json: fact.data)
            snapshot.moves.append(
                move(
                    published.entry, published.amount, .other,
                    leg(published.card, published.amount.amount, published.cardBalance)))
        case Wallet.HoldCaptured.type.name:
            let published = try Wallet.HoldCaptured(json: fact.data)
            snapshot.moves.append(
                move(
                    published.entry, published.amount, .other,
                    leg(published.card, -published.amount.amount, published.cardBalance)))
        case Wallet.RefundPosted.type.name:
            let published = try Wallet.RefundPosted(json: fact.data)
            snapshot.moves.append(
                move(
                    published.entry, published.amount, .other,
                    leg(published.card, published.amount.amount, published.cardBalance)))
            snapshot.refunds.append(
                Snapshot.Refund(
                    sequence: sequence, charge: published.payment, amount: published.amount.amount,
                    refunded: published.refunded.amount))
        case Wallet.TransferPosted.type.name:
            let published = try Wallet.TransferPosted(json: fact.data)
            var posted = move(published.entry, published.amount)
            if let card = published.from.card {
                posted.legs.append(leg(card, -published.amount.amount, published.balance))
            }
            if let card = published.to.card { posted.legs.append(leg(card, published.amount.amount, nil)) }
            snapshot.moves.append(posted)
        default: break
        }
    }

    func verify(into snapshot: inout Snapshot) async throws {
        var after: Int64? = 0
        while let start = after {
            let part = try await bus.ask(
                Wallet.VerifyLedger(after: start, limit: Self.stretch, anchor: anchor), in: bus.patient)
            snapshot.ledger.checked += part.checked
            snapshot.ledger.problems += part.problems
            snapshot.ledger.wrongTimes += part.wrongTimes ?? []
            after = part.next
        }
        snapshot.ledger.total = try await bus.ask(Wallet.ReadLedger(), in: bus.patient).total.amount
    }
}

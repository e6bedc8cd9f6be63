import Bus
import Contracts
import Primitives

/// What the wallet publishes, and its own check of the ledger.
extension SnapshotReader {
    func readMoves(_ facts: [Envelope], into snapshot: inout Snapshot) throws {
        for fact in facts {
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
                let told = try Wallet.PaymentPosted(json: fact.data)
                snapshot.moves.append(
                    move(
                        told.entry, told.amount,
                        .payment(told.payment, customer: told.customer, merchant: told.merchant, coupon: told.coupon),
                        leg(told.card, -told.amount.amount, told.cardBalance)))
            case Wallet.CardAdded.type.name:
                let told = try Wallet.CardAdded(json: fact.data)
                // A card may begin with nothing on it, and then no entry made it.
                guard told.entry > 0 else { continue }
                snapshot.moves.append(
                    move(told.entry, told.balance, .other, leg(told.card, told.balance.amount, told.balance)))
            case Wallet.CardReloaded.type.name:
                let told = try Wallet.CardReloaded(json: fact.data)
                snapshot.moves.append(
                    move(told.entry, told.amount, .other, leg(told.card, told.amount.amount, told.cardBalance)))
            case Wallet.HoldCaptured.type.name:
                let told = try Wallet.HoldCaptured(json: fact.data)
                snapshot.moves.append(
                    move(told.entry, told.amount, .other, leg(told.card, -told.amount.amount, told.cardBalance)))
            case Wallet.RefundPosted.type.name:
                let told = try Wallet.RefundPosted(json: fact.data)
                snapshot.moves.append(
                    move(told.entry, told.amount, .other, leg(told.card, told.amount.amount, told.cardBalance)))
                snapshot.refunds.append(
                    Snapshot.Refund(
                        sequence: sequence, charge: told.payment, amount: told.amount.amount,
                        refunded: told.refunded.amount))
            case Wallet.TransferPosted.type.name:
                let told = try Wallet.TransferPosted(json: fact.data)
                var posted = move(told.entry, told.amount)
                if let card = told.from.card { posted.legs.append(leg(card, -told.amount.amount, told.balance)) }
                if let card = told.to.card { posted.legs.append(leg(card, told.amount.amount, nil)) }
                snapshot.moves.append(posted)
            default: continue
            }
        }
    }

    func verify(into snapshot: inout Snapshot) async throws {
        var after: Int64? = 0
        while let start = after {
            let part = try await bus.ask(
                Wallet.VerifyLedger(after: start, limit: Self.stretch, anchor: anchor), in: bus.patient)
            snapshot.ledger.checked += part.checked
            snapshot.ledger.problems += part.problems
            after = part.next
        }
        snapshot.ledger.total = try await bus.ask(Wallet.ReadLedger(), in: bus.patient).total.amount
    }
}

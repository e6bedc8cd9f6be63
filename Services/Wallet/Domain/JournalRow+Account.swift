import Contracts
import Primitives

extension JournalRow {
    /// The content of a row that other tables repeat.
    enum Account {
        struct HoldEnd {
            let hold: OperationID
            let state: Hold.State
            let captured: Int64
        }

        struct Refunded {
            let payment: OperationID
            /// The total, in minor units.
            let refunded: Int64
        }

        case cardAdded(Wallet.CardAdded)
        case accountOpened(Wallet.AccountOpened)
        case holdPlaced(Wallet.HoldPlaced)
        case holdEnded(HoldEnd)
        case refunded(Refunded)
        /// Nothing that the entries do not have.
        case other
        /// The body was not written by this program.
        case unreadable
    }

    var account: Account {
        switch kind {
        case .cardAdded: return read(Wallet.CardAdded.self) { .cardAdded($0) }
        case .accountOpened: return read(Wallet.AccountOpened.self) { .accountOpened($0) }
        case .holdPlaced: return read(Wallet.HoldPlaced.self) { .holdPlaced($0) }
        case .holdCaptured:
            return read(Wallet.HoldCaptured.self) {
                .holdEnded(.init(hold: $0.hold, state: .captured, captured: $0.amount.amount))
            }
        case .holdVoided:
            return read(Wallet.HoldVoided.self) { .holdEnded(.init(hold: $0.hold, state: .voided, captured: 0)) }
        case .holdExpired:
            return read(Wallet.HoldExpired.self) { .holdEnded(.init(hold: $0.hold, state: .expired, captured: 0)) }
        case .refundPosted:
            return read(Wallet.RefundPosted.self) {
                .refunded(.init(payment: $0.payment.reinterpreted(), refunded: $0.refunded.amount))
            }
        case .cardReloaded, .paymentPosted, .paymentClosed, .transferPosted, .operationDeclined: return .other
        }
    }

    private func read<Body: Fact>(_ type: Body.Type, _ account: (Body) -> Account) -> Account {
        guard let fact = try? Body(json: body) else { return .unreadable }  // a body that was changed
        return account(fact)
    }

    /// The number of the operation's entry; nil if no money moved or the body cannot be read.
    var entryNumber: Int64? {
        let number: Int64? =
            switch kind {
            case .cardAdded: (try? Wallet.CardAdded(json: body))?.entry
            case .cardReloaded: (try? Wallet.CardReloaded(json: body))?.entry
            case .paymentPosted: (try? Wallet.PaymentPosted(json: body))?.entry
            case .holdCaptured: (try? Wallet.HoldCaptured(json: body))?.entry
            case .refundPosted: (try? Wallet.RefundPosted(json: body))?.entry
            case .transferPosted: (try? Wallet.TransferPosted(json: body))?.entry
            case .accountOpened, .paymentClosed, .holdPlaced, .holdVoided, .holdExpired, .operationDeclined: nil
            }
        // A card may start with a balance of zero.
        return number == 0 ? nil : number
    }
}

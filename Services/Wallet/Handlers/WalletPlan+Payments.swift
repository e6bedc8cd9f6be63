import Bus
import Contracts
import Storage

/// Asks that move money or close a charge's id, and reads of what one operation did.
extension WalletPlan {
    static func postPayment(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let post = try parse(Wallet.PostPayment.self, ask)
        return .pay(post, JournaledCause(ask))
    }

    static func closePayment(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let close = try parse(Wallet.ClosePayment.self, ask)
        let cause = JournaledCause(ask)
        return .operate { try $0.decide(close, cause: cause).outcome(Wallet.ClosePayment.Reply.self) }
    }

    static func postRefund(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let refund = try parse(Wallet.PostRefund.self, ask)
        let cause = JournaledCause(ask)
        return .operate { try $0.decide(refund, cause: cause).outcome(Wallet.PostRefund.Reply.self) }
    }

    static func postTransfer(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let transfer = try parse(Wallet.PostTransfer.self, ask)
        let cause = JournaledCause(ask)
        return .operate { try $0.decide(transfer, cause: cause).outcome(Wallet.PostTransfer.Reply.self) }
    }

    static func readPayment(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let read = try parse(Wallet.ReadPayment.self, ask)
        return .read { ledger in
            guard let row = try ledger.recorded(read.payment.reinterpreted()), row.kind == .paymentPosted else {
                return .fault(Fault(.paymentNotFound))
            }
            return Decision.recorded(row, replayed: true).outcome(Wallet.ReadPayment.Reply.self)
        }
    }

    static func readTransfer(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let read = try parse(Wallet.ReadTransfer.self, ask)
        return .read { ledger in
            guard let row = try ledger.recorded(read.operation), row.kind == .transferPosted else {
                return .fault(Fault(.transferNotFound))
            }
            guard let posted = try? Wallet.TransferPosted(json: row.body) else {
                throw StoreFailure.damaged("fact \(row.sequence)")
            }
            guard posted.from.party == read.sender else { return .fault(Fault(.transferNotFound)) }
            return Decision.recorded(row, replayed: true).outcome(Wallet.ReadTransfer.Reply.self)
        }
    }
}

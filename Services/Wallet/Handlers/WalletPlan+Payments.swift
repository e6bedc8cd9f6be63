import Bus
import Contracts

/// Asks that move money, or close a charge's id.
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
}

import Bus
import Contracts

/// Asks that move money, or see to it that none moves.
extension WalletPlan {
    static func postPayment(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let post = try parse(Wallet.PostPayment.self, ask)
        // Not the merchant's: a merchant who knew a card's id would else help himself. Where a merchant asks with the
        // customer's consent (a pay code), payments has checked that and asks on its own behalf.
        try ask.allow(customer: post.customer)
        return .pay(post, Cause(ask))
    }

    static func closePayment(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let close = try parse(Wallet.ClosePayment.self, ask)
        // The ask names nobody: who may close this charge is for payments to know, which asks on its own behalf.
        try ask.allow()
        let cause = Cause(ask)
        return .operate { try $0.decide(close, cause: cause).outcome(Wallet.ClosePayment.Reply.self) }
    }

    static func postRefund(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let refund = try parse(Wallet.PostRefund.self, ask)
        try ask.allow(merchant: refund.merchant)
        let cause = Cause(ask)
        return .operate { try $0.decide(refund, cause: cause).outcome(Wallet.PostRefund.Reply.self) }
    }

    static func postTransfer(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let transfer = try parse(Wallet.PostTransfer.self, ask)
        try ask.allow(transfer.from)
        let cause = Cause(ask)
        return .operate { try $0.decide(transfer, cause: cause).outcome(Wallet.PostTransfer.Reply.self) }
    }
}

import Bus
import Contracts

/// Asks about holds.
extension WalletPlan {
    static func placeHold(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let place = try parse(Wallet.PlaceHold.self, ask)
        let cause = JournaledCause(ask)
        return .operate { try $0.decide(place, cause: cause).outcome(Wallet.PlaceHold.Reply.self) }
    }

    static func captureHold(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let capture = try parse(Wallet.CaptureHold.self, ask)
        let (merchant, cause) = (ask.actor?.party, JournaledCause(ask))
        return .operate {
            try $0.decide(capture, actor: merchant, cause: cause).outcome(Wallet.CaptureHold.Reply.self)
        }
    }

    static func voidHold(_ ask: Envelope) throws(Fault) -> WalletPlan {
        let void = try parse(Wallet.VoidHold.self, ask)
        let (merchant, cause) = (ask.actor?.party, JournaledCause(ask))
        return .operate { try $0.decide(void, actor: merchant, cause: cause).outcome(Wallet.VoidHold.Reply.self) }
    }
}

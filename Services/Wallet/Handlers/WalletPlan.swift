import Bus
import Contracts
import Primitives
import Wire

/// The plan for one ask, made before anything is read or written.
enum WalletPlan {
    /// Refused without a look at the ledger.
    case refuse(Fault)
    /// A payment, as most asks are. Allocates nothing until it is decided.
    case pay(Wallet.PostPayment, JournaledCause)
    /// A keyed operation: decided in the group, answered after its commit.
    case operate((inout LedgerGroup) throws -> Outcome)
    /// A change without a key, answered with the state after it. The change returns its refusal, or nil.
    case change((inout LedgerGroup) throws -> Fault?, then: (any LedgerInspecting) throws -> Outcome)
    /// A read. It sees all writes of the batch.
    case read((any LedgerInspecting) throws -> Outcome)

    var writes: Bool {
        switch self {
        case .pay, .operate, .change: true
        case .refuse, .read: false
        }
    }
}

extension WalletPlan {
    static let types: [MessageType] = [
        Wallet.AddCard.type, Wallet.ChooseCard.type, Wallet.ReadCard.type, Wallet.ReadCards.type,
        Wallet.ReloadCard.type, Wallet.OpenAccount.type, Wallet.ReadAccount.type, Wallet.PostPayment.type,
        Wallet.ClosePayment.type, Wallet.PlaceHold.type, Wallet.CaptureHold.type, Wallet.VoidHold.type,
        Wallet.PostRefund.type, Wallet.PostTransfer.type, Wallet.ReadPayment.type, Wallet.ReadTransfer.type,
        Wallet.ReadEntries.type, Wallet.ReadLedger.type, Wallet.VerifyLedger.type
    ]

    /// - Faults: `bus.deadline_exceeded`, `bus.malformed`, `bus.forbidden`, `bus.unknown_type`.
    init(_ inbound: Inbound, now: Timestamp, checks: LedgerChecks) {
        let ask = inbound.envelope
        if let deadline = inbound.deadline, deadline <= now {
            self = .refuse(Fault(.deadlineExceeded))
            return
        }
        do throws(Fault) {
            switch ask.type {
            // Most asks are payments.
            case Wallet.PostPayment.type.name: self = try Self.postPayment(ask)
            case Wallet.AddCard.type.name: self = try Self.addCard(ask)
            case Wallet.ChooseCard.type.name: self = try Self.chooseCard(ask)
            case Wallet.ReadCard.type.name: self = try Self.readCard(ask)
            case Wallet.ReadCards.type.name: self = try Self.readCards(ask)
            case Wallet.ReloadCard.type.name: self = try Self.reloadCard(ask)
            case Wallet.OpenAccount.type.name: self = try Self.openAccount(ask)
            case Wallet.ReadAccount.type.name: self = try Self.readAccount(ask)
            case Wallet.ClosePayment.type.name: self = try Self.closePayment(ask)
            case Wallet.PlaceHold.type.name: self = try Self.placeHold(ask)
            case Wallet.CaptureHold.type.name: self = try Self.captureHold(ask)
            case Wallet.VoidHold.type.name: self = try Self.voidHold(ask)
            case Wallet.PostRefund.type.name: self = try Self.postRefund(ask)
            case Wallet.PostTransfer.type.name: self = try Self.postTransfer(ask)
            case Wallet.ReadPayment.type.name: self = try Self.readPayment(ask)
            case Wallet.ReadTransfer.type.name: self = try Self.readTransfer(ask)
            case Wallet.ReadEntries.type.name: self = try Self.readEntries(ask)
            case Wallet.ReadLedger.type.name: self = try Self.readLedger(ask, checks)
            case Wallet.VerifyLedger.type.name: self = try Self.verifyLedger(ask, now: now, checks)
            default: self = .refuse(Fault(.unknownType))
            }
        } catch {
            self = .refuse(error)
        }
    }

    static func parse<A: Ask>(_ type: A.Type, _ ask: Envelope) throws(Fault) -> A {
        try A(admitting: ask.data, of: ask.actor)
    }
}

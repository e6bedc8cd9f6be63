import Contracts
import Primitives
import Wire

/// The facts of the wallet by the code that is stored. A code is never given to another fact.
package enum FactKind: Int64, Sendable, CaseIterable {
    case cardAdded = 1
    case cardReloaded = 2
    case accountOpened = 3
    case paymentPosted = 4
    case paymentClosed = 5
    case holdPlaced = 6
    case holdCaptured = 7
    case holdVoided = 8
    case holdExpired = 9
    case refundPosted = 10
    case transferPosted = 11
    case operationDeclined = 12

    package var type: MessageType {
        switch self {
        case .cardAdded: Wallet.CardAdded.type
        case .cardReloaded: Wallet.CardReloaded.type
        case .accountOpened: Wallet.AccountOpened.type
        case .paymentPosted: Wallet.PaymentPosted.type
        case .paymentClosed: Wallet.PaymentClosed.type
        case .holdPlaced: Wallet.HoldPlaced.type
        case .holdCaptured: Wallet.HoldCaptured.type
        case .holdVoided: Wallet.HoldVoided.type
        case .holdExpired: Wallet.HoldExpired.type
        case .refundPosted: Wallet.RefundPosted.type
        case .transferPosted: Wallet.TransferPosted.type
        case .operationDeclined: Wallet.OperationDeclined.type
        }
    }
}

/// What became of one operation: at once the record of its id, the fact that tells of it, and the answer to a repeat.
package struct JournalRow: Equatable, Sendable {
    /// The fact's place in the wallet's sequence: 1, 2, 3 … without a gap.
    package let sequence: Int64
    /// Absent where nobody chose an id: an account's opening, the end of a hold.
    package let operation: OperationID?
    /// Of the ask under that id.
    package let fingerprint: Fingerprint?
    package let kind: FactKind
    package let time: Timestamp
    package let cause: JournaledCause
    /// The fact's JSON, written once.
    package let body: [UInt8]
    /// 32 bytes; see `digest(after:key:_:)`.
    package var hash: [UInt8]

    package init(
        sequence: Int64, operation: OperationID?, fingerprint: Fingerprint?, kind: FactKind, time: Timestamp,
        cause: JournaledCause, body: [UInt8], hash: [UInt8] = []
    ) {
        self.sequence = sequence
        self.operation = operation
        self.fingerprint = fingerprint
        self.kind = kind
        self.time = time
        self.cause = cause
        self.body = body
        self.hash = hash
    }
}

/// What the ledger makes of a keyed ask.
package enum Decision: Equatable, Sendable {
    /// The journal has it: a fact, or a refusal for good (`FactKind.operationDeclined`).
    case recorded(JournalRow, replayed: Bool)
    /// Refused, and nothing is kept of it.
    case refused(Fault)
}

extension JournalRow {
    /// The answer to a repeated id.
    ///
    /// - Faults: `wallet.id_reused` when the id was used for something else.
    package func replay(for fingerprint: Fingerprint) -> Decision {
        self.fingerprint == fingerprint ? .recorded(self, replayed: true) : .refused(Fault(.idReused))
    }

    /// The refusal that it records; nil for a success.
    package func recordedFault(replayed: Bool) -> Fault? {
        guard kind == .operationDeclined else { return nil }
        guard let declined = try? Wallet.OperationDeclined(json: body), let code = Self.codes[declined.code] else {
            // A row that this program did not write. The operation is final, but its reason is lost.
            return Fault(.unavailable)
        }
        return Fault(code, declined.detail, replayed: replayed)
    }

    /// Every refusal that can have been recorded.
    private static let codes: [String: FaultCode] = Dictionary(
        [
            Wallet.AddCard.faults, Wallet.ReloadCard.faults, Wallet.PostPayment.faults, Wallet.PlaceHold.faults,
            Wallet.CaptureHold.faults, Wallet.VoidHold.faults, Wallet.PostRefund.faults, Wallet.PostTransfer.faults
        ].joined().map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}

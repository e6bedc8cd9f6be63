import Contracts
import Primitives
import Wire

/// The facts of the wallet by their stored codes. No code is ever reused.
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

/// The outcome of one operation: the record of its id, its fact, and the answer to a repeat, in one row.
package struct JournalRow: Equatable, Sendable {
    /// The fact's sequence: 1, 2, 3 … without a gap.
    package let sequence: Int64
    /// Nil where nobody chose an id: the opening of an account, the expiry of a hold.
    package let operation: OperationID?
    /// The fingerprint of the ask.
    package let fingerprint: Fingerprint?
    package let kind: FactKind
    package let time: Timestamp
    package let cause: JournaledCause
    /// The fact's JSON, as it was written first.
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

/// The ledger's decision on a keyed ask.
package enum Decision: Equatable, Sendable {
    /// The journal has a row for it: a fact, or a final refusal (`FactKind.operationDeclined`).
    case recorded(JournalRow, replayed: Bool)
    /// Refused without a record.
    case refused(Fault)
}

extension JournalRow {
    /// The answer to a repeated id.
    ///
    /// - Faults: `wallet.id_reused` if the id has other content.
    package func replay(for fingerprint: Fingerprint) -> Decision {
        self.fingerprint == fingerprint ? .recorded(self, replayed: true) : .refused(Fault(.idReused))
    }

    /// The recorded refusal; nil for a success.
    package func recordedFault(replayed: Bool) -> Fault? {
        guard kind == .operationDeclined else { return nil }
        guard let declined = try? Wallet.OperationDeclined(json: body), let code = Self.codes[declined.code] else {
            // This program did not write the row. The refusal is final, and its reason is lost.
            return Fault(.unavailable)
        }
        return Fault(code, declined.detail, replayed: replayed)
    }

    /// Every refusal that can be recorded.
    private static let codes: [String: FaultCode] = Dictionary(
        [
            Wallet.AddCard.faults, Wallet.ReloadCard.faults, Wallet.PostPayment.faults, Wallet.PlaceHold.faults,
            Wallet.CaptureHold.faults, Wallet.VoidHold.faults, Wallet.PostRefund.faults, Wallet.PostTransfer.faults
        ].joined().map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}

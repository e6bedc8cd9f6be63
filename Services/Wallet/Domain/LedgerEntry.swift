import Contracts
import Primitives
import Sodium

/// One movement of money between two accounts. It is never changed or removed, and its hash chains it to the previous
/// entry.
///
/// Money leaves the `debit` account and reaches the `credit` account. Each side names the previous entry of its
/// account, so that an account's history is a linked list without an index.
package struct LedgerEntry: Equatable, Sendable {
    /// 1, 2, 3 … without a gap.
    package let number: Int64
    package let operation: OperationID
    package let kind: Wallet.EntryKind
    package let debit: AccountID
    package let credit: AccountID
    /// In minor units, above zero.
    package let amount: Int64
    package let currency: Currency
    /// The accounts' balances after the entry, in minor units.
    package let debitAfter: Int64
    package let creditAfter: Int64
    /// The accounts' previous entries; 0 for none.
    package let debitPrevious: Int64
    package let creditPrevious: Int64
    /// May be earlier than the previous entry's time: entries are ordered by number.
    package let time: Timestamp
    package let memo: String
    /// 32 bytes; see `digest(after:)`.
    package var hash: [UInt8] = []

    package init(
        number: Int64, operation: OperationID, kind: Wallet.EntryKind, debit: AccountID, credit: AccountID,
        amount: Int64, currency: Currency, debitAfter: Int64, creditAfter: Int64, debitPrevious: Int64,
        creditPrevious: Int64, time: Timestamp, memo: String, hash: [UInt8] = []
    ) {
        self.number = number
        self.operation = operation
        self.kind = kind
        self.debit = debit
        self.credit = credit
        self.amount = amount
        self.currency = currency
        self.debitAfter = debitAfter
        self.creditAfter = creditAfter
        self.debitPrevious = debitPrevious
        self.creditPrevious = creditPrevious
        self.time = time
        self.memo = memo
        self.hash = hash
    }
}

extension LedgerEntry {
    /// The hash before the first entry.
    package static let genesis = [UInt8](repeating: 0, count: 32)

    /// SHA-256 of the previous entry's hash (32 bytes) followed by this entry's canonical bytes.
    ///
    /// Canonical bytes, integers big-endian and signed ones in two's complement:
    /// version `01` · number (8) · operation (16) · kind code (1) · debit (16) · credit (16) · amount (8) ·
    /// currency (3 letters) · balances after, debit's and credit's (8 + 8) · previous entries, debit's and credit's
    /// (8 + 8) · time in milliseconds since 1970 (8) · length of the memo in bytes (4) · memo (UTF-8).
    package func digest(after previous: [UInt8]) -> [UInt8] {
        var memo = memo
        return memo.withUTF8 { memo in
            // Built on the stack, as every payment is hashed.
            withUnsafeTemporaryAllocation(byteCount: previous.count + Self.fixedBytes + memo.count, alignment: 1) {
                var bytes = CanonicalBytes($0)
                previous.withUnsafeBytes { bytes.append($0) }
                bytes.append(1 as UInt8)
                bytes.append(number)
                bytes.append(operation)
                bytes.append(UInt8(truncatingIfNeeded: kind.storedCode))
                bytes.append(debit)
                bytes.append(credit)
                bytes.append(amount)
                for letter in currency.code.utf8 { bytes.append(letter) }
                bytes.append(debitAfter)
                bytes.append(creditAfter)
                bytes.append(debitPrevious)
                bytes.append(creditPrevious)
                bytes.append(time.milliseconds)
                bytes.append(UInt32(memo.count))
                bytes.append(UnsafeRawBufferPointer(memo))
                return Digest.sha256(bytes.written)
            }
        }
    }

    /// Bytes of the canonical form without the memo.
    private static let fixedBytes = 113
}

extension LedgerEntry {
    /// An entry from the side of one of its accounts; nil for any other account.
    package func side(of account: AccountID) -> Side? {
        if account == debit { return Side(change: -amount, after: debitAfter, previous: debitPrevious) }
        if account == credit { return Side(change: amount, after: creditAfter, previous: creditPrevious) }
        return nil
    }

    package struct Side: Equatable, Sendable {
        /// In minor units; negative for money that left.
        package let change: Int64
        package let after: Int64
        package let previous: Int64
    }
}

extension Wallet.EntryKind {
    /// The code that is stored and hashed. None is ever reused.
    package var storedCode: Int64 {
        switch self {
        case .opening: 1
        case .reload: 2
        case .payment: 3
        case .capture: 4
        case .refund: 5
        case .transfer: 6
        }
    }

    package init?(storedCode: Int64) {
        guard let kind = Self.allCases.first(where: { $0.storedCode == storedCode }) else { return nil }
        self = kind
    }
}

import Contracts
import Primitives
import Storage

/// Reads rows of the ledger's tables, with columns in the order of `SQLLedger`'s queries. A value that the schema
/// forbids is `StoreFailure.damaged`.
extension Row {
    func account() throws(StoreFailure) -> LedgerAccount {
        guard let kind = AccountKind(rawValue: int64(1)) else { throw .damaged("an account's kind") }
        return LedgerAccount(
            id: try id(0), kind: kind, owner: try id(2), currency: try currency(3), balance: int64(4),
            held: int64(5), lastEntry: int64(6))
    }

    func journalRow() throws(StoreFailure) -> JournalRow {
        guard let kind = FactKind(rawValue: int64(3)) else { throw .damaged("a fact's kind") }
        let cause = JournaledCause(
            correlation: isNull(5) ? nil : text(5), causation: isNull(6) ? nil : text(6),
            trace: isNull(7) ? nil : TraceContext(stored: bytes(7)))
        return JournalRow(
            sequence: int64(0), operation: isNull(1) ? nil : try id(1), fingerprint: isNull(2) ? nil : try id(2),
            kind: kind, time: Timestamp(milliseconds: int64(4)), cause: cause, body: bytes(8), hash: bytes(9))
    }

    func hold() throws(StoreFailure) -> Hold {
        guard let state = Hold.State(rawValue: int64(6)) else { throw .damaged("a hold's state") }
        return Hold(
            id: try id(0), card: try id(1), customer: try id(2), merchant: try id(3), amount: int64(4),
            expires: Timestamp(milliseconds: int64(5)), state: state, captured: int64(7),
            ended: isNull(8) ? nil : int64(8))
    }

    func refundTotal() throws(StoreFailure) -> RefundTotal {
        RefundTotal(payment: try id(0), captured: int64(1), refunded: int64(2), newest: int64(3))
    }

    func card() throws(StoreFailure) -> CardRecord {
        CardRecord(
            card: try id(0), customer: try id(1), numberDigest: bytes(2), lastFour: text(3), position: int64(4))
    }

    func entry() throws(StoreFailure) -> LedgerEntry {
        guard let kind = Wallet.EntryKind(storedCode: int64(2)) else { throw .damaged("an entry's kind") }
        return LedgerEntry(
            number: int64(0), operation: try id(1), kind: kind, debit: try id(3), credit: try id(4),
            amount: int64(5), currency: try currency(6), debitAfter: int64(7), creditAfter: int64(8),
            debitPrevious: int64(9), creditPrevious: int64(10), time: Timestamp(milliseconds: int64(11)),
            memo: text(12), hash: bytes(13))
    }

    private func currency(_ column: Int) throws(StoreFailure) -> Currency {
        guard let currency = withText(column, { Currency(letters: $0) }) else { throw .damaged("a currency") }
        return currency
    }
}

extension TraceContext {
    /// Trace-id (16 bytes), then the flags.
    var stored: [UInt8] { trace.bytes + [flags] }

    init?(stored: [UInt8]) {
        guard stored.count == 17, let trace = TraceID(bytes: stored.prefix(16)) else { return nil }
        self.init(trace: trace, flags: stored[16])
    }
}

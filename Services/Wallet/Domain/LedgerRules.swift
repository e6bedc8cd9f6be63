import Contracts
import Primitives
import Sodium

/// The rules of the ledger. The values here are the defaults of `WalletConfig`.
package struct LedgerRules: Sendable {
    /// The one currency of this ledger.
    package var currency: Currency
    /// The balance of a new card, in minor units: $16.50.
    package var openingBalanceMinor: Int64
    /// The largest amount of one operation, in minor units.
    package var amountMaxMinor: Int64
    /// Cards of one customer. Keeps a list of them within one envelope.
    package var cardsMax: Int
    /// In bytes of UTF-8. Keeps every fact far below the size of an envelope, even with all characters escaped.
    package var memoBytesMax: Int
    /// The longest life of a hold: money must not be reserved for ever.
    package var holdSpanMax: Duration
    /// 32 secret bytes, kept apart from the file: card numbers are stored as keyed digests only.
    package let cardNumberKey: [UInt8]
    /// The key of the journal's chain, derived from the other. Without it nobody can compute a matching hash.
    package let chainKey: [UInt8]

    package init(
        cardNumberKey: [UInt8], currency: Currency = .usd, openingBalanceMinor: Int64 = 1650,
        amountMaxMinor: Int64 = 100_000_000, cardsMax: Int = 100, memoBytesMax: Int = 512,
        holdSpanMax: Duration = .seconds(31 * 86_400)
    ) {
        precondition(cardNumberKey.count == 32, "the key of card numbers has 32 bytes")
        precondition((0...LedgerAccount.balanceMax).contains(openingBalanceMinor), "opening balance out of range")
        precondition((1...LedgerAccount.balanceMax).contains(amountMaxMinor), "largest amount out of range")
        self.cardNumberKey = cardNumberKey
        chainKey = Digest.blake2b(Array("billfold journal chain".utf8), key: cardNumberKey)
        self.currency = currency
        self.openingBalanceMinor = openingBalanceMinor
        self.amountMaxMinor = amountMaxMinor
        self.cardsMax = cardsMax
        self.memoBytesMax = memoBytesMax
        self.holdSpanMax = holdSpanMax
    }
}

extension LedgerRules {
    /// Why an amount can never be moved in this ledger; nil if it can.
    package func fault(of amount: Money) -> Fault? {
        guard amount.currency == currency else { return Fault(.currencyMismatch) }
        guard (1...amountMaxMinor).contains(amount.amount) else {
            return Fault(.amountInvalid, "An amount is 1 to \(amountMaxMinor) in minor units")
        }
        return nil
    }

    package func fault(ofMemo memo: String) -> Fault? {
        guard memo.utf8.count <= memoBytesMax else {
            return Fault(.malformed, "'memo' is longer than \(memoBytesMax) bytes")
        }
        return memo.isShown ? nil : Fault(.malformed, "'memo' must not hold control or invisible characters")
    }

    /// Equal numbers have equal digests. Without the key, nobody can find numbers by trial.
    package func digest(ofNumber number: Digits) -> [UInt8] {
        Digest.blake2b(Array(number.text.utf8), key: cardNumberKey)
    }

    /// Shows whether a file was written with the same key. Another key would let every card be added again.
    package var keyCheck: [UInt8] { Digest.blake2b(Array("billfold card number key".utf8), key: cardNumberKey) }
}

import Contracts
import Primitives
import Sodium

/// What the ledger allows. The values here are the defaults of `WalletConfig`.
package struct LedgerRules: Sendable {
    /// The one currency of this ledger: its accounts, and so all that moves between them, are in it.
    package var currency: Currency
    /// On every new card, minor units: $16.50 (000-95).
    package var openingBalanceMinor: Int64
    /// The most that one operation may move, minor units.
    package var amountMaxMinor: Int64
    /// Cards that one customer may have; keeps a list of them within one envelope.
    package var cardsMax: Int
    /// Bytes of UTF-8; keeps every fact, with all its characters escaped, far below one envelope.
    package var memoBytesMax: Int
    /// How far ahead a hold may end: money must not be set aside for ever.
    package var holdSpanMax: Duration
    /// 32 secret bytes, kept apart from the file: card numbers are stored as keyed digests only.
    package let cardNumberKey: [UInt8]
    /// Of the chain over the journal, derived from the other: without it nobody can compute a hash that fits.
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
    /// Why an amount can never be moved here, or nil.
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

    /// Equal numbers have equal digests; without the key nobody can try out numbers.
    package func digest(ofNumber number: Digits) -> [UInt8] {
        Digest.blake2b(Array(number.text.utf8), key: cardNumberKey)
    }

    /// Tells whether a file was written under the same key. Another key would let every card be added again.
    package var keyCheck: [UInt8] { Digest.blake2b(Array("billfold card number key".utf8), key: cardNumberKey) }
}

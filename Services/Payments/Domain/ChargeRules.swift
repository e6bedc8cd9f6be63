import Contracts
import Primitives

/// What an amount and a text have to be before anything is asked of the wallet.
package struct ChargeRules: Sendable {
    /// The one currency of this set.
    package var currency: Currency
    /// The largest single charge, in minor units (A50).
    package var amountMax: Int64
    /// How long a requested charge waits for its customer (A55).
    package var approvalTime: Duration
    /// How long a pay code can be redeemed: a bar code that is photographed is worth little a minute later.
    package var codeTime: Duration
    /// Whether a charge has to name the place where its customer is (001-51). Otherwise it may.
    package var presenceRequired: Bool
    /// Requests of one merchant that may wait for one customer.
    package var waitingMax: Int
    /// Requests of one merchant within a minute that nobody has paid.
    package var unpaidPerMinute: Int

    package init(
        currency: Currency = .usd, amountMax: Int64 = 1_000_000, approvalTime: Duration = .seconds(300),
        codeTime: Duration = .seconds(60), presenceRequired: Bool = false, waitingMax: Int = 10,
        unpaidPerMinute: Int = 600
    ) {
        self.currency = currency
        self.amountMax = amountMax
        self.approvalTime = approvalTime
        self.codeTime = codeTime
        self.presenceRequired = presenceRequired
        self.waitingMax = waitingMax
        self.unpaidPerMinute = unpaidPerMinute
    }

    package func check(_ amount: Money, memo: String = "") throws(Fault) {
        guard amount.currency == currency else {
            throw Fault(.currencyMismatch, "this set pays in \(currency.code)")
        }
        guard amount.amount <= amountMax else {
            throw Fault(.amountTooLarge, "at most \(Money(amountMax, currency).display) at a time")
        }
        guard memo.isShown else { throw Fault(.malformed, "'memo' must not hold control or invisible characters") }
    }
}

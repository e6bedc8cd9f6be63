import Contracts
import Primitives

/// The limits of payments: amounts, texts and times.
package struct ChargeRules: Sendable {
    /// The one currency of this set.
    package var currency: Currency
    /// The largest single charge, in minor units.
    package var amountMax: Int64
    /// How long a requested charge waits for its customer.
    package var approvalTime: Duration
    /// How long a pay code can be redeemed. Short, so that a photograph of it is soon worthless.
    package var codeTime: Duration
    /// Whether a request must name the place where its customer is.
    package var presenceRequired: Bool
    /// Requests of one merchant that may wait for one customer at once.
    package var waitingMax: Int
    /// Unpaid requests of one merchant per minute.
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

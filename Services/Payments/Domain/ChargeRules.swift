import Contracts
import Primitives

/// Which customers a merchant may request money from.
package enum ChargePresence: String, Sendable, CaseIterable {
    /// Those at the place that the request names.
    case required
    /// Those at one of the merchant's places, and those who know it: they have paid it, subscribed to it or allowed it.
    case known
    /// All.
    case optional
}

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
    /// Which customers a merchant may request money from.
    package var presence: ChargePresence
    /// Requests of one merchant that may wait for one customer at once.
    package var waitingMax: Int
    /// Unpaid requests of one merchant per minute.
    package var unpaidPerMinute: Int
    /// Typed codes of one merchant per minute that nobody was given.
    package var guessesPerMinute = 10
    /// Merchants that one customer may allow by name.
    package var permissionsMax = 200

    package init(
        currency: Currency = .usd, amountMax: Int64 = 1_000_000, approvalTime: Duration = .seconds(300),
        codeTime: Duration = .seconds(60), presence: ChargePresence = .known, waitingMax: Int = 10,
        unpaidPerMinute: Int = 600
    ) {
        self.currency = currency
        self.amountMax = amountMax
        self.approvalTime = approvalTime
        self.codeTime = codeTime
        self.presence = presence
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

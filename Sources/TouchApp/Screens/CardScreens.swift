import Primitives

/// The card that pays, its balance, and the way to pay with it.
package struct MainScreen: Screen {
    package static let name = ScreenName.main
    package static let chain = TouchChain<any Command>(
        Button(x: 3, y: 3, "Pay", Show(.pay)), Button(x: 2, y: 4, "Options", Show(.options)))

    package private(set) var card = KnownCard.unknown

    package init() {}

    package func display() -> String {
        switch card {
        case .some(let card): card.balance.display
        case .none: Money(0).display
        case .unknown: "Balance unknown"
        }
    }

    package var details: [String] {
        if case .some(let card) = card { ["Card \(card.lastFour)"] } else { [] }
    }

    package var reading: (any Command)? { ReadCard() }

    package mutating func cardChanged(_ card: KnownCard) { self.card = card }
}

/// Shows a pay code to the merchant's scanner, and pays at a touch.
package struct PayScreen: Screen {
    package static let name = ScreenName.pay
    package static let chain = TouchChain<any Command>(
        Button(row: 2, "Pay", Pay()), Button(x: 3, y: 3, "My Cards", Show(.main)))

    package var payCode: PayCode?
    /// Whether the last try to get a code found payments disabled.
    package var isDisabled = false
    /// Of the payment just made.
    package var receipt: PaymentReceipt?

    package init() {}

    package func display() -> String { "Scan Now" }

    package var offersPayment: Bool { true }

    package var details: [String] { payCode.map { [Display.line(of: $0)] } ?? [] }
    package var reading: (any Command)? { ReadPayCode() }

    package mutating func forgetResults() { receipt = nil }

    package func fill(_ display: inout Display) {
        display.payCode = payCode
        if isDisabled { display.payHindrance = .paymentsDisabled }
        display.receipt = receipt.map {
            Display.ShownReceipt(
                operation: $0.operation, amount: $0.amount, lastFour: $0.card.lastFour, balance: $0.card.balance,
                entry: $0.entry, time: $0.time)
        }
    }
}

package struct OptionsScreen: Screen {
    package static let name = ScreenName.options
    package static let chain = TouchChain<any Command>(
        Button(row: 5, "Reload", Reload()), Button(row: 6, "Refresh Balance", RefreshBalance()),
        Button(row: 7, "More Options", Show(.moreOptions)))

    package init() {}

    package func display() -> String { "Reload, Refresh Balance, or More Options" }

    package var offersReload: Bool { true }

    package var topLeft: CommandKey? { CommandKey("Back", Show(.main)) }
}

package struct MoreOptionsScreen: Screen {
    package static let name = ScreenName.moreOptions
    package static let chain = TouchChain<any Command>(
        Button(row: 5, "Refresh", RefreshBalance()), Button(row: 6, "Reload", Reload()),
        Button(row: 7, "View Recent Transactions", ViewTransactions()))

    /// Newest first; nil until they are asked for.
    package var transactions: [CardTransaction]?

    package init() {}

    package func display() -> String { "Refresh, Reload or View Recent Transactions" }

    package var offersReload: Bool { true }

    package var topLeft: CommandKey? { CommandKey("Back", Show(.options)) }
    package var topRight: CommandKey? { CommandKey("Next Card", ChooseNextCard()) }

    package var details: [String] {
        (transactions ?? []).map {
            "\(Self.minute($0.time)) \($0.kind) \($0.amount.display), balance \($0.balance.display)"
        }
    }

    package var reading: (any Command)? { transactions == nil ? nil : ViewTransactions() }

    package mutating func forgetResults() { transactions = nil }
    package func fill(_ display: inout Display) { display.transactions = transactions }

    /// `2026-11-21 09:30`, in UTC.
    private static func minute(_ time: Timestamp) -> String {
        let text = time.rfc3339
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    }
}

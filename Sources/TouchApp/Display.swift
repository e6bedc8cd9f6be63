import Primitives
import Wire

/// All that a device shows at one moment, as a value: pages draw it, tests compare it, JSON carries it.
package struct Display: FastCoded, Hashable {
    /// The Screen Name, such as `My Cards - Main`.
    package let screen: String
    /// What the screen's own `display()` gives.
    package let words: String
    /// All lines below the name: the words, what has been asked for, then a notice or an error.
    package internal(set) var lines: [String]
    /// 8 rows of 3 labels; an empty one is where a touch means nothing.
    package let grid: [[String]]
    /// The five labels of the menu bar.
    package let menu: [String]
    /// Whether the menu bar does anything: not before the PIN.
    package let menuActive: Bool
    /// Label of the command; absent where it does nothing.
    package internal(set) var topLeft: String?
    package internal(set) var topRight: String?
    /// How many digits of the PIN have been entered; on the Pin Screen only.
    package internal(set) var passcode: Int?
    /// When the next PIN is looked at, after too many wrong ones.
    package internal(set) var nextPin: Timestamp?
    /// The card that pays; absent before the PIN, and while there is none.
    package internal(set) var card: ShownCard?
    package internal(set) var payCode: PayCode?
    /// The name of whom the next touch will pay, where it is known.
    package internal(set) var payee: String?
    /// What the next touch will pay, and the next reload put on the card; on screens where it can.
    package internal(set) var payAmount: Money?
    package internal(set) var reloadAmount: Money?
    /// Why a touch would pay nothing, as far as is known.
    package internal(set) var payHindrance: PayHindrance?
    /// Of the payment just made.
    package internal(set) var receipt: ShownReceipt?
    package internal(set) var fields: [EntryField]?
    package internal(set) var transactions: [CardTransaction]?
    package internal(set) var paymentsEnabled: Bool?
    package internal(set) var rewards: Rewards?
    package internal(set) var stores: [Store]?
    /// What the last touch or command did.
    package internal(set) var notice: String?
    /// Why the last touch or command did nothing.
    package internal(set) var error: String?

    /// For those who may not see the pay code, which stands in a line, too.
    package var withoutPayCode: Display {
        guard let payCode else { return self }
        var display = self
        display.lines.removeAll { $0 == Self.line(of: payCode) }
        display.payCode = nil
        return display
    }

    static func line(of code: PayCode) -> String { "Code \(code.code)" }

    package enum PayHindrance: String, WireValue, Codable, CaseIterable {
        case noCard = "no_card"
        case paymentsDisabled = "payments_disabled"
        case insufficientFunds = "insufficient_funds"
    }

    package struct ShownCard: FastCoded, WireValue, Hashable {
        package let lastFour: String
        package let balance: Money
    }

    package struct ShownReceipt: FastCoded, WireValue, Hashable {
        package let operation: OperationID
        package let amount: Money
        package let lastFour: String
        package let balance: Money
        /// The ledger entry that moved the money.
        package let entry: Int64
        package let time: Timestamp
    }

    package struct EntryField: FastCoded, WireValue, Hashable {
        package let label: String
        package let digits: String
        package let digitsMax: Int
        package let focused: Bool
    }

    /// The Screen Name, and below it the lines.
    package var text: String { ([screen] + lines).joined(separator: "\n") }
}

extension Display {
    init(of app: App, menu: [String], rules: AppRules) {
        let display = app.screen.display()
        screen = app.screen.name.rawValue
        words = display
        lines =
            display.split(separator: "\n").map(String.init) + app.screen.details + (app.note.map { [$0.text] } ?? [])
        grid = app.screen.grid
        self.menu = menu
        menuActive = app.isUnlocked
        topLeft = app.screen.topLeft?.label
        topRight = app.screen.topRight?.label
        if case .some(let card) = app.card, app.isUnlocked {
            self.card = ShownCard(lastFour: card.lastFour, balance: card.balance)
        }
        if let note = app.note {
            if note.isError { error = note.text } else { notice = note.text }
        }
        nextPin = app.note?.nextPIN
        if app.screen.offersPayment {
            (payAmount, payee) = (rules.touchAmount, rules.payee)
            payHindrance = Self.hindrance(app.card, rules.touchAmount)
        }
        if app.screen.offersReload { reloadAmount = rules.reloadAmount }
        app.screen.fill(&self)
    }

    private static func hindrance(_ card: KnownCard, _ amount: Money) -> PayHindrance? {
        switch card {
        case .unknown: nil
        case .none: .noCard
        case .some(let card):
            card.balance.currency == amount.currency && card.balance.amount < amount.amount ? .insufficientFunds : nil
        }
    }
}

import Contracts
import Primitives
import Wire

/// One screen of ordering ahead, with its words in the reader's language. It holds all that a page or a script needs:
/// what is shown, and for each thing to press what to ask and where that leads.
package struct OrderScreen: WireMessage, Equatable {
    package let screen: OrderPosition.Screen
    package let shop: String
    package let title: String
    /// Back to the screen before; absent where there is no way back.
    package let back: Press?
    /// What can be chosen here.
    package let choices: [Item]
    /// Whether several choices may be chosen.
    package let takesSeveral: Bool
    /// What is ordered.
    package let lines: [Line]
    package let total: Total?
    /// What the customer should know besides.
    package internal(set) var note: String?
    package let buttons: [Press]
    package let order: Ordering.OrderID?

    package struct Item: WireMessage, Equatable {
        package let isChosen: Bool
        /// What it costs, `$8.50`.
        package let price: String?
        package let press: Press
    }

    package struct Line: WireMessage, Equatable {
        package let name: String
        package let detail: String
        package let price: String
    }

    package struct Total: WireMessage, Equatable {
        package let label: String
        package let amount: String
    }

    /// Something to press. `act` is asked first, if there is one; `to` is the path of the screen that follows.
    package struct Press: WireMessage, Equatable {
        package let key: String
        package let label: String
        /// Another name that it is known by.
        package let alias: String?
        /// Why it cannot be pressed; absent where it can be.
        package let disabled: String?
        package let act: Act?
        package let to: String
    }

    /// A request of this interface, with an `Idempotency-Key` chosen for each press.
    package struct Act: WireMessage, Equatable {
        package let method: String
        package let path: String
        package let body: Body?
    }

    package struct Body: WireMessage, Equatable {
        package let country: String?
        package let base: String?
        package let extras: [String]?
        package let total: Money?
    }
}

/// Where somebody is in the flow, as a screen's path says it.
package struct OrderPosition: Sendable, Equatable {
    package enum Screen: String, Codable, Sendable, CaseIterable {
        /// The customer chooses a country.
        case start
        /// The customer chooses a base.
        case base
        /// The customer chooses extras.
        case extras
        case checkout
    }

    package var screen: Screen?
    package var base: String?
    package var extras: [String] = []
    /// The screen that led to checkout.
    package var from: Screen?

    package init(screen: Screen?, base: String? = nil, extras: [String] = [], from: Screen? = nil) {
        self.screen = screen
        self.base = base
        self.extras = extras
        self.from = from
    }

    /// Keys of menus need no escapes.
    func path(of merchant: PartyID, in language: Language) -> String {
        var query = ["language=\(language.rawValue)"]
        if let screen { query.append("screen=\(screen.rawValue)") }
        if let base { query.append("base=\(base)") }
        if !extras.isEmpty { query.append("extras=\(extras.joined(separator: ","))") }
        if let from { query.append("from=\(from.rawValue)") }
        return "/v1/menus/\(merchant.hex)/screen?\(query.joined(separator: "&"))"
    }
}

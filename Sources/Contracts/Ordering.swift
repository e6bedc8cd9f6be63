import Primitives
import Wire

/// Order ahead: merchants' menus, customers' orders, and when an order is ready. Orders are paid through `payments`.
package enum Ordering: StateOwner {
    package static let service = "ordering"
    package static var sample: any Fact { OrderFinished.examples.fact }

    package enum Order {}
    package typealias OrderID = Identifier<Order>
    package enum Item {}
    package typealias ItemID = Identifier<Item>

    /// Items that one order may have.
    package static let itemsMax = 20

    // MARK: Menus

    /// Writes a merchant's whole menu. Items that were ordered before keep their prices.
    package struct SetMenu: Ask, Equatable {
        package static let type: MessageType = "ordering.menu.set.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let faults: [FaultCode] = [.menuInvalid, .menuMerchantNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Self(merchant: Samples.merchant, menu: Samples.menu), reply: Samples.hiddenMenu,
                bareReply: Samples.menuView)
        }
        package typealias Reply = MenuView

        package let merchant: PartyID
        package let menu: Menu
    }

    /// Reads a merchant's menu. While no administrator has approved the merchant, nobody else learns that there is one.
    package struct ReadMenu: Ask, Equatable {
        package static let type: MessageType = "ordering.menu.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .anyone
        package static let faults: [FaultCode] = [.menuNotFound]
        package static var examples: Examples<Self> {
            Examples(Self(merchant: Samples.merchant), reply: Samples.hiddenMenu, bareReply: Samples.menuView)
        }
        package typealias Reply = MenuView

        package let merchant: PartyID
    }

    /// The approved merchants that have menus, by name.
    package struct ReadMenus: Ask, Equatable {
        package static let type: MessageType = "ordering.menus.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .anyone
        package static let limits: [Limit<Self>] = [
            .number(\.skip, 0...100_000, example: 20), .number(\.limit, 1...100, example: 20)
        ]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Self(skip: 0, limit: 20),
                reply: Reply(
                    menus: [
                        MenuTitle(merchant: Samples.merchant, merchantName: "Burger Shop", title: Samples.menu.title)
                    ], next: 1),
                bareReply: Reply(menus: [], next: nil))
        }

        package struct Reply: WireMessage, Equatable {
            package let menus: [MenuTitle]
            /// Ask for the next page with this as `skip`; absent when there is none.
            package let next: Int?
        }

        package let skip: Int
        /// 1 to 100.
        package let limit: Int
    }

    package struct MenuTitle: WireMessage, Equatable {
        package let merchant: PartyID
        package let merchantName: String
        package let title: Words
    }

    package struct MenuView: WireMessage, Equatable {
        package let merchant: PartyID
        package let merchantName: String
        package let menu: Menu
        /// Counts changes, from 1.
        package let revision: Int64
        package let changed: Timestamp
        /// True while no administrator has approved the merchant: customers do not see the menu. Absent where they do.
        package let isHidden: Bool?
    }

    /// What a merchant makes and where. A base multiplied by the country's factor, and extras, make an item's price.
    package struct Menu: WireMessage, Equatable {
        package static let limits: [Limit<Self>] = [
            .count(\.countries, 1...20, or: .menuInvalid), .count(\.bases, 1...12, or: .menuInvalid),
            .count(\.extras, 0...30, or: .menuInvalid)
        ]

        /// The shop's sign.
        package let title: Words
        /// What is ordered, such as a burger.
        package let item: Words
        /// Asks for the base, such as «Select the Patty».
        package let baseTitle: Words
        /// Where one chooses the base, as the way back there is called.
        package let baseName: Words
        /// Asks for the extras.
        package let extrasTitle: Words
        package let countries: [Country]
        package let bases: [Option]
        package let extras: [Option]
    }

    /// A text for people.
    package struct Words: WireMessage, Hashable {
        package static let limits: [Limit<Self>] = [
            .text(\.en, 1...60, or: .menuInvalid, example: "Beef"),
            .text(\.de, 1...60, or: .menuInvalid, example: "Rindfleisch")
        ]

        package let en: String
        /// The English text, where it is absent.
        package let de: String?
    }

    package struct Country: WireMessage, Equatable {
        package static let limits: [Limit<Self>] = [
            .text(\.key, of: .username, 1...20, or: .menuInvalid, example: "us"),
            .number(\.factorPercent, 1...10_000, or: .menuInvalid, example: 170)
        ]

        package let key: String
        package let name: Words
        /// The currency of this country's orders. No amount is converted.
        package let currency: Currency
        /// Multiplies the price of a base, in hundredths: 170 is 1.7.
        package let factorPercent: Int64
    }

    /// A base or an extra.
    package struct Option: WireMessage, Equatable {
        package static let limits: [Limit<Self>] = [
            .text(\.key, of: .username, 1...20, or: .menuInvalid, example: "beef"),
            .number(\.price, 0...10_000_000, or: .menuInvalid, example: 500)
        ]

        package let key: String
        package let name: Words
        /// In minor units of the order's currency, before the country's factor.
        package let price: Int64
    }

    // MARK: Orders

    package enum OrderState: String, Codable, Sendable, CaseIterable {
        /// Takes items.
        case open
        /// A payment has been asked for, and its outcome is not known yet.
        case paying
        case paid
        /// The merchant has made it.
        case ready
        /// Ended without payment: thrown away, or the payment was refused and its items are in another order.
        case closed
    }

    package struct OrderView: WireMessage, Equatable {
        package let order: OrderID
        package let state: OrderState
        /// The number by which the customer is called: the merchant's paid orders, counted from 1. Absent before it is
        /// paid.
        package let number: Int64?
        package let merchant: PartyID
        package let merchantName: String
        package let customer: PartyID
        /// Absent where it could not be found out.
        package let customerName: String?
        /// The country's key in the menu.
        package let country: String
        package let countryName: Words
        package let lines: [Line]
        package let total: Money
        package let begun: Timestamp
        package let paid: Timestamp?
        package let ready: Timestamp?
        /// The ledger entry that paid it. The charge has the order's own id.
        package let entry: Int64?
        /// The order that has its items now.
        package let successor: OrderID?
        /// The sum refunded. Absent where nothing was refunded, and where payments cannot say.
        package let refunded: Money?
    }

    /// One item of an order, as it was when it was ordered.
    package struct Line: WireMessage, Equatable {
        package let item: ItemID
        /// What it is, such as a burger.
        package let name: Words
        /// Keys in the menu.
        package let base: String
        package let extras: [String]
        package let baseName: Words
        package let extraNames: [Words]
        package let price: Money
    }

    package struct OrderReply: WireMessage, Equatable {
        package let order: OrderView
        package let replayed: Bool
    }

    /// Begins a customer's order in one country of a merchant's menu. Keyed on `order`.
    ///
    /// A customer has one order at a merchant at a time. An empty one gives way to the new one.
    package struct BeginOrder: Ask, Equatable {
        package static let type: MessageType = "ordering.order.begin.v1"
        package static let effect: Effect<Self> = .keyed(by: \.order)
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [
            .text(\.country, of: .username, 1...20, or: .malformed, example: "us")
        ]
        package static let faults: [FaultCode] = [.menuNotFound, .choiceUnknown, .orderOpen, .orderIDReused]
        package static var examples: Examples<Self> {
            Examples(
                Self(order: Samples.order, customer: Samples.customer, merchant: Samples.merchant, country: "us"),
                reply: OrderReply(order: Samples.openOrder, replayed: false))
        }
        package typealias Reply = OrderReply

        package let order: OrderID
        package let customer: PartyID
        package let merchant: PartyID
        /// The country's key in the menu.
        package let country: String
    }

    /// Adds one item to an open order, at the menu's price. Keyed on `item`.
    package struct AddItem: Ask, Equatable {
        package static let type: MessageType = "ordering.item.add.v1"
        package static let effect: Effect<Self> = .keyed(by: \.item)
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [
            .text(\.base, of: .username, 1...20, or: .malformed, example: "beef"),
            .count(\.extras, 0...30, or: .malformed)
        ]
        package static let faults: [FaultCode] = [
            .orderNotFound, .menuNotFound, .choiceUnknown, .orderNotOpen, .orderFull, .orderIDReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Self(
                    item: Samples.item, order: Samples.order, customer: Samples.customer, base: "beef",
                    extras: ["pickles"]),
                reply: OrderReply(order: Samples.openOrder, replayed: false))
        }
        package typealias Reply = OrderReply

        package let item: ItemID
        package let order: OrderID
        package let customer: PartyID
        /// The base's key in the menu.
        package let base: String
        /// Keys of extras, each once.
        package let extras: [String]
    }

    /// Throws an open order away. Nothing is paid.
    package struct DiscardOrder: Ask, Equatable {
        package static let type: MessageType = "ordering.order.discard.v1"
        package static let effect: Effect<Self> = .keyed(by: \.order)
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = [.orderNotFound, .orderNotOpen]
        package static var examples: Examples<Self> {
            Examples(
                Self(order: Samples.order, customer: Samples.customer),
                reply: OrderReply(order: Samples.order(.closed), replayed: false))
        }
        package typealias Reply = OrderReply

        package let order: OrderID
        package let customer: PartyID
    }

    /// Pays an order by one payment, whose charge has the order's id. Keyed on `order`.
    ///
    /// An order in a currency that cards do not pay in is refused and stays open: nothing is converted. Any other
    /// refused payment closes the order; its items are in the order's `successor` then, which is open.
    package struct PayOrder: Ask, Equatable {
        package static let type: MessageType = "ordering.order.pay.v1"
        package static let effect: Effect<Self> = .keyed(by: \.order)
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [.amount(\.total)]
        package static let faults: [FaultCode] =
            Payments.CreatePayment.faults + [.orderNotFound, .orderEmpty, .totalChanged, .orderClosed]
        package static var examples: Examples<Self> {
            Examples(
                Self(order: Samples.order, customer: Samples.customer, total: Money(920), card: Samples.card),
                bare: Self(order: Samples.order, customer: Samples.customer, total: Money(920)),
                reply: OrderReply(order: Samples.order(.paid), replayed: false))
        }
        package typealias Reply = OrderReply

        package let order: OrderID
        package let customer: PartyID
        /// The total that the customer saw and agreed to. Another one is refused.
        package let total: Money
        /// The default card where none is named.
        package let card: CardID?
    }

    /// The merchant has made a paid order. The customer is told.
    package struct FinishOrder: Ask, Equatable {
        package static let type: MessageType = "ordering.order.finish.v1"
        package static let effect: Effect<Self> = .keyed(by: \.order)
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let faults: [FaultCode] = [.orderNotFound, .orderNotPaid]
        package static var examples: Examples<Self> {
            Examples(
                Self(order: Samples.order, merchant: Samples.merchant),
                reply: OrderReply(order: Samples.order(.ready), replayed: false))
        }
        package typealias Reply = OrderReply

        package let order: OrderID
        package let merchant: PartyID
    }

    /// One order, for its customer, or for its merchant once it is paid.
    package struct ReadOrder: Ask, Equatable {
        package static let type: MessageType = "ordering.order.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .onlyOrAdministrator(\.party)
        package static let faults: [FaultCode] = [.orderNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Self(order: Samples.order, party: Samples.customer), bare: Self(order: Samples.order),
                reply: Samples.closedOrder, bareReply: Samples.openOrder)
        }
        package typealias Reply = OrderView

        package let order: OrderID
        /// Absent: an administrator asks, or somebody who acts for nobody.
        package let party: PartyID?
    }

    /// The order that a customer has at a merchant now: what its cart shows.
    package struct ReadCart: Ask, Equatable {
        package static let type: MessageType = "ordering.cart.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Self(customer: Samples.customer, merchant: Samples.merchant), reply: Reply(order: Samples.openOrder),
                bareReply: Reply(order: nil))
        }

        package struct Reply: WireMessage, Equatable {
            /// Absent where the customer has none.
            package let order: OrderView?
        }

        package let customer: PartyID
        package let merchant: PartyID
    }

    /// Paid orders, newest first: a customer's own, or those that came to a merchant.
    package struct ReadOrders: Ask, Equatable {
        package static let type: MessageType = "ordering.orders.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.party, .customer, .merchant)
        package static let limits: [Limit<Self>] = [
            .number(\.before, 0...Int64.max, example: 77), .number(\.limit, 1...100, example: 20)
        ]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Self(party: Samples.merchant, waiting: true, before: 77, limit: 20),
                bare: Self(party: Samples.merchant, waiting: false, limit: 20),
                reply: Reply(orders: [Samples.order(.ready), Samples.order(.paid)], next: 76),
                bareReply: Reply(orders: [], next: nil))
        }

        package struct Reply: WireMessage, Equatable {
            package let orders: [OrderView]
            /// Ask for the next page with this as `before`; absent when there is none.
            package let next: Int64?
        }

        package let party: PartyID
        /// Only orders that are not ready yet.
        package let waiting: Bool
        package let before: Int64?
        /// 1 to 100.
        package let limit: Int
    }
}

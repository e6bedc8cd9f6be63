import Primitives
import Wire

extension Ordering {
    package struct MenuChanged: Fact, Equatable {
        package static let type: MessageType = "ordering.menu.changed.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(Self(merchant: Samples.merchant, revision: 3, time: Samples.time))
        }

        package let merchant: PartyID
        package let revision: Int64
        package let time: Timestamp
    }

    /// A payment is being asked for under the order's id. `OrderPaid` follows if it succeeds.
    package struct OrderPlaced: Fact, Equatable {
        package static let type: MessageType = "ordering.order.placed.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Self(
                    order: Samples.order, merchant: Samples.merchant, customer: Samples.customer, total: Money(920),
                    time: Samples.time))
        }

        package let order: OrderID
        package let merchant: PartyID
        package let customer: PartyID
        package let total: Money
        package let time: Timestamp
    }

    /// An order has come to its merchant, and is paid.
    package struct OrderPaid: Fact, Equatable {
        package static let type: MessageType = "ordering.order.paid.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Self(
                    order: Samples.order, number: 12, merchant: Samples.merchant, merchantName: "Burger Shop",
                    customer: Samples.customer, customerName: "Ada", total: Money(920), summary: Samples.orderSummary,
                    entry: 1000, time: Samples.time),
                bare: Self(
                    order: Samples.order, number: 12, merchant: Samples.merchant, merchantName: "Burger Shop",
                    customer: Samples.customer, total: Money(920), summary: Samples.orderSummary, entry: 1000,
                    time: Samples.time))
        }

        package let order: OrderID
        package let number: Int64
        package let merchant: PartyID
        package let merchantName: String
        package let customer: PartyID
        package let customerName: String?
        package let total: Money
        /// The items in English, on one line.
        package let summary: String
        /// The ledger entry that paid it.
        package let entry: Int64
        package let time: Timestamp
    }

    /// The merchant has made an order: the customer can fetch it.
    package struct OrderFinished: Fact, Equatable {
        package static let type: MessageType = "ordering.order.finished.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Self(
                    order: Samples.order, number: 12, merchant: Samples.merchant, merchantName: "Burger Shop",
                    customer: Samples.customer, time: Samples.later))
        }

        package let order: OrderID
        package let number: Int64
        package let merchant: PartyID
        package let merchantName: String
        package let customer: PartyID
        package let time: Timestamp
    }
}

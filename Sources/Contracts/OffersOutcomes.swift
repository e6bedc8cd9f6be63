import Primitives
import Wire

/// What came of an offer: whom it reached, and what they paid.
extension Offers {
    /// Remembers that the customer has looked at a deal. The first look counts.
    package struct SeeDeal: Ask, Equatable {
        package static let type: MessageType = "offers.deal.see.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = [.offerNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Offers.SeeDeal(customer: Samples.customer, offer: Samples.offer),
                reply: Offers.SeeDeal.Reply(seen: Samples.time))
        }

        package struct Reply: WireMessage, Equatable {
            /// When the customer looked at it first.
            package let seen: Timestamp
        }

        package let customer: PartyID
        package let offer: OfferID
    }

    /// What came of an offer since it was submitted, through all its revisions: for its merchant and for the
    /// administrator.
    package struct ReadOutcome: Ask, Equatable {
        package static let type: MessageType = "offers.outcome.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .any(.merchant, .administrator)
        package static let faults: [FaultCode] = [.offerNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Offers.ReadOutcome(offer: Samples.offer),
                reply: Offers.ReadOutcome.Reply(
                    offer: Samples.offer, sent: 42, seen: 30, customers: 7, used: 9, discount: Money(450),
                    paid: Money(2700)))
        }

        package struct Reply: WireMessage, Equatable {
            package let offer: OfferID
            /// Customers who were sent it.
            package let sent: Int64
            /// Customers who have looked at it, sent or found.
            package let seen: Int64
            /// Customers who have paid with it, and how often all of them have.
            package let customers: Int64
            package let used: Int64
            /// The sum of its discounts.
            package let discount: Money
            /// The sum paid for these charges. Later refunds are not subtracted.
            package let paid: Money
        }

        package let offer: OfferID
    }
}

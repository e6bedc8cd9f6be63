import Contracts
import Primitives

/// All that an audit looks at: what each service has kept, read over the bus from places that do not know of each
/// other. Plain values, so that tests can falsify them.
///
/// The set goes on while it is read. `Heads` are of the beginning: what lies before them has to have arrived
/// everywhere. Whatever follows from something is read before what it follows from, so that nothing lacks its cause.
package struct Snapshot: Sendable {
    package var heads = Heads()
    package var ledger = Ledger()
    /// What is wrong with a log's own numbers, by source, and how many facts it has.
    package var logs: [String: Log] = [:]
    package var readers: [Reader] = []

    /// The wallet's facts.
    package var moves: [Move] = []
    package var refunds: [Refund] = []
    /// Payments' facts.
    package var captures: [Capture] = []
    package var refundsPublished: [Refund] = []
    /// Payments' records, of all merchants that any fact names, and what could not be read of them.
    package var charges: [Charge] = []
    package var unreadable: [String] = []
    /// Charges of which payments says neither that they are there nor that they are not.
    package var unknownCharges: Set<ChargeID> = []
    /// Why they could not be read: payments does not answer. Nothing is known of receipts then.
    package var silence: Fault?
    /// Offers' facts, and how often each coupon may be used.
    package var redemptions: [Redemption] = []
    package var limits: [OfferID: CouponLimits] = [:]
    /// Ordering's facts: orders whose payments were asked for, and those that were paid.
    package var ordersPlaced: [Order] = []
    package var ordersPaid: [Order] = []
    /// Location's facts.
    package var fences: [Fence] = []
    /// Notifications' facts.
    package var notices: Set<NoticeID> = []
    package var deliveries: [(sequence: Int64, notice: NoticeID)] = []

    package init() {}

    /// The newest fact of each source when the audit began.
    package struct Heads: Sendable, Equatable {
        package var bySource: [String: Int64] = [:]
        package init() {}
        package subscript(source: String) -> Int64 { bySource[source] ?? 0 }
    }

    package struct Ledger: Sendable, Equatable {
        /// The newest entry when the audit began.
        package var entries: Int64 = 0
        /// Minor units, over all accounts.
        package var total: Int64 = 0
        package var checked: Int64 = 0
        /// What the wallet's own check of chain, balances and holds has found.
        package var problems: [String] = []
        /// Times that cannot be right, as it found them; no money is wrong by them.
        package var wrongTimes: [String] = []
        package init() {}
    }

    package struct Log: Sendable, Equatable {
        package var facts = 0
        package var faults: [String] = []
        package init(facts: Int = 0, faults: [String] = []) {
            self.facts = facts
            self.faults = faults
        }
    }

    /// How far one service has read another's facts.
    package struct Reader: Sendable, Equatable {
        package var service: String
        package var source: String
        package var position: Int64
        /// The source's newest fact, read after the position.
        package var head: Int64
        package var isDiverged: Bool
        package init(service: String, source: String, position: Int64, head: Int64, isDiverged: Bool) {
            self.service = service
            self.source = source
            self.position = position
            self.head = head
            self.isDiverged = isDiverged
        }
    }

    /// An order of ordering's. Its charge has the order's id.
    package struct Order: Sendable, Equatable {
        package var charge: ChargeID
        package var customer: PartyID
        package var merchant: PartyID
        /// Minor units.
        package var total: Int64
        /// The ledger entry that paid it; nil where it was only placed.
        package var entry: Int64?
        package init(charge: ChargeID, customer: PartyID, merchant: PartyID, total: Int64, entry: Int64? = nil) {
            self.charge = charge
            self.customer = customer
            self.merchant = merchant
            self.total = total
            self.entry = entry
        }
    }

    /// Money that moved, according to the wallet. Minor units.
    package struct Move: Sendable, Equatable {
        package enum Kind: Sendable, Equatable {
            /// The charge that it is the payment of.
            case payment(ChargeID, customer: PartyID, merchant: PartyID, coupon: OfferID?)
            case other
        }
        package var sequence: Int64
        package var entry: Int64
        package var kind: Kind
        package var amount: Int64
        /// What it did to cards: one, or two where a card's money went to another.
        package var legs: [Leg]
        package init(sequence: Int64, entry: Int64, kind: Kind, amount: Int64, legs: [Leg]) {
            self.sequence = sequence
            self.entry = entry
            self.kind = kind
            self.amount = amount
            self.legs = legs
        }

        /// The card of a payment.
        package var card: CardID? { legs.first?.card }
    }

    package struct Leg: Sendable, Equatable {
        package var card: CardID
        package var change: Int64
        /// The balance after it, where the fact has it.
        package var balance: Int64?
        package init(card: CardID, change: Int64, balance: Int64?) {
            self.card = card
            self.change = change
            self.balance = balance
        }
    }

    package struct Refund: Sendable, Equatable {
        package var sequence: Int64
        package var charge: ChargeID
        package var amount: Int64
        /// In all.
        package var refunded: Int64
        package init(sequence: Int64, charge: ChargeID, amount: Int64, refunded: Int64) {
            self.sequence = sequence
            self.charge = charge
            self.amount = amount
            self.refunded = refunded
        }
    }

    /// A payment that payments has published.
    package struct Capture: Sendable, Equatable {
        package var sequence: Int64
        package var charge: ChargeID
        package var customer: PartyID
        package var merchant: PartyID
        package var card: CardID
        package var amount: Int64
        package var entry: Int64
        package var coupon: OfferID?
        package init(
            sequence: Int64, charge: ChargeID, customer: PartyID, merchant: PartyID, card: CardID, amount: Int64,
            entry: Int64, coupon: OfferID?
        ) {
            self.sequence = sequence
            self.charge = charge
            self.customer = customer
            self.merchant = merchant
            self.card = card
            self.amount = amount
            self.entry = entry
            self.coupon = coupon
        }
    }

    /// A charge as payments has it.
    package struct Charge: Sendable, Equatable {
        package var charge: ChargeID
        package var isCaptured: Bool
        package var customer: PartyID
        package var merchant: PartyID
        package var card: CardID?
        package var amount: Int64
        package var entry: Int64?
        package var refunded: Int64
        package var coupon: OfferID?
        package init(
            charge: ChargeID, isCaptured: Bool, customer: PartyID, merchant: PartyID, card: CardID?, amount: Int64,
            entry: Int64?, refunded: Int64, coupon: OfferID?
        ) {
            self.charge = charge
            self.isCaptured = isCaptured
            self.customer = customer
            self.merchant = merchant
            self.card = card
            self.amount = amount
            self.entry = entry
            self.refunded = refunded
            self.coupon = coupon
        }
    }

    package struct CouponLimits: Sendable, Equatable {
        package var inAll: Int?
        /// One customer's limit; nil also where the terms were changed, as it may have been another one before.
        package var each: Int?
        package init(inAll: Int?, each: Int?) {
            self.inAll = inAll
            self.each = each
        }
    }

    package struct Redemption: Sendable, Equatable {
        package var sequence: Int64
        package var coupon: OfferID
        package var charge: ChargeID
        package var customer: PartyID
        package init(sequence: Int64, coupon: OfferID, charge: ChargeID, customer: PartyID) {
            self.sequence = sequence
            self.coupon = coupon
            self.charge = charge
            self.customer = customer
        }
    }

    /// One step over a fence.
    package struct Fence: Sendable, Equatable {
        package enum Kind: Sendable { case entered, dwelled, exited }
        package var sequence: Int64
        package var kind: Kind
        package var customer: PartyID
        package var place: PlaceID
        package init(sequence: Int64, kind: Kind, customer: PartyID, place: PlaceID) {
            self.sequence = sequence
            self.kind = kind
            self.customer = customer
            self.place = place
        }
    }
}

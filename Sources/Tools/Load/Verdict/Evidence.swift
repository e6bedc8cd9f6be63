import Audit
import Primitives

/// All that the verdict looks at: what was asked and said, and what the set has kept, from several places that do not
/// know of each other. Plain values, so that tests can falsify them.
package struct Evidence {
    /// What the generator asked, and its answers.
    package var journal: Journal
    package var codes: CodeTable
    package var population: Population

    /// The ledger as the wallet sums it up, before the first operation and after the last.
    package var before = LedgerSums()
    package var after = LedgerSums()
    /// What the wallet's own check of its chain and balances found, and how many entries it looked at.
    package var verification = Verification()

    /// Movements in the wallet's facts, in their order, after `before`.
    package var movements: [Movement] = []
    /// Facts' sequences that were missing or came twice in the wallet's log.
    package var walletLogFaults: [String] = []
    /// Entries as the accounts in play have them, behind `before`; of each account as it shows them, newest first.
    package var sides: [EntrySide] = []
    /// Whether all cards in play were walked, or some chosen by chance.
    package var cardsWalked = 0
    package var cardsInPlay = 0

    package var cardBalances: [BalancePair] = []
    package var merchantBalances: [BalancePair] = []

    /// Charges as payments has them, for the merchants in play, made during the run.
    package var charges: [ChargeLine] = []
    /// Receipts that customers have read back, some of them.
    package var receipts: [ReceiptRead] = []
    /// What was asked again under its key, some of it.
    package var repeats: [RepeatRead] = []
    /// Captures in payments' log.
    package var notices: [Notice] = []
    /// Charges that ended unpaid, according to payments' log.
    package var closures: [Closure] = []
    package var paymentsLogFaults: [String] = []
    /// What came over the published stream while it ran.
    package var live = ReceivedNotices(after: 0)

    /// Whether entries that have nothing to do with the run's people are tolerated.
    package var isSharedSet = false
    /// What the generator could not make sense of.
    package var oddReceipts: [String] = []

    /// What location knows of the run's walks; nil in a run without walks.
    package var walks: WalkEvidence?
    /// What payments and offers know of the run's coupons; nil in a run without coupons.
    package var coupons: CouponEvidence?
    /// What ordering knows of the run's orders; nil in a run without orders.
    package var orders: OrderEvidence?
    /// What the wallet and payments know of the run's refunds; nil in a run without refunds.
    package var refunds: RefundEvidence?
    /// What came over the event streams of the run's apps; nil in a run without apps.
    package var streams: StreamEvidence?

    package init(journal: Journal, codes: CodeTable, population: Population) {
        self.journal = journal
        self.codes = codes
        self.population = population
    }
}

package struct LedgerSums: Sendable, Equatable {
    /// Minor units, over all accounts.
    package var total: Int64 = 0
    package var cards: Int64 = 0
    package var merchants: Int64 = 0
    package var others: Int64 = 0
    /// The newest entry's number, and the newest fact's sequence.
    package var entries: Int64 = 0
    package var sequence: Int64 = 0

    package init() {}
}

package struct Verification: Sendable, Equatable {
    package var fromEntry: Int64 = 0
    package var checked: Int64 = 0
    package var problems: [String] = []

    package init() {}
}

/// An account of the run's population, or a stranger.
package enum AccountRef: Hashable, Sendable, CustomStringConvertible {
    case card(Int)
    case merchant(Int)
    case strangerCard(CardID)
    case strangerMerchant(PartyID)
    /// Neither a card nor a merchant: reloads come from the funding account.
    case ledger

    package var description: String {
        switch self {
        case .card(let number): "card #\(number)"
        case .merchant(let number): "merchant #\(number)"
        case .strangerCard(let id): "card \(id.hex)"
        case .strangerMerchant(let id): "merchant \(id.hex)"
        case .ledger: "the ledger's own account"
        }
    }

    var isStranger: Bool {
        switch self {
        case .strangerCard, .strangerMerchant: true
        case .card, .merchant, .ledger: false
        }
    }
}

/// What kind of movement an entry is, as far as a run makes any.
package enum MovementKind: UInt8, Sendable {
    case payment, reload, refund, transfer, other

    /// Whether it takes money from a card.
    var debitsCard: Bool { self == .payment || self == .transfer }
}

/// One movement of money in the wallet's facts.
package struct Movement: Sendable, Equatable {
    package var sequence: Int64
    package var entry: Int64
    package var kind: MovementKind
    /// The charge's id, or the operation's.
    package var operation: ChargeID
    /// Where the money came from and where it went.
    package var from: AccountRef
    package var to: AccountRef
    package var amount: Int64
    /// The balance after it: of a transfer the payer's, else the card's.
    package var cardBalance: Int64
    /// The intent that its memo names.
    package var memoNumber: Int?
    /// Whether the customer that it names has the card that it names.
    package var namesOwner: Bool

    package init(
        sequence: Int64, entry: Int64, kind: MovementKind, operation: ChargeID, from: AccountRef, to: AccountRef,
        amount: Int64, cardBalance: Int64, memoNumber: Int?, namesOwner: Bool = true
    ) {
        self.namesOwner = namesOwner
        self.sequence = sequence
        self.entry = entry
        self.kind = kind
        self.operation = operation
        self.from = from
        self.to = to
        self.amount = amount
        self.cardBalance = cardBalance
        self.memoNumber = memoNumber
    }
}

/// One entry as one of its two accounts has it.
package struct EntrySide: Sendable, Equatable {
    package var account: AccountRef
    package var entry: Int64
    package var kind: MovementKind
    package var operation: ChargeID
    /// Positive when the money came in.
    package var change: Int64
    /// The account's balance after it.
    package var balance: Int64
    package var memoNumber: Int?

    package init(
        account: AccountRef, entry: Int64, kind: MovementKind, operation: ChargeID, change: Int64, balance: Int64,
        memoNumber: Int?
    ) {
        self.account = account
        self.entry = entry
        self.kind = kind
        self.operation = operation
        self.change = change
        self.balance = balance
        self.memoNumber = memoNumber
    }
}

/// An account's balance as its holder is shown it, before and after the run.
package struct BalancePair: Sendable, Equatable {
    package var number: Int
    package var before: Int64
    package var after: Int64

    package init(number: Int, before: Int64, after: Int64) {
        self.number = number
        self.before = before
        self.after = after
    }
}

/// A charge as payments has it.
package struct ChargeLine: Sendable, Equatable {
    package var charge: ChargeID
    package var isCaptured: Bool
    package var merchant: AccountRef
    package var card: AccountRef?
    package var amount: Int64
    package var entry: Int64?
    package var memoNumber: Int?

    package init(
        charge: ChargeID, isCaptured: Bool, merchant: AccountRef, card: AccountRef?, amount: Int64, entry: Int64?,
        memoNumber: Int?
    ) {
        self.charge = charge
        self.isCaptured = isCaptured
        self.merchant = merchant
        self.card = card
        self.amount = amount
        self.entry = entry
        self.memoNumber = memoNumber
    }
}

/// A receipt as its customer reads it, or why that was refused.
package struct ReceiptRead: Sendable, Equatable {
    package var intent: Int
    package var refusal: String?
    package var merchant: AccountRef
    package var card: AccountRef
    package var amount: Int64
    package var entry: Int64
    package var cardBalance: Int64

    package static func refused(_ intent: Int, _ code: String) -> ReceiptRead {
        ReceiptRead(
            intent: intent, refusal: code, merchant: .ledger, card: .ledger, amount: 0, entry: 0, cardBalance: 0)
    }

    package init(
        intent: Int, refusal: String?, merchant: AccountRef, card: AccountRef, amount: Int64, entry: Int64,
        cardBalance: Int64
    ) {
        self.cardBalance = cardBalance
        self.intent = intent
        self.refusal = refusal
        self.merchant = merchant
        self.card = card
        self.amount = amount
        self.entry = entry
    }
}

/// What is answered when an acknowledged ask is made again under its key.
package struct RepeatRead: Sendable, Equatable {
    package var answer: ReceiptRead
    package var isReplay: Bool
    /// Another amount was asked for under the key: the entry that it is answered with; nil where it is refused.
    package var otherAmount: Int64?

    package init(_ answer: ReceiptRead, isReplay: Bool, otherAmount: Int64? = nil) {
        self.answer = answer
        self.isReplay = isReplay
        self.otherAmount = otherAmount
    }
}

/// A charge that ended unpaid, according to payments: declined, cancelled or expired.
package struct Closure: Sendable, Equatable {
    package var charge: ChargeID
    package var merchant: AccountRef
    package var reason: String

    package init(charge: ChargeID, merchant: AccountRef, reason: String) {
        self.charge = charge
        self.merchant = merchant
        self.reason = reason
    }
}

/// A capture that payments published.
package struct Notice: Sendable, Equatable {
    package var sequence: Int64
    package var charge: ChargeID
    package var merchant: AccountRef
    package var card: AccountRef
    package var amount: Int64
    package var entry: Int64
    /// Of the fact's bytes, to compare with what was published.
    package var digest: UInt64
    /// Whether the customer that it names has the card that it names.
    package var namesOwner: Bool

    package init(
        sequence: Int64, charge: ChargeID, merchant: AccountRef, card: AccountRef, amount: Int64, entry: Int64,
        digest: UInt64, namesOwner: Bool = true
    ) {
        self.namesOwner = namesOwner
        self.sequence = sequence
        self.charge = charge
        self.merchant = merchant
        self.card = card
        self.amount = amount
        self.entry = entry
        self.digest = digest
    }
}

/// The published facts that a subscriber has received, by sequence.
package struct ReceivedNotices: Sendable {
    package let after: Int64
    /// Digest of the fact with sequence after + 1 + index; 0: not received.
    package private(set) var digests: [UInt64] = []
    package private(set) var received = 0
    package private(set) var repeated = 0
    /// Published twice under one sequence, and not the same.
    package private(set) var contradictions: [Int64] = []

    package init(after: Int64) { self.after = after }

    package mutating func receive(_ sequence: Int64, digest: UInt64) {
        guard sequence > after, sequence - after < 1 << 32 else { return }
        let place = Int(sequence - after - 1)
        if place >= digests.count {
            digests.append(contentsOf: repeatElement(0, count: place + 1 - digests.count))
        }
        if digests[place] == 0 {
            digests[place] = digest
            received += 1
        } else {
            repeated += 1
            if digests[place] != digest { contradictions.append(sequence) }
        }
    }

    package subscript(sequence: Int64) -> UInt64? {
        guard sequence > after, sequence - after <= Int64(digests.count) else { return nil }
        let digest = digests[Int(sequence - after - 1)]
        return digest == 0 ? nil : digest
    }
}

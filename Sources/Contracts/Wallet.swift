import Primitives
import Wire

/// All that one may ask the wallet, or hear from it. Money moves nowhere else.
package enum Wallet: FactSource {
    package static let service = "wallet"

    /// Registers a card with its opening balance ($16.50, 000-95) and makes it the customer's default (000-94).
    ///
    /// Keyed on `card`.
    package struct AddCard: Ask, Equatable {
        package static let type: MessageType = "wallet.card.add.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [.cardInvalid, .cardTaken, .tooManyCards, .idReused]
        package typealias Reply = Recorded<CardAdded>

        package let card: CardID
        package let customer: PartyID
        /// 16 digits (000-87).
        package let number: String
        /// 8 digits (000-88). Checked for its form and not kept.
        package let code: String

        package init(card: CardID, customer: PartyID, number: String, code: String) {
            self.card = card
            self.customer = customer
            self.number = number
            self.code = code
        }
    }

    /// Chooses the card that pays when an ask names none.
    package struct ChooseCard: Ask, Equatable {
        package static let type: MessageType = "wallet.card.choose.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.cardNotFound]
        package typealias Reply = CardView

        package let customer: PartyID
        package let card: CardID

        package init(customer: PartyID, card: CardID) {
            self.customer = customer
            self.card = card
        }
    }

    /// One card's balance; the default card's where none is named.
    package struct ReadCard: Ask, Equatable {
        package static let type: MessageType = "wallet.card.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.cardNotFound, .noCard]
        package typealias Reply = CardView

        package let customer: PartyID
        package let card: CardID?

        package init(customer: PartyID, card: CardID? = nil) {
            self.customer = customer
            self.card = card
        }
    }

    /// All cards of a customer, in the order in which they were added.
    package struct ReadCards: Ask, Equatable {
        package static let type: MessageType = "wallet.cards.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            package let cards: [CardView]
            package init(cards: [CardView]) { self.cards = cards }
        }

        package let customer: PartyID

        package init(customer: PartyID) { self.customer = customer }
    }

    package struct CardView: WireMessage, Equatable {
        package let card: CardID
        package let lastFour: String
        /// What is on the card.
        package let balance: Money
        /// What of it can be spent: the balance less what is held.
        package let available: Money
        package let isDefault: Bool

        package init(card: CardID, lastFour: String, balance: Money, available: Money, isDefault: Bool) {
            self.card = card
            self.lastFour = lastFour
            self.balance = balance
            self.available = available
            self.isDefault = isDefault
        }
    }

    /// Moves money from the funding source to a card. Keyed on `operation`.
    package struct ReloadCard: Ask, Equatable {
        package static let type: MessageType = "wallet.card.reload.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .amountInvalid, .currencyMismatch, .cardNotFound, .noCard, .idReused
        ]
        package typealias Reply = Recorded<CardReloaded>

        package let operation: OperationID
        package let customer: PartyID
        package let card: CardID?
        package let amount: Money

        package init(operation: OperationID, customer: PartyID, card: CardID?, amount: Money) {
            self.operation = operation
            self.customer = customer
            self.card = card
            self.amount = amount
        }
    }

    /// Opens a merchant's account. Idempotent: an open one stays as it is.
    package struct OpenAccount: Ask, Equatable {
        package static let type: MessageType = "wallet.account.open.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.idReused]
        package typealias Reply = AccountView

        package let merchant: PartyID

        package init(merchant: PartyID) { self.merchant = merchant }
    }

    package struct ReadAccount: Ask, Equatable {
        package static let type: MessageType = "wallet.account.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.accountNotFound]
        package typealias Reply = AccountView

        package let merchant: PartyID

        package init(merchant: PartyID) { self.merchant = merchant }
    }

    package struct AccountView: WireMessage, Equatable {
        package let merchant: PartyID
        package let balance: Money

        package init(merchant: PartyID, balance: Money) {
            self.merchant = merchant
            self.balance = balance
        }
    }

    /// Pays a merchant from a card: authorize and capture in one commit. Keyed on `payment`, the charge's id.
    package struct PostPayment: Ask, Equatable {
        package static let type: MessageType = "wallet.payment.post.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .amountInvalid, .currencyMismatch, .insufficientFunds, .cardNotFound, .noCard, .accountNotFound,
            .paymentClosed, .idReused
        ]
        package typealias Reply = Recorded<PaymentPosted>

        package let payment: ChargeID
        package let customer: PartyID
        /// The default card where none is named.
        package let card: CardID?
        package let merchant: PartyID
        package let amount: Money
        /// What the customer reads on the receipt; at most 512 bytes.
        package let memo: String
        /// The single-use pay code's owner may be asked to pay once only: a second use under another key differs here.
        package let attempt: OperationID?
        /// The coupon that this payment uses up: captured with the money, in one commit.
        package let coupon: OfferID?

        package init(
            payment: ChargeID, customer: PartyID, card: CardID?, merchant: PartyID, amount: Money, memo: String,
            attempt: OperationID? = nil, coupon: OfferID? = nil
        ) {
            self.payment = payment
            self.customer = customer
            self.card = card
            self.merchant = merchant
            self.amount = amount
            self.memo = memo
            self.attempt = attempt
            self.coupon = coupon
        }
    }

    /// Ends a payment without moving money: nothing can be posted under its id any more. Keyed on `payment`.
    ///
    /// Whichever of this and `PostPayment` commits first decides the charge.
    package struct ClosePayment: Ask, Equatable {
        package static let type: MessageType = "wallet.payment.close.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [.paymentPosted, .paymentClosed, .idReused]
        package typealias Reply = Recorded<PaymentClosed>

        package let payment: ChargeID
        package let reason: CloseReason

        package init(payment: ChargeID, reason: CloseReason) {
            self.payment = payment
            self.reason = reason
        }
    }

    package enum CloseReason: String, Codable, Sendable, CaseIterable {
        /// By the customer.
        case declined
        /// By the merchant.
        case cancelled
        /// By the clock.
        case expired
    }

    /// Sets money aside on a card for a merchant. Keyed on `hold`.
    package struct PlaceHold: Ask, Equatable {
        package static let type: MessageType = "wallet.hold.place.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .amountInvalid, .currencyMismatch, .insufficientFunds, .cardNotFound, .noCard, .accountNotFound,
            .holdExpired,
            .idReused
        ]
        package typealias Reply = Recorded<HoldPlaced>

        package let hold: OperationID
        package let customer: PartyID
        package let card: CardID?
        package let merchant: PartyID
        package let amount: Money
        /// When the hold is released by itself.
        package let expires: Timestamp

        package init(
            hold: OperationID, customer: PartyID, card: CardID?, merchant: PartyID, amount: Money, expires: Timestamp
        ) {
            self.hold = hold
            self.customer = customer
            self.card = card
            self.merchant = merchant
            self.amount = amount
            self.expires = expires
        }
    }

    /// Pays from a hold, in full or in part; what is not captured is released. Keyed on `operation`.
    package struct CaptureHold: Ask, Equatable {
        package static let type: MessageType = "wallet.hold.capture.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .holdNotFound, .holdCaptured, .holdVoided, .holdExpired, .amountInvalid, .currencyMismatch, .idReused
        ]
        package typealias Reply = Recorded<HoldCaptured>

        package let operation: OperationID
        package let hold: OperationID
        /// The whole hold where none is given.
        package let amount: Money?

        package init(operation: OperationID, hold: OperationID, amount: Money? = nil) {
            self.operation = operation
            self.hold = hold
            self.amount = amount
        }
    }

    /// Releases a hold. Keyed on `operation`.
    package struct VoidHold: Ask, Equatable {
        package static let type: MessageType = "wallet.hold.void.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [.holdNotFound, .holdCaptured, .holdVoided, .holdExpired, .idReused]
        package typealias Reply = Recorded<HoldVoided>

        package let operation: OperationID
        package let hold: OperationID

        package init(operation: OperationID, hold: OperationID) {
            self.operation = operation
            self.hold = hold
        }
    }

    /// Pays back a payment, in full or in part, to the card that paid. Keyed on `operation`.
    package struct PostRefund: Ask, Equatable {
        package static let type: MessageType = "wallet.refund.post.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .paymentNotFound, .refundTooLarge, .amountInvalid, .currencyMismatch, .insufficientFunds, .idReused
        ]
        package typealias Reply = Recorded<RefundPosted>

        package let operation: OperationID
        package let payment: ChargeID
        package let merchant: PartyID
        /// What is left of the payment where none is given.
        package let amount: Money?

        package init(operation: OperationID, payment: ChargeID, merchant: PartyID, amount: Money?) {
            self.operation = operation
            self.payment = payment
            self.merchant = merchant
            self.amount = amount
        }
    }

    /// Moves money between two users' accounts, free of charge (001-2, A40). Keyed on `operation`.
    package struct PostTransfer: Ask, Equatable {
        package static let type: MessageType = "wallet.transfer.post.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .amountInvalid, .currencyMismatch, .insufficientFunds, .cardNotFound, .noCard, .accountNotFound,
            .selfTransfer, .idReused
        ]
        package typealias Reply = Recorded<TransferPosted>

        package let operation: OperationID
        package let from: Holder
        package let to: Holder
        package let amount: Money
        package let memo: String

        package init(operation: OperationID, from: Holder, to: Holder, amount: Money, memo: String) {
            self.operation = operation
            self.from = from
            self.to = to
            self.amount = amount
            self.memo = memo
        }
    }

    /// Whose money: a merchant's account, or a customer's card (the default one where none is named).
    package struct Holder: Codable, Sendable, Equatable {
        package let party: PartyID
        package let role: HolderRole
        package let card: CardID?

        package init(party: PartyID, role: HolderRole, card: CardID? = nil) {
            self.party = party
            self.role = role
            self.card = card
        }
    }

    package enum HolderRole: String, Codable, Sendable, CaseIterable {
        case customer, merchant
    }

    /// The entries of a card or of a merchant's account, newest first.
    package struct ReadEntries: Ask, Equatable {
        package static let type: MessageType = "wallet.entries.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.cardNotFound, .noCard, .accountNotFound]

        package struct Reply: WireMessage, Equatable {
            package let entries: [EntryView]
            /// Ask for the next page with this as `before`; absent when there is none.
            package let next: Int64?

            package init(entries: [EntryView], next: Int64?) {
                self.entries = entries
                self.next = next
            }
        }

        package let holder: Holder
        /// Only entries older than this one.
        package let before: Int64?
        /// 1 to 100.
        package let limit: Int

        package init(holder: Holder, before: Int64? = nil, limit: Int) {
            self.holder = holder
            self.before = before
            self.limit = limit
        }
    }

    /// An entry as its account's holder sees it.
    package struct EntryView: Codable, Sendable, Equatable {
        package let entry: Int64
        package let kind: EntryKind
        package let operation: OperationID
        /// Positive when the money came in, negative when it went out.
        package let amount: Money
        /// The account's balance after it.
        package let balance: Money
        package let time: Timestamp
        package let memo: String

        package init(
            entry: Int64, kind: EntryKind, operation: OperationID, amount: Money, balance: Money, time: Timestamp,
            memo: String
        ) {
            self.entry = entry
            self.kind = kind
            self.operation = operation
            self.amount = amount
            self.balance = balance
            self.time = time
            self.memo = memo
        }
    }

    package enum EntryKind: String, Codable, Sendable, CaseIterable {
        case opening, reload, payment, capture, refund, transfer
    }

    /// The sums over all accounts, for whoever wants to see that they cancel out.
    package struct ReadLedger: Ask, Equatable {
        package static let type: MessageType = "wallet.ledger.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            package let accounts: [Sum]
            /// The sum over all accounts: zero.
            package let total: Money
            package let held: Money
            package let entries: Int64
            /// The newest entry's hash, 64 hex digits.
            package let head: String
            /// The newest fact's sequence.
            package let sequence: Int64
            /// The hash of the newest fact's row, 64 hex digits: it covers all facts and entries. Absent before the first fact.
            package let chain: String?

            package init(
                accounts: [Sum], total: Money, held: Money, entries: Int64, head: String, sequence: Int64,
                chain: String? = nil
            ) {
                self.accounts = accounts
                self.total = total
                self.held = held
                self.entries = entries
                self.head = head
                self.sequence = sequence
                self.chain = chain
            }
        }

        package struct Sum: Codable, Sendable, Equatable {
            /// `card`, `merchant`, `funding` or `issuing`.
            package let kind: String
            package let count: Int64
            package let balance: Money

            package init(kind: String, count: Int64, balance: Money) {
                self.kind = kind
                self.count = count
                self.balance = balance
            }
        }

        package init() {}
    }

    /// A ledger's head as it was written down elsewhere: the row of that fact still has this hash, or the ledger was changed.
    package struct Anchor: Codable, Sendable, Equatable {
        /// The fact's sequence.
        package let sequence: Int64
        /// `chain` of `wallet.ledger.read.v1` at that time, 64 hex digits.
        package let chain: String

        package init(sequence: Int64, chain: String) {
            self.sequence = sequence
            self.chain = chain
        }
    }

    /// Checks a stretch of the ledger: first the entries, then the journal, accounts, holds and refunds, and with the last
    /// stretch their sums and the anchors. Hash chains, balances, times, and each table against the journal.
    package struct VerifyLedger: Ask, Equatable {
        package static let type: MessageType = "wallet.ledger.verify.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            /// Where the next stretch begins, below 0 behind the entries; absent when the whole ledger has been checked.
            package let next: Int64?
            /// So many entries.
            package let checked: Int64
            /// What is wrong, one sentence each; empty when all is well. At most 20.
            package let problems: [String]

            package init(next: Int64?, checked: Int64, problems: [String]) {
                self.next = next
                self.checked = checked
                self.problems = problems
            }
        }

        /// Begin behind this entry, 0 for the first, or where `next` says.
        package let after: Int64
        /// At most so many rows, 1 to 10,000: the wallet writes nothing meanwhile.
        package let limit: Int
        /// A head to compare with in the last stretch, beside those that the wallet knows.
        package let anchor: Anchor?

        package init(after: Int64, limit: Int, anchor: Anchor? = nil) {
            self.after = after
            self.limit = limit
            self.anchor = anchor
        }
    }
}

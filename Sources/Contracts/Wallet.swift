import Primitives
import Wire

/// Cards and the ledger: the only place where money moves. All keys of its asks share one space. Someone else's card is
/// `wallet.card_not_found`.
package enum Wallet: DataOwner {
    package static let service = "wallet"
    package static var sample: any Fact { Samples.paymentPosted }
    package static var key: ServiceKey? { ServiceKey(file: "card-number.key", setting: "BILLFOLD_CARD_KEY_FILE") }

    /// Registers a card with its opening balance ($16.50) and makes it the customer's default.
    ///
    /// Keyed on `card`.
    package struct AddCard: Ask, Equatable {
        package static let type: MessageType = "wallet.card.add.v1"
        package static let effect: Effect<Self> = .keyed(by: \.card)
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [
            .text(\.number, of: .digits, 16...16, or: .cardInvalid, example: "4000123412341234"),
            .text(\.code, of: .digits, 8...8, or: .cardInvalid, example: "12345678")
        ]
        package static let faults: [FaultCode] = [.cardInvalid, .cardTaken, .tooManyCards, .idReused]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.AddCard(
                    card: Samples.card, customer: Samples.customer, number: "1234567890123456", code: "00000042"),
                reply: Recorded(Samples.cardAdded, sequence: 42, replayed: false))
        }
        package typealias Reply = Recorded<CardAdded>

        package let card: CardID
        package let customer: PartyID
        /// 16 digits.
        package let number: String
        /// 8 digits. Checked for its form and not kept.
        package let code: String
    }

    /// Chooses the card that pays when an ask names none.
    package struct ChooseCard: Ask, Equatable {
        package static let type: MessageType = "wallet.card.choose.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = [.cardNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ChooseCard(customer: Samples.customer, card: Samples.card),
                reply: Samples.cardView)
        }
        package typealias Reply = CardView

        package let customer: PartyID
        package let card: CardID
    }

    /// One card's balance; the default card's where none is named.
    package struct ReadCard: Ask, FastCoded, Equatable {
        package static let type: MessageType = "wallet.card.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = [.cardNotFound, .noCard]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ReadCard(customer: Samples.customer, card: Samples.card),
                bare: Wallet.ReadCard(customer: Samples.customer),
                reply: Samples.cardView)
        }
        package typealias Reply = CardView

        package let customer: PartyID
        package let card: CardID?
    }

    /// All cards of a customer, in the order in which they were added.
    package struct ReadCards: Ask, Equatable {
        package static let type: MessageType = "wallet.cards.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ReadCards(customer: Samples.customer),
                reply: Wallet.ReadCards.Reply(cards: [Samples.cardView]),
                bareReply: Wallet.ReadCards.Reply(cards: []))
        }

        package struct Reply: WireMessage, Equatable {
            package let cards: [CardView]
        }

        package let customer: PartyID
    }

    package struct CardView: FastCoded, Equatable {
        package let card: CardID
        package let lastFour: String
        /// What is on the card.
        package let balance: Money
        /// What of it can be spent: the balance less what is held.
        package let available: Money
        package let isDefault: Bool
    }

    /// Moves money from the funding source to a card. Keyed on `operation`.
    package struct ReloadCard: Ask, FastCoded, Equatable {
        package static let type: MessageType = "wallet.card.reload.v1"
        package static let effect: Effect<Self> = .keyed(by: \.operation)
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [.amount(\.amount)]
        package static let faults: [FaultCode] = [
            .amountInvalid, .currencyMismatch, .cardNotFound, .noCard, .idReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ReloadCard(
                    operation: Samples.operation, customer: Samples.customer, card: Samples.card, amount: Money(2000)),
                bare: Wallet.ReloadCard(
                    operation: Samples.operation, customer: Samples.customer, card: nil, amount: Money(2000)),
                reply: Recorded(Samples.cardReloaded, sequence: 42, replayed: true))
        }
        package typealias Reply = Recorded<CardReloaded>

        package let operation: OperationID
        package let customer: PartyID
        package let card: CardID?
        package let amount: Money
    }

    /// Opens a merchant's account. Idempotent: an open one stays as it is.
    package struct OpenAccount: Ask, Equatable {
        package static let type: MessageType = "wallet.account.open.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.merchant, .merchant).or(any: .administrator)
        package static let faults: [FaultCode] = [.idReused]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.OpenAccount(merchant: Samples.merchant),
                reply: Samples.accountView)
        }
        package typealias Reply = AccountView

        package let merchant: PartyID
    }

    package struct ReadAccount: Ask, Equatable {
        package static let type: MessageType = "wallet.account.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.merchant, .merchant).or(any: .administrator)
        package static let faults: [FaultCode] = [.accountNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ReadAccount(merchant: Samples.merchant),
                reply: Samples.accountView)
        }
        package typealias Reply = AccountView

        package let merchant: PartyID
    }

    package struct AccountView: WireMessage, Equatable {
        package let merchant: PartyID
        package let balance: Money
    }

    /// Pays a merchant from a card: authorize and capture in one commit. Keyed on `payment`, the charge's id.
    package struct PostPayment: Ask, FastCoded, Equatable {
        package static let type: MessageType = "wallet.payment.post.v1"
        package static let effect: Effect<Self> = .keyed(by: \.payment)
        // Not the merchant: a merchant who knew a card's id could charge it. Payments asks on its own behalf where the
        // customer has consented.
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [
            .amount(\.amount),
            .text(\.memo, 0...512, or: .malformed, example: "Drip coffee")
        ]
        package static let faults: [FaultCode] = [
            .amountInvalid, .currencyMismatch, .insufficientFunds, .cardNotFound, .noCard, .accountNotFound,
            .paymentClosed, .idReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.PostPayment(
                    payment: Samples.charge, customer: Samples.customer, card: Samples.card, merchant: Samples.merchant,
                    amount: Samples.price, memo: Samples.memo,
                    attempt: Samples.operation, coupon: Samples.offer),
                bare: Wallet.PostPayment(
                    payment: Samples.charge, customer: Samples.customer, card: nil, merchant: Samples.merchant,
                    amount: Samples.price, memo: ""),
                reply: Recorded(Samples.paymentPosted, sequence: 42, replayed: false),
                bareReply: Recorded(Samples.plainPayment, sequence: 42, replayed: false))
        }
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
    }

    /// A payment by its charge's id: whether an earlier ask moved the money.
    package struct ReadPayment: Ask, Equatable {
        package static let type: MessageType = "wallet.payment.read.v1"
        package static let effect: Effect<Self> = .reads
        // The ask names nobody: payments knows whose charge it is, and asks on its own behalf.
        package static let access: Access<Self> = .services
        package static let faults: [FaultCode] = [.paymentNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ReadPayment(payment: Samples.charge),
                reply: Recorded(Samples.paymentPosted, sequence: 42, replayed: true))
        }
        package typealias Reply = Recorded<PaymentPosted>

        package let payment: ChargeID
    }

    /// Ends a payment without moving money: nothing can be posted under its id any more. Keyed on `payment`.
    ///
    /// Whichever of this and `PostPayment` commits first decides the charge.
    package struct ClosePayment: Ask, FastCoded, Equatable {
        package static let type: MessageType = "wallet.payment.close.v1"
        package static let effect: Effect<Self> = .keyed(by: \.payment)
        // The ask names nobody: payments knows who may close the charge, and asks on its own behalf.
        package static let access: Access<Self> = .services
        package static let faults: [FaultCode] = [.paymentPosted, .paymentClosed, .idReused]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ClosePayment(payment: Samples.charge, reason: .declined),
                reply: Recorded(Samples.paymentClosed, sequence: 42, replayed: false))
        }
        package typealias Reply = Recorded<PaymentClosed>

        package let payment: ChargeID
        package let reason: CloseReason
    }

    package enum CloseReason: String, WireValue, Codable, CaseIterable {
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
        package static let effect: Effect<Self> = .keyed(by: \.hold)
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [.amount(\.amount)]
        package static let faults: [FaultCode] = [
            .amountInvalid, .currencyMismatch, .insufficientFunds, .cardNotFound, .noCard, .accountNotFound,
            .holdExpired,
            .idReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.PlaceHold(
                    hold: Samples.hold, customer: Samples.customer, card: Samples.card, merchant: Samples.merchant,
                    amount: Samples.price, expires: Samples.later),
                bare: Wallet.PlaceHold(
                    hold: Samples.hold, customer: Samples.customer, card: nil, merchant: Samples.merchant,
                    amount: Samples.price, expires: Samples.later),
                reply: Recorded(Samples.holdPlaced, sequence: 42, replayed: false))
        }
        package typealias Reply = Recorded<HoldPlaced>

        package let hold: OperationID
        package let customer: PartyID
        package let card: CardID?
        package let merchant: PartyID
        package let amount: Money
        /// When the hold is released by itself.
        package let expires: Timestamp
    }

    /// Pays from a hold, in full or in part; what is not captured is released. Keyed on `operation`.
    package struct CaptureHold: Ask, Equatable {
        package static let type: MessageType = "wallet.hold.capture.v1"
        package static let effect: Effect<Self> = .keyed(by: \.operation)
        // Only the ledger knows whose hold it is: another merchant's is `bus.forbidden` too.
        package static let access: Access<Self> = .any(.merchant)
        package static let limits: [Limit<Self>] = [.amount(\.amount)]
        package static let faults: [FaultCode] = [
            .holdNotFound, .holdCaptured, .holdVoided, .holdExpired, .amountInvalid, .currencyMismatch, .idReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.CaptureHold(operation: Samples.operation, hold: Samples.hold, amount: Money(300)),
                bare: Wallet.CaptureHold(operation: Samples.operation, hold: Samples.hold),
                reply: Recorded(Samples.holdCaptured, sequence: 42, replayed: false))
        }
        package typealias Reply = Recorded<HoldCaptured>

        package let operation: OperationID
        package let hold: OperationID
        /// The whole hold where none is given.
        package let amount: Money?
    }

    /// Releases a hold. Keyed on `operation`.
    package struct VoidHold: Ask, Equatable {
        package static let type: MessageType = "wallet.hold.void.v1"
        package static let effect: Effect<Self> = .keyed(by: \.operation)
        package static let access: Access<Self> = .any(.merchant)
        package static let faults: [FaultCode] = [.holdNotFound, .holdCaptured, .holdVoided, .holdExpired, .idReused]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.VoidHold(operation: Samples.operation, hold: Samples.hold),
                reply: Recorded(Samples.holdVoided, sequence: 42, replayed: false))
        }
        package typealias Reply = Recorded<HoldVoided>

        package let operation: OperationID
        package let hold: OperationID
    }

    /// Pays back a payment, in full or in part, to the card that paid. Keyed on `operation`.
    package struct PostRefund: Ask, FastCoded, Equatable {
        package static let type: MessageType = "wallet.refund.post.v1"
        package static let effect: Effect<Self> = .keyed(by: \.operation)
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let limits: [Limit<Self>] = [.amount(\.amount)]
        package static let faults: [FaultCode] = [
            .paymentNotFound, .refundTooLarge, .amountInvalid, .currencyMismatch, .insufficientFunds, .idReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.PostRefund(
                    operation: Samples.operation, payment: Samples.charge, merchant: Samples.merchant,
                    amount: Money(100)),
                bare: Wallet.PostRefund(
                    operation: Samples.operation, payment: Samples.charge, merchant: Samples.merchant, amount: nil),
                reply: Recorded(Samples.refundPosted, sequence: 42, replayed: false))
        }
        package typealias Reply = Recorded<RefundPosted>

        package let operation: OperationID
        package let payment: ChargeID
        package let merchant: PartyID
        /// What is left of the payment where none is given.
        package let amount: Money?
    }

    /// Moves money between two users' accounts, free of charge. Keyed on `operation`.
    package struct PostTransfer: Ask, FastCoded, Equatable {
        package static let type: MessageType = "wallet.transfer.post.v1"
        package static let effect: Effect<Self> = .keyed(by: \.operation)
        package static let access: Access<Self> = .holder(\.from)
        package static let limits: [Limit<Self>] = [
            .amount(\.amount),
            .text(\.memo, 0...512, or: .malformed, example: "Drip coffee")
        ]
        package static let faults: [FaultCode] = [
            .amountInvalid, .currencyMismatch, .insufficientFunds, .cardNotFound, .noCard, .accountNotFound,
            .selfTransfer, .idReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.PostTransfer(
                    operation: Samples.operation,
                    from: Wallet.Holder(party: Samples.customer, role: .customer, card: Samples.card),
                    to: Wallet.Holder(party: Samples.friend, role: .customer), amount: Samples.price, memo: Samples.memo
                ),
                reply: Recorded(Samples.transferPosted, sequence: 42, replayed: false))
        }
        package typealias Reply = Recorded<TransferPosted>

        package let operation: OperationID
        package let from: Holder
        package let to: Holder
        package let amount: Money
        package let memo: String
    }

    /// A transfer by its operation, for the one who sent it: whether an earlier ask moved the money.
    package struct ReadTransfer: Ask, Equatable {
        package static let type: MessageType = "wallet.transfer.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.sender, .customer, .merchant)
        package static let faults: [FaultCode] = [.transferNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ReadTransfer(operation: Samples.operation, sender: Samples.customer),
                reply: Recorded(Samples.transferPosted, sequence: 42, replayed: true))
        }
        package typealias Reply = Recorded<TransferPosted>

        package let operation: OperationID
        package let sender: PartyID
    }

    /// Whose money: a merchant's account, or a customer's card (the default one where none is named).
    package struct Holder: FastCoded, WireValue, Equatable {
        package let party: PartyID
        package let role: HolderRole
        package let card: CardID?
    }

    package enum HolderRole: String, WireValue, Codable, CaseIterable {
        case customer, merchant
    }

    /// The entries of a card or of a merchant's account, newest first.
    package struct ReadEntries: Ask, Equatable {
        package static let type: MessageType = "wallet.entries.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .holder(\.holder)
        package static let limits: [Limit<Self>] = [.number(\.limit, 1...100, example: 10)]
        package static let faults: [FaultCode] = [.cardNotFound, .noCard, .accountNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ReadEntries(
                    holder: Wallet.Holder(party: Samples.customer, role: .customer, card: Samples.card), before: 1001,
                    limit: 100),
                bare: Wallet.ReadEntries(holder: Wallet.Holder(party: Samples.merchant, role: .merchant), limit: 1),
                reply: Wallet.ReadEntries.Reply(
                    entries: [
                        Wallet.EntryView(
                            entry: 1000, kind: .payment, operation: Samples.operation, amount: Money(-350),
                            balance: Money(1300),
                            time: Samples.time, memo: Samples.memo),
                        Wallet.EntryView(
                            entry: 999, kind: .opening, operation: Samples.operation, amount: Samples.balance,
                            balance: Samples.balance,
                            time: Samples.time, memo: "")
                    ], next: 999),
                bareReply: Wallet.ReadEntries.Reply(entries: [], next: nil))
        }

        package struct Reply: WireMessage, Equatable {
            package let entries: [EntryView]
            /// Ask for the next page with this as `before`; absent when there is none.
            package let next: Int64?
        }

        package let holder: Holder
        /// Only entries older than this one.
        package let before: Int64?
        /// 1 to 100.
        package let limit: Int
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
        /// The card that it moved, where entries of several cards are read together.
        package let card: CardID?
        /// Who is on the other side. Absent where that is the house, as of a reload.
        package let counterparty: PartyID?
        package let counterpartyRole: HolderRole?
    }

    /// What moved on all cards of a customer, or on a merchant's account, newest first: payments, refunds, reloads,
    /// transfers both ways.
    package struct ReadMovements: Ask, Equatable {
        package static let type: MessageType = "wallet.movements.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .holder(\.holder)
        package static let limits: [Limit<Self>] = [
            .number(\.limit, 1...100, example: 10), .number(\.before, 1...Int64.max, example: 1001)
        ]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ReadMovements(
                    holder: Wallet.Holder(party: Samples.customer, role: .customer), before: 1001,
                    since: Samples.time, limit: 10),
                bare: Wallet.ReadMovements(
                    holder: Wallet.Holder(party: Samples.merchant, role: .merchant), limit: 1),
                reply: Wallet.ReadMovements.Reply(
                    entries: [
                        Wallet.EntryView(
                            entry: 1000, kind: .transfer, operation: Samples.operation, amount: Money(-350),
                            balance: Money(1300), time: Samples.time, memo: Samples.memo, card: Samples.card,
                            counterparty: Samples.friend, counterpartyRole: .customer)
                    ], next: 1000),
                bareReply: Wallet.ReadMovements.Reply(entries: [], next: nil))
        }

        package struct Reply: WireMessage, Equatable {
            package let entries: [EntryView]
            /// Ask for the next page with this as `before`; absent when there is none.
            package let next: Int64?
        }

        /// With a card, the same of that card alone.
        package let holder: Holder
        /// Only entries older than this one.
        package let before: Int64?
        /// Only what moved then or later. What is before is behind `next`, which then is there even if this page is
        /// empty.
        package let since: Timestamp?
        /// 1 to 100.
        package let limit: Int
    }

    package enum EntryKind: String, Codable, Sendable, CaseIterable {
        case opening, reload, payment, capture, refund, transfer
    }

    /// The sums over all accounts, for whoever wants to see that they cancel out.
    package struct ReadLedger: Ask, Equatable {
        package static let type: MessageType = "wallet.ledger.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .any(.administrator)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ReadLedger(),
                reply: Wallet.ReadLedger.Reply(
                    accounts: [
                        Wallet.ReadLedger.Sum(kind: "card", count: 3, balance: Money(4950)),
                        Wallet.ReadLedger.Sum(kind: "issuing", count: 1, balance: Money(-4950))
                    ], total: Money(0), held: Samples.price, entries: 1000, head: Samples.digest, sequence: 42,
                    chain: Samples.digest,
                    verified: Wallet.Verification(time: Samples.time, checked: 1000, problems: 0)),
                bareReply: Wallet.ReadLedger.Reply(
                    accounts: [], total: Money(0), held: Money(0), entries: 0, head: String(repeating: "0", count: 64),
                    sequence: 0))
        }

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
            /// The hash of the newest fact's row, 64 hex digits: it covers all facts and entries. Absent before the
            /// first fact.
            package let chain: String?
            /// The newest check of the whole ledger. Absent until one has ended since the process started.
            package let verified: Verification?
        }

        package struct Sum: Codable, Sendable, Equatable {
            /// `card`, `merchant`, `funding` or `issuing`.
            package let kind: String
            package let count: Int64
            package let balance: Money
        }
    }

    /// A check of the whole ledger that has ended.
    package struct Verification: Codable, Sendable, Equatable {
        package let time: Timestamp
        /// So many entries.
        package let checked: Int64
        /// So many things were wrong.
        package let problems: Int64
    }

    /// A ledger's head as it was written down elsewhere: the row of that fact still has this hash, or the ledger was
    /// changed.
    package struct Anchor: Codable, Sendable, Equatable {
        package static let limits: [Limit<Self>] = [
            .number(\.sequence, 1...Int64.max, example: 1000),
            .text(
                \.chain, of: .hexDigits, 64...64, or: .malformed,
                example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
        ]

        /// The fact's sequence.
        package let sequence: Int64
        /// `chain` of `wallet.ledger.read.v1` at that time, 64 hex digits.
        package let chain: String
    }

    /// Checks a stretch of the ledger: first the entries, then the journal, accounts, holds and refunds, and with the
    /// last stretch their sums and the anchors. Hash chains, balances, times, and each table against the journal.
    package struct VerifyLedger: Ask, Equatable {
        package static let type: MessageType = "wallet.ledger.verify.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .any(.administrator)
        package static let limits: [Limit<Self>] = [.number(\.limit, 1...10_000, example: 1000)]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Wallet.VerifyLedger(
                    after: 1000, limit: 10_000, anchor: Wallet.Anchor(sequence: 42, chain: Samples.digest)),
                bare: Wallet.VerifyLedger(after: 1000, limit: 10_000),
                reply: Wallet.VerifyLedger.Reply(
                    next: 1500, checked: 500, problems: ["entry 1042 does not follow 1041"]),
                bareReply: Wallet.VerifyLedger.Reply(next: nil, checked: 0, problems: []))
        }

        package struct Reply: WireMessage, Equatable {
            /// Where the next stretch begins, below 0 behind the entries; absent when the whole ledger has been
            /// checked.
            package let next: Int64?
            /// So many entries.
            package let checked: Int64
            /// What is wrong, one sentence each; empty when all is well. At most 20.
            package let problems: [String]
        }

        /// Begin behind this entry, 0 for the first, or where `next` says.
        package let after: Int64
        /// At most so many rows, 1 to 10,000: the wallet writes nothing meanwhile.
        package let limit: Int
        /// A head to compare with in the last stretch, beside those that the wallet knows.
        package let anchor: Anchor?
    }
}

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
        /// The card's balance.
        package let balance: Money
        /// The available balance: the balance less what is held.
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
}

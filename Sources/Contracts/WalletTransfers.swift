import Primitives
import Wire

extension Wallet {
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
}

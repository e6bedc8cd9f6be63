import Primitives
import Wire

extension Auth {
    /// Approves or rejects a merchant. The same again is harmless; the last one counts. For administrators and
    /// services.
    package struct DecideMerchant: Ask, Equatable {
        package static let type: MessageType = "auth.merchant.decide.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .any(.administrator)
        package static let limits: [Limit<Self>] = [
            .text(\.reason, 1...250, or: .reasonInvalid, example: "The business could not be found")
        ]
        package static let faults: [FaultCode] = [.partyNotFound, .reasonInvalid]
        package static var examples: Examples<Self> {
            Examples(
                Auth.DecideMerchant(merchant: Samples.merchant, approved: false, reason: "We know of no such café."),
                bare: Auth.DecideMerchant(merchant: Samples.merchant, approved: true, reason: nil),
                reply: Samples.rejectedMerchant)
        }
        package typealias Reply = MerchantView

        package let merchant: PartyID
        package let approved: Bool
        /// The reason that the merchant is told; at most 250 bytes.
        package let reason: String?
    }

    package struct MerchantView: WireMessage, Equatable {
        package let merchant: PartyID
        package let username: String
        package let name: String
        package let status: MerchantStatus
        package let profile: Profile
        package let registered: Timestamp
        /// When it was approved or rejected, and why; absent while nobody has said so.
        package let decided: Timestamp?
        package let reason: String?
    }

    /// Merchants in the order of their ids, in pages. For administrators and services.
    package struct ReadMerchants: Ask, Equatable {
        package static let type: MessageType = "auth.merchants.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .any(.administrator)
        package static let limits: [Limit<Self>] = [.number(\.limit, 1...100, example: 10)]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Auth.ReadMerchants(status: .pending, after: Samples.friend, limit: 20),
                bare: Auth.ReadMerchants(status: nil, after: nil, limit: 100),
                reply: Auth.ReadMerchants.Reply(merchants: [Samples.pendingMerchant], next: Samples.merchant),
                bareReply: Auth.ReadMerchants.Reply(merchants: [], next: nil))
        }

        package struct Reply: WireMessage, Equatable {
            package let merchants: [MerchantView]
            /// The `after` of the next page; absent on the last.
            package let next: PartyID?
        }

        /// Only these; all where none is given.
        package let status: MerchantStatus?
        package let after: PartyID?
        /// 1 to 100. Fewer come where more would not fit into an envelope.
        package let limit: Int
    }
}

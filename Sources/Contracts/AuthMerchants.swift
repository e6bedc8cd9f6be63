import Primitives
import Wire

extension Auth {
    /// Approves or rejects a merchant (A36). The same again is harmless; the last one counts. For administrators and
    /// services.
    package struct DecideMerchant: Ask, Equatable {
        package static let type: MessageType = "auth.merchant.decide.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.partyNotFound, .reasonInvalid]
        package typealias Reply = MerchantView

        package let merchant: PartyID
        package let approved: Bool
        /// What the merchant is told; at most 250 bytes.
        package let reason: String?

        package init(merchant: PartyID, approved: Bool, reason: String?) {
            self.merchant = merchant
            self.approved = approved
            self.reason = reason
        }
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

        package init(
            merchant: PartyID, username: String, name: String, status: MerchantStatus, profile: Profile,
            registered: Timestamp, decided: Timestamp?, reason: String?
        ) {
            self.merchant = merchant
            self.username = username
            self.name = name
            self.status = status
            self.profile = profile
            self.registered = registered
            self.decided = decided
            self.reason = reason
        }
    }

    /// Merchants in the order of their ids, in pages. For administrators and services.
    package struct ReadMerchants: Ask, Equatable {
        package static let type: MessageType = "auth.merchants.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            package let merchants: [MerchantView]
            /// The `after` of the next page; absent on the last.
            package let next: PartyID?

            package init(merchants: [MerchantView], next: PartyID?) {
                self.merchants = merchants
                self.next = next
            }
        }

        /// Only these; all where none is given.
        package let status: MerchantStatus?
        package let after: PartyID?
        /// 1 to 100. Fewer come where more would not fit into an envelope.
        package let limit: Int

        package init(status: MerchantStatus?, after: PartyID?, limit: Int) {
            self.status = status
            self.after = after
            self.limit = limit
        }
    }
}

import Primitives
import Wire

extension Auth {
    /// `M` or `F`; absent where a customer does not say.
    package enum Gender: String, Codable, Sendable, CaseIterable {
        case male = "M"
        case female = "F"
    }

    /// Whether a merchant may charge and send.
    package enum MerchantStatus: String, Codable, Sendable, CaseIterable {
        case pending, approved, rejected
    }

    package struct AccountRegistered: Fact, Equatable {
        package static let type: MessageType = "auth.account.registered.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Auth.AccountRegistered(
                    account: Samples.merchant, role: .merchant, name: "Corner \"Café\"", time: Samples.time,
                    username: "corner.cafe",
                    birthdate: Samples.profile.birthdate, gender: .female, student: false, status: .pending,
                    productTypes: ["coffee", "cake"]),
                bare: Auth.AccountRegistered(
                    account: Samples.customer, role: .customer, name: "Alice", time: Samples.time, username: nil))
        }
        package let account: PartyID
        package let role: Role
        package let name: String
        package let time: Timestamp
        /// Absent in facts that are older than this field.
        package let username: String?
        package let birthdate: CivilDate?
        package let gender: Gender?
        package let student: Bool?
        /// A merchant's.
        package let status: MerchantStatus?
        /// What kinds of products a merchant has; absent where it says none.
        package let productTypes: [String]?
    }

    /// What others and the targeting of offers know of an account has changed; all of it as it is now.
    package struct ProfileChanged: Fact, Equatable {
        package static let type: MessageType = "auth.profile.changed.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Auth.ProfileChanged(
                    account: Samples.customer, role: .customer, username: "alice@example.com", name: "Alice",
                    birthdate: Samples.profile.birthdate, gender: .female, student: true, time: Samples.time,
                    productTypes: ["cake"]),
                bare: Auth.ProfileChanged(
                    account: Samples.customer, role: .customer, username: "alice@example.com", name: "Alice",
                    birthdate: nil,
                    gender: nil, student: nil, time: Samples.time))
        }
        package let account: PartyID
        package let role: Role
        package let username: String
        package let name: String
        package let birthdate: CivilDate?
        package let gender: Gender?
        package let student: Bool?
        package let time: Timestamp
        /// A merchant's; absent where it says none.
        package let productTypes: [String]?
    }

    /// The administrator approved or rejected a merchant.
    package struct MerchantDecided: Fact, Equatable {
        package static let type: MessageType = "auth.merchant.decided.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Auth.MerchantDecided(
                    merchant: Samples.merchant, status: .rejected, reason: "We know of no such café.",
                    time: Samples.time),
                bare: Auth.MerchantDecided(
                    merchant: Samples.merchant, status: .approved, reason: nil, time: Samples.time))
        }
        package let merchant: PartyID
        package let status: MerchantStatus
        package let reason: String?
        package let time: Timestamp
    }
}

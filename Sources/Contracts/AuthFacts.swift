import Primitives
import Wire

extension Auth {
    /// `M` or `F` (001-96); absent where a customer does not say.
    package enum Gender: String, Codable, Sendable, CaseIterable {
        case male = "M"
        case female = "F"
    }

    /// Whether a merchant may charge and send (A36).
    package enum MerchantStatus: String, Codable, Sendable, CaseIterable {
        case pending, approved, rejected
    }

    package struct AccountRegistered: Fact, Equatable {
        package static let type: MessageType = "auth.account.registered.v1"
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
        /// What kinds of products a merchant has (001-72); absent where it says none.
        package let productTypes: [String]?

        package init(
            account: PartyID, role: Role, name: String, time: Timestamp, username: String?,
            birthdate: CivilDate? = nil, gender: Gender? = nil, student: Bool? = nil, status: MerchantStatus? = nil,
            productTypes: [String]? = nil
        ) {
            self.account = account
            self.role = role
            self.name = name
            self.time = time
            self.username = username
            self.birthdate = birthdate
            self.gender = gender
            self.student = student
            self.status = status
            self.productTypes = productTypes
        }
    }

    /// What others and the targeting of offers know of an account has changed; all of it as it is now.
    package struct ProfileChanged: Fact, Equatable {
        package static let type: MessageType = "auth.profile.changed.v1"
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

        package init(
            account: PartyID, role: Role, username: String, name: String, birthdate: CivilDate?, gender: Gender?,
            student: Bool?, time: Timestamp, productTypes: [String]? = nil
        ) {
            self.account = account
            self.role = role
            self.username = username
            self.name = name
            self.birthdate = birthdate
            self.gender = gender
            self.student = student
            self.time = time
            self.productTypes = productTypes
        }
    }

    /// The administrator approved or rejected a merchant (A36).
    package struct MerchantDecided: Fact, Equatable {
        package static let type: MessageType = "auth.merchant.decided.v1"
        package let merchant: PartyID
        package let status: MerchantStatus
        package let reason: String?
        package let time: Timestamp

        package init(merchant: PartyID, status: MerchantStatus, reason: String?, time: Timestamp) {
            self.merchant = merchant
            self.status = status
            self.reason = reason
            self.time = time
        }
    }
}

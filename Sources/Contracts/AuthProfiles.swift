import Primitives
import Wire

extension Auth {
    /// What a person or a business says of itself (A38, A39). All of it is optional, and what is absent is not known.
    ///
    /// Personal: an account's own, its administrators' and the services' to read.
    package struct Profile: WireMessage, Equatable {
        /// At most 100 bytes each.
        package let firstName: String?
        package let lastName: String?
        /// One address, RFC 5321's Mailbox without literals and quotes; at most 254 bytes.
        package let email: String?
        /// From 1900-01-01 to yesterday.
        package let birthdate: CivilDate?
        package let gender: Gender?
        package let student: Bool?
        /// A merchant's: what the business is called more exactly (001-107); at most 100 bytes.
        package let businessName: String?
        /// A merchant's primary location, in words (001-72); at most 250 bytes.
        package let address: String?
        /// What a merchant sells: at most 20 different ones, each at most 40 bytes (001-72).
        package let productTypes: [String]?

        package init(
            firstName: String? = nil, lastName: String? = nil, email: String? = nil, birthdate: CivilDate? = nil,
            gender: Gender? = nil, student: Bool? = nil, businessName: String? = nil, address: String? = nil,
            productTypes: [String]? = nil
        ) {
            self.firstName = firstName
            self.lastName = lastName
            self.email = email
            self.birthdate = birthdate
            self.gender = gender
            self.student = student
            self.businessName = businessName
            self.address = address
            self.productTypes = productTypes
        }
    }

    package struct ProfileView: WireMessage, Equatable {
        package let account: PartyID
        package let role: Role
        package let username: String
        package let name: String
        package let profile: Profile
        /// A merchant's.
        package let status: MerchantStatus?

        package init(
            account: PartyID, role: Role, username: String, name: String, profile: Profile, status: MerchantStatus?
        ) {
            self.account = account
            self.role = role
            self.username = username
            self.name = name
            self.profile = profile
            self.status = status
        }
    }

    /// All that an account says of itself. For the account, administrators and services.
    package struct ReadProfile: Ask, Equatable {
        package static let type: MessageType = "auth.profile.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.partyNotFound]
        package typealias Reply = ProfileView

        package let account: PartyID

        package init(account: PartyID) { self.account = account }
    }

    package enum ProfileField: String, Codable, Sendable, CaseIterable {
        case firstName, lastName, email, birthdate, gender, student, businessName, address, productTypes
    }

    /// Puts these in the place of what the account has said of itself (001-46, 001-64). For the account and services.
    ///
    /// The e-mail address can recover the account. Another one, or none, needs the password, which counts as a log-in,
    /// and the PIN of an account that has one: entered in the session lately, or given. The old address gets a code that
    /// puts it back, and transfers to others are held for a day.
    package struct UpdateProfile: Ask, Equatable {
        package static let type: MessageType = "auth.profile.update.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [
            .partyNotFound, .nameInvalid, .emailInvalid, .birthdateInvalid, .profileInvalid, .passwordRequired,
            .wrongCredentials, .tooManyAttempts, .pinRequired, .pinInvalid, .pinWrong, .pinDelayed, .pinLocked, .busy
        ]
        package typealias Reply = ProfileView

        package let account: PartyID
        /// What others see; as it was where none is given.
        package let name: String?
        package let profile: Profile
        /// The fields of `profile` that are to change: those that it lacks are erased. All of them where it is absent.
        package let fields: [ProfileField]?
        /// The session that asks.
        package let session: SessionID?
        /// The present password, for another e-mail address.
        package let password: String?
        /// The PIN, for another e-mail address, where it was not entered in the session lately.
        package let pin: String?

        package init(
            account: PartyID, name: String?, profile: Profile, fields: [ProfileField]? = nil,
            session: SessionID? = nil, password: String? = nil, pin: String? = nil
        ) {
            self.account = account
            self.name = name
            self.profile = profile
            self.fields = fields
            self.session = session
            self.password = password
            self.pin = pin
        }
    }

    /// Sets another password; the present one proves who asks, and every try counts. An account that has a PIN proves
    /// it too: entered in the session lately, or given. Ends the account's other sessions.
    package struct ChangePassword: Ask, Equatable {
        package static let type: MessageType = "auth.password.change.v1"
        package static let retry = RetryClass.once
        package static let faults: [FaultCode] = [
            .partyNotFound, .passwordInvalid, .wrongCredentials, .tooManyAttempts, .pinRequired, .pinInvalid,
            .pinWrong, .pinDelayed, .pinLocked, .busy
        ]

        package struct Reply: WireMessage, Equatable {
            /// The sessions that this ended.
            package let closed: [SessionID]
            package init(closed: [SessionID]) { self.closed = closed }
        }

        package let account: PartyID
        /// The one that stays; all end where none is named.
        package let session: SessionID?
        package let password: String
        /// 8 to 128 bytes of UTF-8.
        package let newPassword: String
        /// Where it was not entered in the session lately. Counts as a try at it.
        package let pin: String?

        package init(
            account: PartyID, session: SessionID?, password: String, newPassword: String, pin: String? = nil
        ) {
            self.account = account
            self.session = session
            self.password = password
            self.newPassword = newPassword
            self.pin = pin
        }
    }
}

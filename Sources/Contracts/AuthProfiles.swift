import Primitives
import Wire

extension Auth {
    /// What a person or a business says of itself. All of it is optional, and what is absent is not known.
    ///
    /// Personal: an account's own, its administrators' and the services' to read.
    package struct Profile: WireMessage, Equatable {
        package static let limits: [Limit<Self>] = [
            .text(\.firstName, 1...100, or: .profileInvalid, example: "Ada"),
            .text(\.lastName, 1...100, or: .profileInvalid, example: "Lovelace"),
            .text(\.email, 1...254, or: .emailInvalid, example: "ada@example.com"),
            .text(\.businessName, 1...100, or: .profileInvalid, example: "Coffee House"),
            .text(\.address, 1...250, or: .profileInvalid, example: "1 Aspen Avenue, Flagstaff"),
            .count(\.productTypes, 0...20, or: .profileInvalid)
        ]

        /// At most 100 bytes each.
        package let firstName: String?
        package let lastName: String?
        /// One address, RFC 5321's Mailbox without literals and quotes; at most 254 bytes.
        package let email: String?
        /// From 1900-01-01 to yesterday.
        package let birthdate: CivilDate?
        package let gender: Gender?
        package let student: Bool?
        /// A merchant's: what the business is called more exactly; at most 100 bytes.
        package let businessName: String?
        /// A merchant's primary location, in words; at most 250 bytes.
        package let address: String?
        /// What a merchant sells: at most 20 different ones, each at most 40 bytes.
        package let productTypes: [String]?
    }

    package struct ProfileView: WireMessage, Equatable {
        package let account: PartyID
        package let role: Role
        package let username: String
        package let name: String
        package let profile: Profile
        /// A merchant's.
        package let status: MerchantStatus?
        /// The administrator's words with the decision about a merchant.
        package let reason: String?
    }

    /// All that an account says of itself. For the account, administrators and services.
    package struct ReadProfile: Ask, Equatable {
        package static let type: MessageType = "auth.profile.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.account, .customer, .merchant).or(any: .administrator)
        package static let faults: [FaultCode] = [.partyNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Auth.ReadProfile(account: Samples.merchant),
                reply: Samples.fullProfile,
                bareReply: Samples.leastProfile)
        }
        package typealias Reply = ProfileView

        package let account: PartyID
    }

    package enum ProfileField: String, Codable, Sendable, CaseIterable {
        case firstName, lastName, email, birthdate, gender, student, businessName, address, productTypes
    }

    /// Puts these in the place of what the account has said of itself. For the account and services.
    ///
    /// The e-mail address can recover the account. Another one, or none, needs the password, which counts as a log-in,
    /// and the PIN of an account that has one: entered in the session lately, or given. The old address gets a code
    /// that puts it back, and transfers to others are held for a time, a day by default.
    package struct UpdateProfile: Ask, Equatable {
        package static let type: MessageType = "auth.profile.update.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.account, .customer, .merchant, .administrator)
        package static let limits: [Limit<Self>] = [
            .text(\.name, 1...100, or: .nameInvalid),
            .text(\.pin, of: .digits, 4...4, or: .pinInvalid, example: "4711")
        ]
        package static let faults: [FaultCode] = [
            .partyNotFound, .nameInvalid, .emailInvalid, .birthdateInvalid, .profileInvalid, .passwordRequired,
            .wrongCredentials, .tooManyAttempts, .pinRequired, .pinInvalid, .pinWrong, .pinDelayed, .pinLocked, .busy
        ]
        package static var examples: Examples<Self> {
            Examples(
                Auth.UpdateProfile(
                    account: Samples.merchant, name: "Corner \"Café\"", profile: Samples.profile,
                    fields: [.email, .productTypes],
                    session: Samples.session, password: "correct horse", pin: "0427"),
                bare: Auth.UpdateProfile(account: Samples.customer, name: nil, profile: Auth.Profile()),
                reply: Samples.fullProfile,
                bareReply: Samples.leastProfile)
        }
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
    }

    /// Sets another password; the present one proves who asks, and every try counts. An account that has a PIN proves
    /// it too: entered in the session lately, or given. Ends the account's other sessions.
    package struct ChangePassword: Ask, Equatable {
        package static let type: MessageType = "auth.password.change.v1"
        package static let effect: Effect<Self> = .once
        package static let access: Access<Self> = .only(\.account, .customer, .merchant, .administrator)
        package static let limits: [Limit<Self>] = [
            .text(\.newPassword, 8...128, or: .passwordInvalid, example: "correct horse battery staple"),
            .text(\.pin, of: .digits, 4...4, or: .pinInvalid, example: "4711")
        ]
        package static let faults: [FaultCode] = [
            .partyNotFound, .passwordInvalid, .wrongCredentials, .tooManyAttempts, .pinRequired, .pinInvalid,
            .pinWrong, .pinDelayed, .pinLocked, .busy
        ]
        package static var examples: Examples<Self> {
            Examples(
                Auth.ChangePassword(
                    account: Samples.customer, session: Samples.session, password: "correct horse",
                    newPassword: "wrong donkey",
                    pin: "0427"),
                bare: Auth.ChangePassword(
                    account: Samples.customer, session: nil, password: "correct horse", newPassword: "wrong donkey"),
                reply: Auth.ChangePassword.Reply(closed: [Samples.session]))
        }

        package struct Reply: WireMessage, Equatable {
            /// The sessions that this ended.
            package let closed: [SessionID]
        }

        package let account: PartyID
        /// The one that stays; all end where none is named.
        package let session: SessionID?
        package let password: String
        /// 8 to 128 bytes of UTF-8.
        package let newPassword: String
        /// Where it was not entered in the session lately. Counts as a try at it.
        package let pin: String?
    }
}

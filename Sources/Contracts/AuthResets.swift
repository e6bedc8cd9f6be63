import Primitives
import Wire

extension Auth {
    /// Has a code for a new password mailed to whoever names an account and its e-mail address.
    ///
    /// The answer is the same whether or not the two belong together, and whether or not there is such an account. Each
    /// ask counts against the username. A further one puts another code in the place of the one before.
    package struct RequestReset: Ask, Equatable {
        package static let type: MessageType = "auth.reset.request.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .anyone
        package static let limits: [Limit<Self>] = [
            .example(\.username, .text("ada")),
            .text(\.email, 1...254, or: nil, example: "ada@example.com")
        ]
        package static let faults: [FaultCode] = [.tooManyAttempts]
        package static var examples: Examples<Self> {
            Examples(
                Auth.RequestReset(username: "alice@example.com", email: "alice@example.com"),
                reply: Auth.RequestReset.Reply(expires: Samples.later))
        }

        package struct Reply: WireMessage, Equatable {
            /// How long a code lasts, if one has been mailed.
            package let expires: Timestamp
        }

        package let username: String
        /// As the account has it, but for the case of ASCII letters.
        package let email: String
    }

    /// Has the usernames mailed that belong to an e-mail address.
    ///
    /// The answer is the same whether or not an account has that address, and costs the same. Each ask counts against
    /// the address.
    package struct RequestUsernames: Ask, Equatable {
        package static let type: MessageType = "auth.usernames.request.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .anyone
        package static let limits: [Limit<Self>] = [.text(\.email, 1...254, or: nil, example: "ada@example.com")]
        package static let faults: [FaultCode] = [.tooManyAttempts]
        package static var examples: Examples<Self> {
            Examples(
                Auth.RequestUsernames(email: "alice@example.com"),
                reply: Auth.RequestUsernames.Reply(expires: Samples.later))
        }

        package struct Reply: WireMessage, Equatable {
            /// Until when the letter is sent, if there is one.
            package let expires: Timestamp
        }

        /// As accounts have it, but for the case of ASCII letters.
        package let email: String
    }

    /// Sets a new password by a mailed code, which is then spent. Every wrong code counts. Ends all the account's
    /// sessions, and holds its transfers to others for a time, a day by default.
    package struct UseReset: Ask, Equatable {
        package static let type: MessageType = "auth.reset.use.v1"
        package static let effect: Effect<Self> = .once
        package static let access: Access<Self> = .anyone
        package static let limits: [Limit<Self>] = [
            .example(\.username, .text("ada")),
            .text(\.newPassword, 8...128, or: .passwordInvalid, example: "correct horse battery staple")
        ]
        package static let faults: [FaultCode] = [.resetInvalid, .passwordInvalid, .tooManyAttempts, .busy]
        package static var examples: Examples<Self> {
            Examples(
                Auth.UseReset(
                    username: "alice@example.com", code: "7K3M-9QXT-R0V2-HB4C-WZ81-N6FJ-D5PA",
                    newPassword: "wrong donkey"),
                reply: Auth.UseReset.Reply(account: Samples.customer, closed: [Samples.session]))
        }

        package struct Reply: WireMessage, Equatable {
            package let account: PartyID
            /// The sessions that this ended.
            package let closed: [SessionID]
        }

        package let username: String
        /// As it was mailed; case, blanks and hyphens do not matter.
        package let code: String
        /// 8 to 128 bytes of UTF-8.
        package let newPassword: String
    }

    /// Puts the e-mail address back that the account had, by the code that was mailed there when it was changed, and
    /// sets a new password. Every wrong code counts. Ends all the account's sessions, spends the codes of later
    /// changes, and holds transfers to others for a time, a day by default.
    package struct RestoreAddress: Ask, Equatable {
        package static let type: MessageType = "auth.address.restore.v1"
        package static let effect: Effect<Self> = .once
        package static let access: Access<Self> = .anyone
        package static let limits: [Limit<Self>] = [
            .example(\.username, .text("ada")),
            .text(\.newPassword, 8...128, or: .passwordInvalid, example: "correct horse battery staple")
        ]
        package static let faults: [FaultCode] = [.resetInvalid, .passwordInvalid, .tooManyAttempts, .busy]
        package static var examples: Examples<Self> {
            Examples(
                Auth.RestoreAddress(
                    username: "alice@example.com", code: "7K3M-9QXT-R0V2-HB4C-WZ81-N6FJ-D5PA",
                    newPassword: "wrong donkey"),
                reply: Auth.RestoreAddress.Reply(account: Samples.customer, closed: [Samples.session]))
        }

        package struct Reply: WireMessage, Equatable {
            package let account: PartyID
            /// The sessions that this ended.
            package let closed: [SessionID]
        }

        package let username: String
        /// As it was mailed; case, blanks and hyphens do not matter.
        package let code: String
        /// 8 to 128 bytes of UTF-8.
        package let newPassword: String
    }

    /// What can open an account or recover it.
    package enum Credential: String, Codable, Sendable, CaseIterable {
        /// The e-mail address, to which codes for new passwords are mailed.
        case address
        /// The address, put back by a mailed code; the password is another one too.
        case restoredAddress
        case password
        /// The password, set by a mailed code.
        case resetPassword
        case pin
    }

    /// An account has another address, password or PIN. Its owner is told in each case.
    package struct CredentialChanged: Fact, Equatable {
        package static let type: MessageType = "auth.credential.changed.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Auth.CredentialChanged(account: Samples.customer, credential: .restoredAddress, time: Samples.time))
        }
        package let account: PartyID
        package let credential: Credential
        package let time: Timestamp
    }
}

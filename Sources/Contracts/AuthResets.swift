import Primitives
import Wire

extension Auth {
    /// Has a code for a new password mailed to whoever names an account and its e-mail address (001-73, A42).
    ///
    /// The answer is the same whether or not the two belong together, and whether or not there is such an account. Each
    /// ask counts against the username. A further one puts another code in the place of the one before.
    package struct RequestReset: Ask, Equatable {
        package static let type: MessageType = "auth.reset.request.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.tooManyAttempts]

        package struct Reply: WireMessage, Equatable {
            /// How long a code lasts, if one has been mailed.
            package let expires: Timestamp
            package init(expires: Timestamp) { self.expires = expires }
        }

        package let username: String
        /// As the account has it, but for the case of ASCII letters.
        package let email: String

        package init(username: String, email: String) {
            self.username = username
            self.email = email
        }
    }

    /// Sets a new password by a mailed code, which is then spent. Every wrong code counts. Ends all the account's
    /// sessions, and holds its transfers to others for a day.
    package struct UseReset: Ask, Equatable {
        package static let type: MessageType = "auth.reset.use.v1"
        package static let retry = RetryClass.once
        package static let faults: [FaultCode] = [.resetInvalid, .passwordInvalid, .tooManyAttempts, .busy]

        package struct Reply: WireMessage, Equatable {
            package let account: PartyID
            /// The sessions that this ended.
            package let closed: [SessionID]

            package init(account: PartyID, closed: [SessionID]) {
                self.account = account
                self.closed = closed
            }
        }

        package let username: String
        /// As it was mailed; case, blanks and hyphens do not matter.
        package let code: String
        /// 8 to 128 bytes of UTF-8.
        package let newPassword: String

        package init(username: String, code: String, newPassword: String) {
            self.username = username
            self.code = code
            self.newPassword = newPassword
        }
    }

    /// Puts the e-mail address back that the account had, by the code that was mailed there when it was changed, and
    /// sets a new password. Every wrong code counts. Ends all the account's sessions, spends the codes of later changes, and
    /// holds transfers to others for a day.
    package struct RestoreAddress: Ask, Equatable {
        package static let type: MessageType = "auth.address.restore.v1"
        package static let retry = RetryClass.once
        package static let faults: [FaultCode] = [.resetInvalid, .passwordInvalid, .tooManyAttempts, .busy]

        package struct Reply: WireMessage, Equatable {
            package let account: PartyID
            /// The sessions that this ended.
            package let closed: [SessionID]

            package init(account: PartyID, closed: [SessionID]) {
                self.account = account
                self.closed = closed
            }
        }

        package let username: String
        /// As it was mailed; case, blanks and hyphens do not matter.
        package let code: String
        /// 8 to 128 bytes of UTF-8.
        package let newPassword: String

        package init(username: String, code: String, newPassword: String) {
            self.username = username
            self.code = code
            self.newPassword = newPassword
        }
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
        package let account: PartyID
        package let credential: Credential
        package let time: Timestamp

        package init(account: PartyID, credential: Credential, time: Timestamp) {
            self.account = account
            self.credential = credential
            self.time = time
        }
    }
}

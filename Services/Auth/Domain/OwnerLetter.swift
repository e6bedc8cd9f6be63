import Contracts
import Primitives

/// A letter to the owner of an account: a code for a new password, or the news of a changed credential.
package struct OwnerLetter: Sendable {
    package enum Occasion: Sendable {
        case newPassword
        /// All usernames of the address.
        case usernames([String])
        case changed(Auth.Credential, at: Timestamp)
    }

    /// Also the id of the code in the letter.
    package let id: LetterID
    package let username: String
    package let email: String
    package let occasion: Occasion
    package let expires: Timestamp

    package init(id: LetterID, username: String, email: String, occasion: Occasion, expires: Timestamp) {
        self.id = id
        self.username = username
        self.email = email
        self.occasion = occasion
        self.expires = expires
    }

    /// What the code of this letter allows.
    var codeKind: MailedCode {
        switch occasion {
        case .newPassword, .usernames: .newPassword
        case .changed: .oldAddress
        }
    }

    /// The letter as it is mailed. News of a changed address shows the code, which restores the old address; other news
    /// shows none.
    func reply(_ code: ResetCode) -> Auth.ReadLetter.Reply {
        switch occasion {
        case .newPassword:
            .init(to: email, subject: "Your Billfold code", text: textOfCode(code), expires: expires)
        case .usernames(let names):
            .init(to: email, subject: "Your Billfold usernames", text: Self.text(of: names), expires: expires)
        case .changed(let credential, let time):
            .init(
                to: email, subject: Self.subject(credential), text: text(of: credential, at: time, code),
                expires: expires)
        }
    }

    private func textOfCode(_ code: ResetCode) -> String {
        """
        You, or someone else, asked to reset the password of the account \(username). The password has not changed, \
        and no money was moved.

        To set a new password, enter this code: \(code.mailed)

        It works once, until \(expires.rfc3339). If you did not ask for it, do nothing.

        """
    }

    private static func text(of names: [String]) -> String {
        """
        Somebody, you we hope, has asked which usernames this address has.

        \(names.joined(separator: "\n"))

        Log in with one of them. If it was not you, do nothing: nothing was changed, and no money was moved.

        """
    }

    private static func subject(_ credential: Auth.Credential) -> String {
        switch credential {
        case .address: "Your e-mail address was changed"
        case .restoredAddress: "Your e-mail address was restored"
        case .password, .resetPassword: "Your password was changed"
        case .pin: "Your PIN was changed"
        }
    }

    private func text(of credential: Auth.Credential, at time: Timestamp, _ code: ResetCode) -> String {
        """
        \(change(credential)) This happened at \(time.rfc3339). No money was moved.

        If it was you, you need to do nothing.

        If it was not you: \(wayBack(credential, code))

        """
    }

    private func change(_ credential: Auth.Credential) -> String {
        switch credential {
        case .address: "The e-mail address of the account \(username) was changed from this one to another."
        case .restoredAddress:
            "The account \(username) has this e-mail address again, and a new password. "
                + "Both were set with a mailed code."
        case .password: "The password of the account \(username) was changed with the old password."
        case .resetPassword: "The password of the account \(username) was reset with a mailed code."
        case .pin: "The PIN of the account \(username) was changed."
        }
    }

    private func wayBack(_ credential: Auth.Credential, _ code: ResetCode) -> String {
        switch credential {
        case .address:
            """
            restore this address with a new password and this code: \(code.mailed)

            It works once, until \(expires.rfc3339). It ends all sessions. Transfers to other people may be held for \
            a while.
            """
        case .restoredAddress, .password, .resetPassword, .pin:
            """
            reset the password with "Forgot username or password" and this address. That ends all sessions. \
            Transfers to other people may be held for a while.
            """
        }
    }
}

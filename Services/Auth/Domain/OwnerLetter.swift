import Contracts
import Primitives

/// A letter to the owner of an account: a code that they asked for, or news of a change.
package struct OwnerLetter: Sendable {
    package enum Occasion: Sendable {
        case newPassword
        /// All usernames of the address.
        case usernames([String])
        case changed(Auth.Credential, at: Timestamp)
    }

    /// Also that of the code in it.
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

    /// What the code of this letter is for.
    var codeKind: MailedCode {
        switch occasion {
        case .newPassword, .usernames: .newPassword
        case .changed: .oldAddress
        }
    }

    /// What is sent. A change of the address alone shows the code, which puts the old one back.
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
        Somebody, you we hope, has asked for a new password for the account \(username).

        The code: \(code.mailed)

        It can be used once, until \(expires.rfc3339). If it was not you, do nothing: the password stays as it is.

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
        case .restoredAddress: "Your e-mail address was put back"
        case .password, .resetPassword: "Your password was changed"
        case .pin: "Your PIN was changed"
        }
    }

    private func text(of credential: Auth.Credential, at time: Timestamp, _ code: ResetCode) -> String {
        """
        \(happened(credential)) It was at \(time.rfc3339). No money was moved by it.

        If it was you, there is nothing to do. If it was not you:

        \(wayBack(credential, code))

        """
    }

    private func happened(_ credential: Auth.Credential) -> String {
        switch credential {
        case .address: "The account \(username) has another e-mail address. It was this one before."
        case .restoredAddress:
            "The account \(username) has this e-mail address again, and a new password, set with a mailed code."
        case .password: "The account \(username) has a new password, set with the old one."
        case .resetPassword: "The account \(username) has a new password, set with a mailed code."
        case .pin: "The account \(username) has a new PIN."
        }
    }

    private func wayBack(_ credential: Auth.Credential, _ code: ResetCode) -> String {
        switch credential {
        case .address:
            """
            The code: \(code.mailed)

            Use it with a new password, once, until \(expires.rfc3339). It puts this address back and ends all sessions. \
            Transfers to others are held meanwhile.
            """
        case .restoredAddress, .password, .resetPassword, .pin:
            """
            Ask for a new password with "Forgot your password?" and this address. That ends all sessions. Transfers to \
            others are held for a day then.
            """
        }
    }
}

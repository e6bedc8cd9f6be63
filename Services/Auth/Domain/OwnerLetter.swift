import Contracts
import Primitives

package enum Letter {}
package typealias LetterID = Identifier<Letter>

/// A letter that tells an account's owner what was changed, on its way to a mailbox.
package struct OwnerLetter: Sendable {
    /// Of a changed address also that of the code that puts the old one back.
    package let id: LetterID
    package let username: String
    package let email: String
    package let credential: Auth.Credential
    package let time: Timestamp
    package let expires: Timestamp

    package init(
        id: LetterID, username: String, email: String, credential: Auth.Credential, time: Timestamp,
        expires: Timestamp
    ) {
        self.id = id
        self.username = username
        self.email = email
        self.credential = credential
        self.time = time
        self.expires = expires
    }

    /// The ask that sends it. Its id is the letter's: a repeat is no second letter.
    ///
    /// - Parameter code: puts the old address back.
    func mail(_ code: ResetCode) -> Notifications.SendMail {
        Notifications.SendMail(
            notice: id.reinterpreted(), to: email, subject: subject, text: text(code), expires: expires)
    }

    private var subject: String {
        switch credential {
        case .address: "Your e-mail address was changed"
        case .restoredAddress: "Your e-mail address was put back"
        case .password, .resetPassword: "Your password was changed"
        case .pin: "Your PIN was changed"
        }
    }

    private func text(_ code: ResetCode) -> String {
        """
        \(happened) It was at \(time.rfc3339). No money was moved by it.

        If it was you, there is nothing to do. If it was not you:

        \(wayBack(code))

        """
    }

    private var happened: String {
        switch credential {
        case .address: "The account \(username) has another e-mail address. It was this one before."
        case .restoredAddress:
            "The account \(username) has this e-mail address again, and a new password, set with a mailed code."
        case .password: "The account \(username) has a new password, set with the old one."
        case .resetPassword: "The account \(username) has a new password, set with a mailed code."
        case .pin: "The account \(username) has a new PIN."
        }
    }

    private func wayBack(_ code: ResetCode) -> String {
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

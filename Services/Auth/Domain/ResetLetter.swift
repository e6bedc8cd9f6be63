import Contracts
import Primitives

/// A code on its way to somebody's mailbox.
package struct ResetLetter: Sendable {
    package let reset: ResetID
    package let username: String
    package let email: String
    package let expires: Timestamp

    package init(reset: ResetID, username: String, email: String, expires: Timestamp) {
        self.reset = reset
        self.username = username
        self.email = email
        self.expires = expires
    }

    /// The ask that sends it. Its id is the reset's: a repeat is no second letter.
    func mail(_ code: ResetCode) -> Notifications.SendMail {
        Notifications.SendMail(
            notice: reset.reinterpreted(), to: email, subject: "Your Billfold code",
            text: """
                Somebody, you we hope, has asked for a new password for the account \(username).

                The code: \(code.mailed)

                It can be used once, until \(expires.rfc3339). If it was not you, do nothing: the password stays as it is.

                """, expires: expires)
    }
}

import Primitives
import Wire

/// All that one may ask of notifications, or hear from it: the inbox, and what leaves the house.
package enum Notifications: FactSource {
    package static let service = "notifications"

    /// Sends one letter to one address, and to no inbox: what a person without a session has asked for, such as a code to
    /// set a new password (A42). Keyed on `notice`. For services.
    package struct SendMail: Ask, Equatable {
        package static let type: MessageType = "notifications.mail.send.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [.addressInvalid, .noticeIDReused]

        package struct Reply: WireMessage, Equatable {
            package let replayed: Bool
            package init(replayed: Bool) { self.replayed = replayed }
        }

        package let notice: NoticeID
        /// One address, RFC 5321's Mailbox; at most 254 bytes.
        package let to: String
        /// One line.
        package let subject: String
        package let text: String
        /// After this it is sent no more.
        package let expires: Timestamp

        package init(notice: NoticeID, to: String, subject: String, text: String, expires: Timestamp) {
            self.notice = notice
            self.to = to
            self.subject = subject
            self.text = text
            self.expires = expires
        }
    }
}

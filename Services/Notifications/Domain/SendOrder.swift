import Contracts
import Primitives
import Sodium

/// A message or letter to one address.
package struct SendOrder: Sendable, Equatable {
    package let notice: NoticeID
    package let channel: Medium
    package let address: String
    package let title: String
    package let text: String
    package let expires: Timestamp
    /// Shows other content under the same key.
    package let fingerprint: [UInt8]

    package init(
        notice: NoticeID, channel: Medium, address: String, title: String, text: String, expires: Timestamp,
        fingerprint: [UInt8]
    ) {
        self.notice = notice
        self.channel = channel
        self.address = address
        self.title = title
        self.text = text
        self.expires = expires
        self.fingerprint = fingerprint
    }

    /// The notice and its delivery share one id, which is the key.
    package var delivery: DeliveryID { notice.reinterpreted() }
}

extension SendOrder {
    package static let subjectBytesMax = 200
    package static let letterBytesMax = 16 * 1024
    /// How long a letter may wait for the mail server.
    package static let letterLifetimeMax = Duration.seconds(7 * 86_400)

    /// One letter to one address.
    ///
    /// - Throws: `notifications.address_invalid`, `notifications.message_invalid`.
    package init(
        letter id: NoticeID, to address: String, subject: String, text: String, expires: Timestamp, at now: Timestamp
    ) throws(Fault) {
        guard MailAddress(address) != nil else { throw Fault(.addressInvalid) }
        guard (1...Self.subjectBytesMax).contains(subject.utf8.count), subject.isShown,
            (1...Self.letterBytesMax).contains(text.utf8.count)
        else {
            throw Fault(
                .messageInvalid,
                "a letter has one line of subject, at most \(Self.subjectBytesMax) bytes, and a text of at most "
                    + "\(Self.letterBytesMax)")
        }
        self.init(
            notice: id, channel: .mail, address: address, title: subject, text: text,
            expires: min(expires, now + Self.letterLifetimeMax),
            fingerprint: Digest.sha256(Array("\(address)\0\(subject)\0\(expires.milliseconds)\0\(text)".utf8)))
    }
}

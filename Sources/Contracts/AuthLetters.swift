import Primitives
import Wire

extension Auth {
    /// What a letter brings to the owner of an account.
    package enum LetterKind: String, Codable, Sendable, CaseIterable {
        /// A code to set a new password with. Its reader waits for it.
        case code
        /// News of another address, password or PIN.
        case change
    }

    /// What one of auth's letters says, and to which address. For services.
    ///
    /// It may hold a code. It is gone once the letter is confirmed or its time is up.
    package struct ReadLetter: Ask, Equatable {
        package static let type: MessageType = "auth.letter.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.letterNotFound]

        package struct Reply: WireMessage, Equatable {
            /// One address, RFC 5321's Mailbox; at most 254 bytes.
            package let to: String
            /// One line.
            package let subject: String
            package let text: String
            /// After this it is sent no more.
            package let expires: Timestamp

            package init(to: String, subject: String, text: String, expires: Timestamp) {
                self.to = to
                self.subject = subject
                self.text = text
                self.expires = expires
            }
        }

        package let letter: LetterID

        package init(letter: LetterID) { self.letter = letter }
    }

    /// Says that a letter is in the hands of its sender: auth forgets what it says. For services.
    package struct ConfirmLetter: Ask, Equatable {
        package static let type: MessageType = "auth.letter.confirm.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            /// Whether it still waited.
            package let confirmed: Bool
            package init(confirmed: Bool) { self.confirmed = confirmed }
        }

        package let letter: LetterID

        package init(letter: LetterID) { self.letter = letter }
    }

    /// A letter to the owner of an account waits to be sent. `auth.letter.read.v1` has what it says.
    package struct LetterQueued: Fact, Equatable {
        package static let type: MessageType = "auth.letter.queued.v1"
        package let letter: LetterID
        package let account: PartyID
        package let kind: LetterKind
        /// After this the letter cannot be read any more.
        package let expires: Timestamp
        package let time: Timestamp

        package init(
            letter: LetterID, account: PartyID, kind: LetterKind, expires: Timestamp, time: Timestamp
        ) {
            self.letter = letter
            self.account = account
            self.kind = kind
            self.expires = expires
            self.time = time
        }
    }
}

import Primitives
import Wire

extension Auth {
    /// What a letter brings to the owner of an account.
    package enum LetterKind: String, Codable, Sendable, CaseIterable {
        /// What its reader has asked for and waits for: a code to set a new password with, or forgotten usernames.
        case code
        /// News of another address, password or PIN.
        case change
    }

    /// What one of auth's letters says, and to which address. For services.
    ///
    /// It may hold a code. It is gone once the letter is confirmed or its time is up.
    package struct ReadLetter: Ask, Equatable {
        package static let type: MessageType = "auth.letter.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .services
        package static let faults: [FaultCode] = [.letterNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Auth.ReadLetter(letter: Samples.letter),
                reply: Auth.ReadLetter.Reply(
                    to: "alice@example.com", subject: "Your Billfold code",
                    text: "The code: 7K3M-9QXT-R0V2-HB4C-WZ81-N6FJ-D5PA\n", expires: Samples.later))
        }

        package struct Reply: WireMessage, Equatable {
            /// One address, RFC 5321's Mailbox; at most 254 bytes.
            package let to: String
            /// One line.
            package let subject: String
            package let text: String
            /// After this it is sent no more.
            package let expires: Timestamp
        }

        package let letter: LetterID
    }

    /// Says that a letter is in the hands of its sender: auth forgets what it says. For services.
    package struct ConfirmLetter: Ask, Equatable {
        package static let type: MessageType = "auth.letter.confirm.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .services
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Auth.ConfirmLetter(letter: Samples.letter), reply: Auth.ConfirmLetter.Reply(confirmed: true))
        }

        package struct Reply: WireMessage, Equatable {
            /// Whether it still waited.
            package let confirmed: Bool
        }

        package let letter: LetterID
    }

    /// A letter to the owner of an account waits to be sent. `auth.letter.read.v1` has what it says.
    package struct LetterQueued: Fact, Equatable {
        package static let type: MessageType = "auth.letter.queued.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Auth.LetterQueued(
                    letter: Samples.letter, account: Samples.customer, kind: .code, expires: Samples.later,
                    time: Samples.time))
        }
        package let letter: LetterID
        package let account: PartyID
        package let kind: LetterKind
        /// After this the letter cannot be read any more.
        package let expires: Timestamp
        package let time: Timestamp
    }
}

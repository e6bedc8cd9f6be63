import AuthService
import Bus
import Contracts
import Primitives
import Synchronization

/// A letter as whoever sends it got it.
struct MailedLetter: Sendable, Equatable {
    let id: LetterID
    let to, subject, text: String
    let expires: Timestamp

    /// The code as a person would copy it.
    var code: String? { text.firstMatch(of: /code: ([0-9A-Z-]+)/).map { String($0.output.1) } }
}

/// Notifications in a few lines: reads the letters that facts name, and confirms them unless it is broken.
final class Mailbox: Sendable {
    private let state = Mutex<[MailedLetter]>([])

    var letters: [MailedLetter] { state.withLock { $0 } }

    func collect(from auth: AuthHarness, confirming: Bool = true) async throws {
        for fact in try await auth.facts() where fact.type == Auth.LetterQueued.type.name {
            let id = try Auth.LetterQueued(json: fact.data).letter
            do throws(Fault) {
                let letter = try await ReadLetterHandler(auth.service).answer(.init(letter: id), in: auth.context())
                state.withLock {
                    $0.append(
                        MailedLetter(
                            id: id, to: letter.to, subject: letter.subject, text: letter.text, expires: letter.expires))
                }
            } catch {
                guard error.code == .letterNotFound else { throw error }
                continue
            }
            guard confirming else { continue }
            _ = try await ConfirmLetterHandler(auth.service).answer(.init(letter: id), in: auth.context())
        }
    }
}

import Bus
import Contracts
import Primitives

/// Reads the letters that auth has queued, and confirms them once they are stored here.
///
/// Facts carry only the ids of letters. Their texts, which may contain codes, are read when they are to be sent.
package struct LetterPickup: Sendable {
    /// How long auth may take for one letter.
    private static let patience = Duration.seconds(5)

    private let bus: any Asking
    private let clock: WallClock
    private let refused: @Sendable (LetterID, Fault) -> Void

    /// - Parameter refused: called for a letter that cannot be sent as it is. It is skipped, as no later attempt could
    ///   succeed.
    package init(
        asking bus: any Asking, clock: WallClock, refused: @escaping @Sendable (LetterID, Fault) -> Void = { _, _ in }
    ) {
        self.bus = bus
        self.clock = clock
        self.refused = refused
    }

    /// The letters that can still be read.
    ///
    /// - Throws: auth's fault, when it does not answer now.
    func orders(of queued: [Auth.LetterQueued]) async throws(Fault) -> [SendOrder] {
        var orders: [SendOrder] = []
        for letter in queued where letter.expires > clock.now() {
            do throws(Fault) {
                if let order = try await order(of: letter) { orders.append(order) }
            } catch {
                guard [.addressInvalid, .messageInvalid].contains(error.code) else { throw error }
                refused(letter.letter, error)
            }
        }
        return orders
    }

    private func order(of queued: Auth.LetterQueued) async throws(Fault) -> SendOrder? {
        let now = clock.now()
        let letter: Auth.ReadLetter.Reply
        do throws(Fault) {
            letter = try await bus.ask(
                Auth.ReadLetter(letter: queued.letter),
                in: AskContext(deadline: min(queued.expires, now + Self.patience)))
        } catch {
            // It was confirmed before, or its code was used, replaced or has expired.
            if error.code == .letterNotFound || clock.now() >= queued.expires { return nil }
            throw error
        }
        return try SendOrder(
            letter: queued.letter.reinterpreted(), to: letter.to, subject: letter.subject, text: letter.text,
            expires: letter.expires, at: now)
    }

    /// Lets auth delete the texts of these letters. An unconfirmed letter waits in auth until it expires.
    func confirm(_ queued: [Auth.LetterQueued]) async {
        let context = AskContext(deadline: clock.now() + Self.patience)
        for letter in queued where letter.expires > clock.now() {
            do throws(Fault) { _ = try await bus.ask(Auth.ConfirmLetter(letter: letter.letter), in: context) } catch {
                return
            }
        }
    }
}

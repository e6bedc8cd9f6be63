import Bus
import Contracts
import Primitives

/// Has the letters sent that wait to be: each until somebody has taken it, or its code has expired.
package struct ResetMailer: Sendable {
    private let desk: AccountDesk
    private let bus: any Asking

    /// Letters in one round.
    package static let lettersMax = 50
    /// How long notifications may take over one.
    package static let patience = Duration.seconds(5)

    package init(_ desk: AccountDesk, asking bus: any Asking) {
        self.desk = desk
        self.bus = bus
    }

    /// One round of codes for new passwords, which people wait for. What cannot be sent now is left for the next.
    ///
    /// - Throws: why notifications or the store cannot take them now.
    package func run() async throws(Fault) {
        let now = desk.clock.now()
        for letter in try await desk.store.unsentResets(at: now, limit: Self.lettersMax) {
            try await send(letter.mail(desk.code(of: letter.reset, .newPassword)))
            try await desk.store.resetSent(letter.reset)
        }
    }

    /// One round of letters that tell owners what was changed. Faults: as of `run`.
    package func tellOwners() async throws(Fault) {
        for letter in try await desk.store.unsentLetters(at: desk.clock.now(), limit: Self.lettersMax) {
            try await send(letter.mail(desk.code(of: letter.id.reinterpreted(), .oldAddress)))
            try await desk.store.letterSent(letter.id)
        }
    }

    private func send(_ mail: Notifications.SendMail) async throws(Fault) {
        let context = AskContext(deadline: min(mail.expires, desk.clock.now() + Self.patience))
        do throws(Fault) {
            _ = try await bus.ask(mail, in: context)
        } catch  where error.code.retry == .never && error.code != .unknownType {
            // It would be refused every time, and hold up the others. The reader sees no letter come.
        }
    }
}

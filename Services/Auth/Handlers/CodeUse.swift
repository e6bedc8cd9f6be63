import Bus
import Contracts
import Primitives
import Sodium

/// Sets a new password by a mailed code, and does what the code is for besides.
struct CodeUse {
    let desk: AccountDesk
    let kind: MailedCode

    func use(
        _ code: String, of username: String, newPassword: String, in context: AskContext
    ) async throws(Fault) -> (account: PartyID, closed: [SessionID]) {
        // Before anything is written: a flood must cost no commits.
        try desk.hasher.admit()
        let name = desk.codeName(username)
        let policy = desk.rules.resetTryPolicy
        switch try await desk.store.beginReset(name, kind, under: policy, at: desk.clock.now()) {
        case .wait(let seconds): throw Fault(.tooManyAttempts, retryAfterSeconds: seconds)
        case .check(let found, let ticket):
            // Without a reset the code is held against one that nobody has: the same steps.
            let ids = found?.ids ?? [Randomness.shared.identifier(at: desk.clock.now())]
            guard let typed = ResetCode(typed: code),
                let reset = ids.first(where: { typed.matches(desk.code(of: $0, kind)) }), let account = found?.account
            else { throw Fault(.resetInvalid) }
            let hash: String
            do throws(Fault) {
                hash = try await desk.hasher.hash(
                    Secret(password: newPassword), of: account, before: context.deadline)
            } catch {
                // The code was right all the same.
                try await desk.store.refundLogin(name, ticket: ticket, under: policy)
                throw error
            }
            let now = desk.clock.now()
            let use = ResetUse(
                reset: reset, kind: kind, account: account, codeName: name, loginName: desk.loginName(username),
                newPasswordHash: hash, heldUntil: now + desk.rules.transferHold,
                letter: desk.letter(to: username, at: now))
            // Nil: somebody was faster, or its time was up while the password was hashed.
            guard let closed = try await desk.store.useReset(use, by: Cause(time: now, context: context)) else {
                throw Fault(.resetInvalid)
            }
            return (account, closed)
        }
    }
}

import Bus
import Contracts
import Primitives
import Sodium

/// Sets a new password by a mailed code (A42).
package struct UseResetHandler: Answering {
    private let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    package func answer(_ ask: Auth.UseReset, in context: AskContext) async throws(Fault) -> Auth.UseReset.Reply {
        guard Registration.isPassword(ask.newPassword) else { throw Fault(.passwordInvalid) }
        // Before anything is written: a flood must cost no commits.
        try desk.hasher.admit()
        let name = desk.codeName(ask.username)
        let policy = desk.rules.resetTryPolicy
        switch try await desk.store.beginReset(name, under: policy, at: desk.clock.now()) {
        case .wait(let seconds): throw Fault(.tooManyAttempts, retryAfterSeconds: seconds)
        case .check(let reset, let ticket):
            // Without a reset the code is held against one that nobody has: the same steps.
            let right = desk.code(of: reset?.id ?? Randomness.shared.identifier(at: desk.clock.now()))
            guard let typed = ResetCode(typed: ask.code), typed.matches(right), let reset else {
                throw Fault(.resetInvalid)
            }
            let hash: String
            do throws(Fault) {
                hash = try await desk.hasher.hash(
                    Secret(password: ask.newPassword), of: reset.account, before: context.deadline)
            } catch {
                // The code was right all the same.
                try await desk.store.refundLogin(name, ticket: ticket, under: policy)
                throw error
            }
            let use = ResetUse(
                reset: reset.id, account: reset.account, codeName: name, loginName: desk.loginName(ask.username),
                newPasswordHash: hash)
            let closed = try await desk.store.useReset(use, by: Cause(time: desk.clock.now(), context: context))
            // Somebody was faster, or its time was up while the password was hashed.
            guard let closed else { throw Fault(.resetInvalid) }
            return .init(account: reset.account, closed: closed)
        }
    }
}

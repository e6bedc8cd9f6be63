import Bus
import Contracts
import Primitives

/// Sets another password for an owner who proves the present one, and the PIN of an account that has one.
package struct ChangePasswordHandler: Answering {
    private let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    package func answer(
        _ ask: Auth.ChangePassword, in context: AskContext
    ) async throws(Fault) -> Auth.ChangePassword.Reply {
        guard let known = try await desk.store.account(ask.account) else { throw Fault(.partyNotFound) }
        let name = desk.loginName(known.view.username)
        let proved = try await OwnerCheck(desk: desk).account(
            known, session: ask.session, password: ask.password, pin: ask.pin, in: context)
        let hash: String
        do throws(Fault) {
            hash = try await desk.hasher.hash(
                Secret(password: ask.newPassword), of: ask.account, before: context.deadline)
        } catch {
            // The password was right all the same.
            try await desk.store.clearLogin(name)
            throw error
        }
        let now = desk.clock.now()
        let change = PasswordChange(
            account: ask.account, loginName: name, passwordHash: proved.passwordHash, newPasswordHash: hash,
            staying: ask.session, letter: desk.letter(to: known.view.username, at: now))
        let closed = try await desk.store.changePassword(change, by: Cause(time: now, context: context))
        // Another password was set meanwhile.
        guard let closed else { throw Fault(.busy, retryAfterSeconds: 1) }
        return .init(closed: closed)
    }
}

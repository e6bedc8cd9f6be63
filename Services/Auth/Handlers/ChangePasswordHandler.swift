import Bus
import Contracts
import Primitives

/// Changes the password of an owner who proves the present one, and the PIN if the account has one.
package struct ChangePasswordHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(
        _ ask: Auth.ChangePassword, in context: AskContext
    ) async throws(Fault) -> Auth.ChangePassword.Reply {
        guard let known = try await service.store.account(ask.account) else { throw Fault(.partyNotFound) }
        let name = service.loginName(known.view.username)
        let proved = try await OwnerCheck(service: service).account(
            known, session: ask.session, password: ask.password, pin: ask.pin, in: context)
        let hash: String
        do throws(Fault) {
            hash = try await service.hasher.hash(
                Secret(password: ask.newPassword), of: ask.account, before: context.deadline)
        } catch {
            // The password was right, so its count is cleared.
            try await service.store.clearLogin(name)
            throw error
        }
        let now = service.clock.now()
        let change = PasswordChange(
            account: ask.account, loginName: name, passwordHash: proved.passwordHash, newPasswordHash: hash,
            staying: ask.session, letter: service.letter(to: known.view.username, at: now))
        let closed = try await service.store.changePassword(change, by: Cause(time: now, context: context))
        // Another password was set in the meantime.
        guard let closed else { throw Fault(.busy, retryAfterSeconds: 1) }
        return .init(closed: closed)
    }
}

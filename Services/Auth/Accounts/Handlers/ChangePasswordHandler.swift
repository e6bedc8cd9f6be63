import Bus
import Contracts
import Primitives

/// Sets another password for whoever knows the present one.
package struct ChangePasswordHandler: Answering {
    private let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    package func answer(
        _ ask: Auth.ChangePassword, in context: AskContext
    ) async throws(Fault) -> Auth.ChangePassword.Reply {
        try context.require(ask.account)
        guard Registration.isPassword(ask.newPassword) else { throw Fault(.passwordInvalid) }
        guard let known = try await desk.store.account(ask.account) else { throw Fault(.partyNotFound) }
        let name = desk.loginName(known.view.username)
        let proved = try await PasswordCheck(desk: desk).account(
            name, Secret(password: ask.password), before: context.deadline)
        let hash: String
        do throws(Fault) {
            hash = try await desk.hasher.hash(
                Secret(password: ask.newPassword), of: ask.account, before: context.deadline)
        } catch {
            // The password was right all the same.
            try await desk.store.clearLogin(name)
            throw error
        }
        let change = PasswordChange(
            account: ask.account, loginName: name, passwordHash: proved.passwordHash, newPasswordHash: hash,
            staying: ask.session)
        let closed = try await desk.store.changePassword(
            change, by: Cause(time: desk.clock.now(), context: context))
        // Another password was set meanwhile.
        guard let closed else { throw Fault(.busy, retryAfterSeconds: 1) }
        return .init(closed: closed)
    }
}

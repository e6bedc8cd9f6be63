import Bus
import Contracts
import Primitives
import Sodium

/// Logs in.
package struct OpenSessionHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(
        _ ask: Auth.OpenSession, in context: AskContext
    ) async throws(Fault) -> Auth.OpenSession.Reply {
        guard ask.client?.isShownAndVisible ?? true else {
            throw Fault(.malformed, "'client' must not hold control or invisible characters")
        }
        let name = service.loginName(ask.username)
        let password = Secret(password: ask.password)
        let account = try await PasswordCheck(service: service).account(name, password, before: context.deadline)
        var newHash: String?
        if service.hasher.needsRehash(account.passwordHash) {
            // Renews an outdated hash while the password is known. If there is no time, the next log-in does it.
            newHash = try? await service.hasher.hash(password, of: account.view.account, before: context.deadline)
        }
        let token = SessionToken()
        let now = service.clock.now()
        let opened = try await service.store.openSession(
            NewSession(
                id: Randomness.shared.identifier(at: now), digest: token.digest, account: account.view,
                expires: now + service.rules.sessionLifetime, loginName: name, passwordHash: account.passwordHash,
                newPasswordHash: newHash, client: ask.client),
            sessionsMax: service.rules.sessionsPerAccountMax, by: Cause(time: now, context: context))
        // Another password was set during the check, or the same one was hashed again: the caller may retry.
        guard let session = opened else { throw Fault(.busy, retryAfterSeconds: 1) }
        return .init(token: token.text, session: session)
    }
}

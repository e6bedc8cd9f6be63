import Bus
import Contracts
import Primitives
import Sodium

/// Sets a new password by a mailed code; a code for the old address also restores that.
struct CodeUse {
    let service: AccountService
    let kind: MailedCode

    func use(
        _ code: String, of username: String, newPassword: String, in context: AskContext
    ) async throws(Fault) -> (account: PartyID, closed: [SessionID]) {
        // Checked before anything is written, so that a flood of asks costs no commits.
        try service.hasher.admit(.password)
        let name = service.codeName(username)
        let found = try await service.store.mailedCodes(of: username, kind, at: service.clock.now())
        // Without a reset, the code is compared with one that nobody has: the steps are the same.
        let ids = found?.ids ?? [Randomness.shared.identifier(at: service.clock.now())]
        guard let typed = ResetCode(typed: code),
            let reset = ids.first(where: { typed.matches(service.code(of: $0, kind)) }), let account = found?.account
        else { throw try await wrong(name) }
        let hash = try await service.hasher.hash(
            Secret(password: newPassword), of: account, before: context.deadline)
        let now = service.clock.now()
        let use = ResetUse(
            reset: reset, kind: kind, account: account, codeName: name, loginName: service.loginName(username),
            newPasswordHash: hash, heldUntil: now + service.rules.transferHold,
            letter: service.letter(to: username, at: now))
        // Nil: another use came first, or the code expired while the password was hashed.
        guard let closed = try await service.store.useReset(use, by: Cause(time: now, context: context)) else {
            throw Fault(.resetInvalid)
        }
        return (account, closed)
    }

    /// Wrong codes are slowed down and never keep the right one waiting: it has more bits than anybody can try, and
    /// whoever knows the name could otherwise hold it shut until it expires.
    private func wrong(_ name: LoginName) async throws(Fault) -> Fault {
        let seconds = try await service.store.countWrongCode(
            name, under: service.rules.resetTryPolicy, at: service.clock.now())
        return seconds.map { Fault(.tooManyAttempts, retryAfterSeconds: $0) } ?? Fault(.resetInvalid)
    }
}

import Bus
import Contracts
import Primitives

/// Proves that an account's owner asks: by the password, and by the PIN if the account has one. A session alone is no
/// proof, as tokens can be stolen.
struct OwnerCheck {
    let service: AccountService

    /// Returns the account if the password is right. The caller clears the count, in the transaction that the password
    /// was given for.
    ///
    /// - Parameters:
    /// - session: the asking session; a PIN that was verified in it lately counts.
    /// - pin: the PIN, if it was not.
    func account(
        _ known: AccountRecord, session: SessionID?, password: String, pin: String?, in context: AskContext
    ) async throws(Fault) -> AccountRecord {
        let account = known.view.account
        let standing = try await service.store.pinStanding(of: account, in: session, at: service.clock.now())
        var secret: Secret?
        if standing.isSet, !standing.isProved {
            guard let pin else { throw Fault(.pinRequired) }
            secret = Secret(pin: pin)
            guard secret != nil else { throw Fault(.pinInvalid) }
        }
        let name = service.loginName(known.view.username)
        let proved = try await PasswordCheck(service: service).account(
            name, Secret(password: password), before: context.deadline)
        guard let secret else { return proved }
        do throws(Fault) {
            try await PINCheck(service: service).check(secret, PINTarget(account: account, session: nil), in: context)
        } catch {
            // The password was right, so its count is cleared.
            try await service.store.clearLogin(name)
            throw error
        }
        return proved
    }
}

import Contracts
import Primitives

/// Checks a password, for every ask that needs one: counts the try durably, then hashes, and gives the try back if it
/// could not be hashed.
struct PasswordCheck {
    let service: AccountService

    /// Returns the account if the password is right. The caller clears the count, in the transaction that the password
    /// was given for.
    ///
    /// An unknown name takes the same steps as a wrong password: one commit, one hash.
    /// - Throws: `auth.wrong_credentials`, `auth.too_many_attempts`, `auth.busy`, `bus.deadline_exceeded`.
    func account(_ name: LoginName, _ password: Secret, before deadline: Timestamp) async throws(Fault)
        -> AccountRecord
    {
        // Checked before anything is written, so that a flood of asks costs no commits.
        try service.hasher.admit(.password)
        let policy = service.rules.loginPolicy
        switch try await service.store.beginLogin(name, under: policy, at: service.clock.now()) {
        case .wait(let seconds): throw Fault(.tooManyAttempts, retryAfterSeconds: seconds)
        case .check(let account, let ticket):
            let right: Bool
            do throws(Fault) {
                right = try await service.hasher.verify(
                    password, of: account?.view.account ?? Self.nobody,
                    against: account?.passwordHash ?? service.hasher.decoy, before: deadline)
            } catch {
                try await service.store.refundLogin(name, ticket: ticket, under: policy)
                throw error
            }
            guard right, let account else { throw Fault(.wrongCredentials) }
            return account
        }
    }

    private static let nobody = PartyID(high: 0, low: 0)
}

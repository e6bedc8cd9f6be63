import Bus
import Contracts
import Primitives

/// Makes an account.
package struct RegisterAccountHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(
        _ ask: Auth.RegisterAccount, in context: AskContext
    ) async throws(Fault) -> Auth.RegisterAccount.Reply {
        guard ask.approved == nil || ask.role == .merchant else {
            throw Fault(.malformed, "'approved' is a merchant's")
        }
        let registration = try Registration(ask, under: service.rules, at: service.clock.now())
        if let existing = try await service.store.account(registration.account) {
            return try await replay(registration, of: existing, in: context)
        }
        // Only services may state an approval; a person's registration never does.
        guard ask.role == .administrator || ask.approved == true || !ReservedName.contains(ask.username) else {
            throw Fault(.usernameTaken, "The name is reserved")
        }
        // Checked before the hash to save its cost, and again by the transaction that inserts.
        if let named = try await service.store.account(named: registration.username) {
            // The same ask may have been answered between the two checks.
            guard named.view.account == registration.account else { throw Fault(.usernameTaken) }
            return try await replay(registration, of: named, in: context)
        }
        let hash = try await service.hasher.hash(
            registration.password, of: registration.account, before: context.deadline)
        let cause = Cause(time: service.clock.now(), context: context)
        switch try await service.store.register(registration, passwordHash: hash, by: cause) {
        case .registered(let account): return .init(account: account, replayed: false)
        case .exists(let existing): return try await replay(registration, of: existing, in: context)
        case .usernameTaken: throw Fault(.usernameTaken)
        }
    }

    /// The id is in use: repeats the first answer if everything is the same, including the password.
    ///
    /// This shows whether a password is right, so it counts as a try: otherwise anyone could guess without limit.
    private func replay(
        _ registration: Registration, of existing: AccountRecord, in context: AskContext
    ) async throws(Fault) -> Auth.RegisterAccount.Reply {
        guard existing.fingerprint == registration.fingerprint else { throw Fault(.registrationReused) }
        let name = service.loginName(existing.view.username)
        do throws(Fault) {
            _ = try await PasswordCheck(service: service).account(name, registration.password, before: context.deadline)
        } catch  where error.code == .wrongCredentials {
            throw Fault(.registrationReused)
        }
        try await service.store.clearLogin(name)
        return .init(account: existing.view, replayed: true)
    }
}

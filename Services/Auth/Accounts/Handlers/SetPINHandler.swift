import Bus
import Contracts

/// Sets the PIN of whoever knows the account's password.
package struct SetPINHandler: Answering {
    private let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    package func answer(_ ask: Auth.SetPIN, in context: AskContext) async throws(Fault) -> Auth.SetPIN.Reply {
        try context.require(ask.account)
        guard let pin = Secret(pin: ask.pin) else { throw Fault(.pinInvalid) }
        guard let known = try await desk.store.account(ask.account) else { throw Fault(.partyNotFound) }
        let name = desk.loginName(known.view.username)
        let proved = try await PasswordCheck(desk: desk).account(
            name, Secret(password: ask.password), before: context.deadline)
        let hash: String
        do throws(Fault) {
            hash = try await desk.hasher.hash(pin, of: ask.account, before: context.deadline)
        } catch {
            // The password was right all the same.
            try await desk.store.clearLogin(name)
            throw error
        }
        let set = try await desk.store.setPIN(
            hash, of: ask.account, provedAs: name, by: proved.passwordHash)
        // Another password was set meanwhile.
        guard set else { throw Fault(.busy, retryAfterSeconds: 1) }
        return .init(set: true)
    }
}

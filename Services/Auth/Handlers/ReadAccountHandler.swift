import Bus
import Contracts

/// Shows an account by its id or by its username.
package struct ReadAccountHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(_ ask: Auth.ReadAccount, in context: AskContext) async throws(Fault) -> Auth.AccountView {
        let found =
            switch (ask.account, ask.username) {
            case (let account?, nil): try await service.store.account(account)
            case (nil, let username?): try await service.store.account(named: username)
            default: throw Fault(.malformed, "Either the account or the username")
            }
        guard let found else { throw Fault(.partyNotFound) }
        return found.view
    }
}

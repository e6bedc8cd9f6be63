import Bus
import Contracts
import Primitives

/// Lists administrators.
package struct ReadAdministratorsHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(
        _ ask: Auth.ReadAdministrators, in context: AskContext
    ) async throws(Fault) -> Auth.ReadAdministrators.Reply {
        // One more than asked for shows whether there is a next page.
        let found = try await service.store.administrators(after: ask.after, limit: ask.limit + 1)
        let page = Array(found.prefix(ask.limit))
        return .init(administrators: page, next: page.count < found.count ? page.last?.account : nil)
    }
}

/// Sets an administrator's password.
package struct RenewAdministratorHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(
        _ ask: Auth.RenewAdministrator, in context: AskContext
    ) async throws(Fault) -> Auth.RenewAdministrator.Reply {
        guard let known = try await service.store.account(named: ask.username), known.view.role == .administrator else {
            throw Fault(.partyNotFound)
        }
        let hash = try await service.hasher.hash(
            Secret(password: ask.newPassword), of: known.view.account, before: context.deadline)
        let now = service.clock.now()
        let change = PasswordChange(
            account: known.view.account, loginName: service.loginName(ask.username), passwordHash: nil,
            newPasswordHash: hash, staying: nil, letter: service.letter(to: ask.username, at: now))
        // Nil: the account was removed in the meantime.
        guard let closed = try await service.store.changePassword(change, by: Cause(time: now, context: context)) else {
            throw Fault(.partyNotFound)
        }
        return .init(account: known.view.account, closed: closed)
    }
}

/// Removes an administrator. Keeps the last one unless asked otherwise, as nobody could decide on merchants then.
package struct RemoveAdministratorHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(
        _ ask: Auth.RemoveAdministrator, in context: AskContext
    ) async throws(Fault) -> Auth.RemoveAdministrator.Reply {
        switch try await service.store.removeAdministrator(
            named: ask.username, evenLast: ask.evenLast ?? false, by: Cause(time: service.clock.now(), context: context)
        )
        {
        case .removed(let account, let closed): return .init(account: account, closed: closed)
        case .unknown: throw Fault(.partyNotFound, "no administrator has this username")
        case .last: throw Fault(.lastAdministrator)
        }
    }
}

import Bus
import Contracts

/// Sets a new password by a mailed code.
package struct UseResetHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(_ ask: Auth.UseReset, in context: AskContext) async throws(Fault) -> Auth.UseReset.Reply {
        let used = try await CodeUse(service: service, kind: .newPassword).use(
            ask.code, of: ask.username, newPassword: ask.newPassword, in: context)
        return .init(account: used.account, closed: used.closed)
    }
}

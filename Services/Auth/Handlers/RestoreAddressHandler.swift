import Bus
import Contracts

/// Restores an account's old e-mail address by the code that was mailed there.
package struct RestoreAddressHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(
        _ ask: Auth.RestoreAddress, in context: AskContext
    ) async throws(Fault) -> Auth.RestoreAddress.Reply {
        let used = try await CodeUse(service: service, kind: .oldAddress).use(
            ask.code, of: ask.username, newPassword: ask.newPassword, in: context)
        return .init(account: used.account, closed: used.closed)
    }
}

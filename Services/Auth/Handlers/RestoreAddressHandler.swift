import Bus
import Contracts

/// Puts an account's old e-mail address back, by the code that was mailed there.
package struct RestoreAddressHandler: Answering {
    private let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    package func answer(
        _ ask: Auth.RestoreAddress, in context: AskContext
    ) async throws(Fault) -> Auth.RestoreAddress.Reply {
        let used = try await CodeUse(desk: desk, kind: .oldAddress).use(
            ask.code, of: ask.username, newPassword: ask.newPassword, in: context)
        return .init(account: used.account, closed: used.closed)
    }
}

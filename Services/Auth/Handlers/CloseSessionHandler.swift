import Bus
import Contracts

/// Logs out. Another account's session, an ended one and an unknown one get the same answer: none was closed.
package struct CloseSessionHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(
        _ ask: Auth.CloseSession, in context: AskContext
    ) async throws(Fault) -> Auth.CloseSession.Reply {
        let cause = Cause(time: service.clock.now(), context: context)
        return .init(closed: try await service.store.closeSession(ask.session, of: ask.account, by: cause))
    }
}

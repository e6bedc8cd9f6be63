import Bus
import Contracts

/// Lists an account's sessions, so that its owner can end one of them.
package struct ReadSessionsHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(
        _ ask: Auth.ReadSessions, in context: AskContext
    ) async throws(Fault) -> Auth.ReadSessions.Reply {
        .init(sessions: try await service.store.sessions(of: ask.account, at: service.clock.now()))
    }
}

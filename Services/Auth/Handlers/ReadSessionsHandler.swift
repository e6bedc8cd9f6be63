import Bus
import Contracts

/// Lists an account's sessions, so that its owner can end one of them.
package struct ReadSessionsHandler: Answering {
    private let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    package func answer(
        _ ask: Auth.ReadSessions, in context: AskContext
    ) async throws(Fault) -> Auth.ReadSessions.Reply {
        .init(sessions: try await desk.store.sessions(of: ask.account, at: desk.clock.now()))
    }
}

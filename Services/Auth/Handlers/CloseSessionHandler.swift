import Bus
import Contracts

/// Logs out. Another's session, an ended one and one that never was all look the same: there was none to end.
package struct CloseSessionHandler: Answering {
    private let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    package func answer(
        _ ask: Auth.CloseSession, in context: AskContext
    ) async throws(Fault) -> Auth.CloseSession.Reply {
        let cause = Cause(time: desk.clock.now(), context: context)
        return .init(closed: try await desk.store.closeSession(ask.session, of: ask.account, by: cause))
    }
}

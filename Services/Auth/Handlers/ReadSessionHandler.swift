import Bus
import Contracts

/// Says whose token it is.
package struct ReadSessionHandler: Answering {
    private let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    package func answer(_ ask: Auth.ReadSession, in context: AskContext) async throws(Fault) -> Auth.SessionView {
        guard let digest = SessionToken.digest(hex: ask.tokenDigest) else {
            throw Fault(.malformed)
        }
        guard let session = try await desk.store.session(digest: digest, at: desk.clock.now()) else {
            throw Fault(.sessionNotFound)
        }
        return session
    }
}

import Bus
import Contracts

/// Reads the session of a token.
package struct ReadSessionHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(_ ask: Auth.ReadSession, in context: AskContext) async throws(Fault) -> Auth.SessionView {
        guard let digest = SessionToken.digest(hex: ask.tokenDigest) else {
            throw Fault(.malformed)
        }
        guard let session = try await service.store.session(digest: digest, at: service.clock.now()) else {
            throw Fault(.sessionNotFound)
        }
        return session
    }
}

import Bus
import Contracts
import Primitives
import Sodium

/// Requests a mailed code. The answer is the same whether or not a letter is sent.
package struct RequestResetHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(
        _ ask: Auth.RequestReset, in context: AskContext
    ) async throws(Fault) -> Auth.RequestReset.Reply {
        let now = service.clock.now()
        let request = ResetRequest(
            id: Randomness.shared.identifier(at: now), name: service.resetName(ask.username), email: ask.email,
            expires: now + service.rules.resetTime)
        let wait = try await service.store.requestReset(
            request, under: service.rules.resetRequestPolicy, by: Cause(time: now, context: context))
        if let wait { throw Fault(.tooManyAttempts, retryAfterSeconds: wait) }
        return .init(expires: request.expires)
    }
}

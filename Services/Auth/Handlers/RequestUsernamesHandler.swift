import Bus
import Contracts
import Primitives
import Sodium

/// Takes a request for forgotten usernames. They are in the mail, or nowhere: the answer does not tell.
package struct RequestUsernamesHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(
        _ ask: Auth.RequestUsernames, in context: AskContext
    ) async throws(Fault) -> Auth.RequestUsernames.Reply {
        let now = service.clock.now()
        let request = UsernamesRequest(
            id: Randomness.shared.identifier(at: now), name: service.addressName(ask.email), email: ask.email,
            expires: now + service.rules.resetTime)
        let wait = try await service.store.requestUsernames(
            request, under: service.rules.resetRequestPolicy, by: Cause(time: now, context: context))
        if let wait { throw Fault(.tooManyAttempts, retryAfterSeconds: wait) }
        return .init(expires: request.expires)
    }
}

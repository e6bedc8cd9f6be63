import Bus
import Contracts
import Primitives
import Sodium

/// Takes a request for forgotten usernames (A90). They are in the mail, or nowhere: the answer does not tell.
package struct RequestUsernamesHandler: Answering {
    private let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    package func answer(
        _ ask: Auth.RequestUsernames, in context: AskContext
    ) async throws(Fault) -> Auth.RequestUsernames.Reply {
        let now = desk.clock.now()
        let request = UsernamesRequest(
            id: Randomness.shared.identifier(at: now), name: desk.addressName(ask.email), email: ask.email,
            expires: now + desk.rules.resetTime)
        let wait = try await desk.store.requestUsernames(
            request, under: desk.rules.resetRequestPolicy, by: Cause(time: now, context: context))
        if let wait { throw Fault(.tooManyAttempts, retryAfterSeconds: wait) }
        return .init(expires: request.expires)
    }
}

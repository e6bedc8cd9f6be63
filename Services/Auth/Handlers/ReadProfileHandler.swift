import Bus
import Contracts
import Primitives

/// Shows an account's profile.
package struct ReadProfileHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(_ ask: Auth.ReadProfile, in context: AskContext) async throws(Fault) -> Auth.ProfileView {
        guard let view = try await service.store.profile(of: ask.account) else { throw Fault(.partyNotFound) }
        return view
    }
}

import Bus
import Contracts
import Primitives

/// Shows what an account says of itself (001-46, 001-64).
package struct ReadProfileHandler: Answering {
    private let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    package func answer(_ ask: Auth.ReadProfile, in context: AskContext) async throws(Fault) -> Auth.ProfileView {
        guard let view = try await desk.store.profile(of: ask.account) else { throw Fault(.partyNotFound) }
        return view
    }
}

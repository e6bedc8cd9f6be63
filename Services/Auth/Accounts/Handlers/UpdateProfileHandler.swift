import Bus
import Contracts
import Primitives

/// Changes what an account says of itself (001-64, A39).
package struct UpdateProfileHandler: Answering {
    private let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    package func answer(_ ask: Auth.UpdateProfile, in context: AskContext) async throws(Fault) -> Auth.ProfileView {
        try context.require(ask.account)
        guard ask.name.map(Registration.isName) ?? true else { throw Fault(.nameInvalid) }
        guard let known = try await desk.store.account(ask.account) else { throw Fault(.partyNotFound) }
        let now = desk.clock.now()
        let profile = try ProfileRules.checked(ask.profile, of: known.view.role, at: now)
        let updated = try await desk.store.updateProfile(
            profile, name: ask.name, of: ask.account, by: Cause(time: now, context: context))
        guard let updated else { throw Fault(.partyNotFound) }
        return updated
    }
}

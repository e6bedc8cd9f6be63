import Bus
import Contracts
import Primitives

/// Changes what an account says of itself (001-64, A39). Another e-mail address needs more than a session, because
/// codes for new passwords are mailed there.
package struct UpdateProfileHandler: Answering {
    private let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    package func answer(_ ask: Auth.UpdateProfile, in context: AskContext) async throws(Fault) -> Auth.ProfileView {
        guard ask.name.map(Registration.isName) ?? true else { throw Fault(.nameInvalid) }
        guard let known = try await desk.store.account(ask.account),
            let before = try await desk.store.profile(of: ask.account)?.profile
        else { throw Fault(.partyNotFound) }
        let profile = try ProfileRules.checked(ask.profile, of: known.view.role, at: desk.clock.now())
        let fields = Set(ask.fields ?? Auth.ProfileField.allCases)
        var proof: AddressProof?
        if fields.contains(.email), !EmailAddress.same(profile.email, before.email) {
            guard let password = ask.password else { throw Fault(.passwordRequired) }
            let proved = try await OwnerCheck(desk: desk).account(
                known, session: ask.session, password: password, pin: ask.pin, in: context)
            let now = desk.clock.now()
            proof = AddressProof(
                loginName: desk.loginName(known.view.username), passwordHash: proved.passwordHash,
                heldUntil: now + desk.rules.transferHold, letter: desk.letter(to: known.view.username, at: now))
        }
        let update = ProfileUpdate(
            account: ask.account, name: ask.name, profile: profile, fields: fields, proof: proof)
        switch try await desk.store.updateProfile(update, by: Cause(time: desk.clock.now(), context: context)) {
        case .updated(let view): return view
        case .unknown: throw Fault(.partyNotFound)
        // Another password or another address was set meanwhile.
        case .overtaken: throw Fault(.busy, retryAfterSeconds: 1)
        case .wait(let seconds):
            throw Fault(.tooManyAttempts, "The address was changed too often", retryAfterSeconds: seconds)
        }
    }
}

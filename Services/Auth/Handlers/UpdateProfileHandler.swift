import Bus
import Contracts
import Primitives

/// Changes an account's profile. A new e-mail address needs more than a session, as codes for new
/// passwords are mailed there.
package struct UpdateProfileHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(_ ask: Auth.UpdateProfile, in context: AskContext) async throws(Fault) -> Auth.ProfileView {
        guard ask.name.map(Registration.isName) ?? true else { throw Fault(.nameInvalid, notShown: "name") }
        guard let known = try await service.store.account(ask.account),
            let before = try await service.store.profile(of: ask.account)?.profile
        else { throw Fault(.partyNotFound) }
        let profile = try ProfileRules.checked(ask.profile, of: known.view.role, at: service.clock.now())
        let fields = Set(ask.fields ?? Auth.ProfileField.allCases)
        var proof: AddressProof?
        if fields.contains(.email), !EmailAddress.same(profile.email, before.email) {
            guard let password = ask.password else { throw Fault(.passwordRequired) }
            let proved = try await OwnerCheck(service: service).account(
                known, session: ask.session, password: password, pin: ask.pin, in: context)
            let now = service.clock.now()
            proof = AddressProof(
                loginName: service.loginName(known.view.username), passwordHash: proved.passwordHash,
                heldUntil: now + service.rules.transferHold, letter: service.letter(to: known.view.username, at: now))
        }
        let update = ProfileUpdate(
            account: ask.account, name: ask.name, profile: profile, fields: fields, proof: proof)
        switch try await service.store.updateProfile(update, by: Cause(time: service.clock.now(), context: context)) {
        case .updated(let view): return view
        case .unknown: throw Fault(.partyNotFound)
        // Another password or address was set in the meantime.
        case .overtaken: throw Fault(.busy, retryAfterSeconds: 1)
        case .wait(let seconds):
            throw Fault(.tooManyAttempts, "The address was changed too often", retryAfterSeconds: seconds)
        }
    }
}

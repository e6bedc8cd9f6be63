import Bus
import Contracts
import Primitives

/// Sets the PIN for an owner who proves the password and the old PIN.
package struct SetPINHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(_ ask: Auth.SetPIN, in context: AskContext) async throws(Fault) -> Auth.SetPIN.Reply {
        guard let pin = Secret(pin: ask.pin) else { throw Fault(.pinInvalid) }
        guard let known = try await service.store.account(ask.account) else { throw Fault(.partyNotFound) }
        let standing = try await service.store.pinStanding(of: ask.account, in: ask.session, at: service.clock.now())
        let name = service.loginName(known.view.username)
        let proved = try await PasswordCheck(service: service).account(
            name, Secret(password: ask.password), before: context.deadline)
        let hash: String
        do throws(Fault) {
            if standing.isSet, !standing.isProved, !standing.isReplaceable { try await prove(pin, ask, in: context) }
            hash = try await service.hasher.hash(pin, of: ask.account, before: context.deadline)
        } catch {
            // The password was right, so its count is cleared.
            try await service.store.clearLogin(name)
            throw error
        }
        let now = service.clock.now()
        let isLateFirst = !standing.isSet && standing.registered + service.rules.firstPINTime <= now
        let isUnproved = isLateFirst || standing.isSet && standing.isReplaceable && !standing.isProved
        let changed = try await service.store.setPIN(
            PINChange(
                account: ask.account, hash: hash, loginName: name, passwordHash: proved.passwordHash,
                heldUntil: isUnproved ? now + service.rules.transferHold : nil,
                letter: service.letter(to: known.view.username, at: now)),
            by: Cause(time: now, context: context))
        // Another password was set in the meantime.
        guard let changed else { throw Fault(.busy, retryAfterSeconds: 1) }
        return .init(set: true, changed: changed.isEmpty ? nil : changed)
    }

    /// Checks the account's present PIN. If none is given, the present PIN must be the new one: a repeat of a finished
    /// ask is answered like the first.
    private func prove(_ new: Secret, _ ask: Auth.SetPIN, in context: AskContext) async throws(Fault) {
        var present = new
        if let given = ask.currentPin {
            guard let secret = Secret(pin: given) else { throw Fault(.pinInvalid) }
            present = secret
        }
        do throws(Fault) {
            try await PINCheck(service: service).check(
                present, PINTarget(account: ask.account, session: nil), in: context)
        } catch  where error.code == .pinWrong && ask.currentPin == nil {
            throw Fault(.pinRequired)
        } catch  where error.code == .pinLocked || error.code == .pinNotSet {
            // The PIN was locked in the meantime. A further ask replaces it without the old one.
            throw Fault(.busy, retryAfterSeconds: 1)
        }
    }
}

import Bus
import Contracts
import Primitives

/// Checks a PIN, for every ask that needs one: counts the try durably, then hashes, and gives the try back if it could
/// not be hashed.
struct PINCheck {
    let service: AccountService

    /// Marks the target's session, if it names one.
    ///
    /// - Throws: `auth.pin_wrong`, `auth.pin_delayed`, `auth.pin_locked`, `auth.pin_not_set`, `auth.session_not_found`,
    ///   `auth.busy`, `bus.deadline_exceeded`.
    @discardableResult
    func check(_ pin: Secret, _ target: PINTarget, in context: AskContext) async throws(Fault) -> Timestamp {
        // Checked before anything is written, so that a flood of asks costs no commits.
        try service.hasher.admit(.pin)
        switch try await service.store.beginPIN(target, under: service.rules.pinPolicy, by: cause(context)) {
        case .noSession: throw Fault(.sessionNotFound)
        case .notSet: throw Fault(.pinNotSet)
        case .locked: throw Fault(.pinLocked)
        case .wait(let seconds): throw Fault(.pinDelayed, retryAfterSeconds: seconds)
        case .check(let hash, let ticket, let policy):
            return try await check(pin, target, against: hash, ticket: ticket, under: policy, in: context)
        }
    }

    private func check(
        _ pin: Secret, _ target: PINTarget, against hash: String, ticket: Int, under policy: AttemptPolicy,
        in context: AskContext
    ) async throws(Fault) -> Timestamp {
        let right: Bool
        do throws(Fault) {
            right = try await service.hasher.verify(pin, of: target.account, against: hash, before: context.deadline)
        } catch {
            try await service.store.refundPIN(of: target.account, ticket: ticket, under: policy)
            throw error
        }
        guard right else {
            let nextTry = try await service.store.rejectPIN(of: target.account, under: policy, by: cause(context))
            throw wrong(until: nextTry)
        }
        var newHash: String?
        if service.hasher.needsRehash(hash) {
            // If there is no time, the next entry of the PIN does it.
            newHash = try? await service.hasher.hash(pin, of: target.account, before: context.deadline)
        }
        let proof = PINProof(
            target: target, hash: hash, newHash: newHash, verifiedUntil: service.clock.now() + service.rules.pinWindow)
        switch try await service.store.confirmPIN(proof, by: cause(context)) {
        case .verified(let until): return until
        case .replaced: throw wrong(until: nil)
        case .locked: throw Fault(.pinLocked)
        case .noSession: throw Fault(.sessionNotFound)
        }
    }

    /// The detail is the text that devices show.
    private func wrong(until nextTry: Timestamp?) -> Fault {
        let seconds = nextTry.map { Int((($0 - service.clock.now()).wholeMilliseconds + 999) / 1000) }
        return Fault(.pinWrong, "Invalid Pin", retryAfterSeconds: seconds)
    }

    private func cause(_ context: AskContext) -> Cause { Cause(time: service.clock.now(), context: context) }
}

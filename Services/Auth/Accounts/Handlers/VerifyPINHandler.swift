import Bus
import Contracts
import Primitives

/// Checks a PIN and marks the session (000-2, A9).
package struct VerifyPINHandler: Answering {
    private let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    package func answer(_ ask: Auth.VerifyPIN, in context: AskContext) async throws(Fault) -> Auth.VerifyPIN.Reply {
        try context.require(ask.account)
        guard let pin = Secret(pin: ask.pin) else { throw Fault(.pinInvalid) }
        // Before anything is written: a flood must cost no commits.
        try desk.hasher.admit()
        let target = PINTarget(account: ask.account, session: ask.session)
        switch try await desk.store.beginPIN(target, under: desk.rules.pinPolicy, by: cause(context)) {
        case .noSession: throw Fault(.sessionNotFound)
        case .notSet: throw Fault(.pinNotSet)
        case .locked: throw Fault(.pinLocked)
        case .wait(let seconds): throw Fault(.pinDelayed, retryAfterSeconds: seconds)
        case .check(let hash, let ticket):
            return try await check(pin, target, against: hash, ticket: ticket, in: context)
        }
    }

    private func check(
        _ pin: Secret, _ target: PINTarget, against hash: String, ticket: Int, in context: AskContext
    ) async throws(Fault) -> Auth.VerifyPIN.Reply {
        let right: Bool
        do throws(Fault) {
            right = try await desk.hasher.verify(pin, of: target.account, against: hash, before: context.deadline)
        } catch {
            try await desk.store.refundPIN(of: target.account, ticket: ticket, under: desk.rules.pinPolicy)
            throw error
        }
        guard right else {
            let nextTry = try await desk.store.rejectPIN(
                of: target.account, under: desk.rules.pinPolicy, by: cause(context))
            throw wrong(until: nextTry)
        }
        var newHash: String?
        if desk.hasher.needsRehash(hash) {
            // If there is no time for it, the next entry of the PIN will do.
            newHash = try? await desk.hasher.hash(pin, of: target.account, before: context.deadline)
        }
        let proof = PINProof(
            target: target, hash: hash, newHash: newHash, verifiedUntil: desk.clock.now() + desk.rules.pinWindow)
        switch try await desk.store.confirmPIN(proof, by: cause(context)) {
        case .verified(let until): return .init(verifiedUntil: until)
        case .replaced: throw wrong(until: nil)
        case .locked: throw Fault(.pinLocked)
        case .noSession: throw Fault(.sessionNotFound)
        }
    }

    /// The text is the display's (A6).
    private func wrong(until nextTry: Timestamp?) -> Fault {
        let seconds = nextTry.map { Int((($0 - desk.clock.now()).wholeMilliseconds + 999) / 1000) }
        return Fault(.pinWrong, "Invalid Pin", retryAfterSeconds: seconds)
    }

    private func cause(_ context: AskContext) -> Cause { Cause(time: desk.clock.now(), context: context) }
}

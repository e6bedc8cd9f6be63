import Bus
import Contracts

/// Checks a PIN and marks the session.
package struct VerifyPINHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(_ ask: Auth.VerifyPIN, in context: AskContext) async throws(Fault) -> Auth.VerifyPIN.Reply {
        guard let pin = Secret(pin: ask.pin) else { throw Fault(.pinInvalid) }
        let target = PINTarget(account: ask.account, session: ask.session)
        return .init(verifiedUntil: try await PINCheck(service: service).check(pin, target, in: context))
    }
}

import Bus
import Contracts

/// Checks a PIN and marks the session (000-2, A9).
package struct VerifyPINHandler: Answering {
    private let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    package func answer(_ ask: Auth.VerifyPIN, in context: AskContext) async throws(Fault) -> Auth.VerifyPIN.Reply {
        guard let pin = Secret(pin: ask.pin) else { throw Fault(.pinInvalid) }
        let target = PINTarget(account: ask.account, session: ask.session)
        return .init(verifiedUntil: try await PINCheck(desk: desk).check(pin, target, in: context))
    }
}

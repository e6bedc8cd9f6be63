import Bus
import Contracts
import Primitives

/// Approves or rejects a merchant.
package struct DecideMerchantHandler: Answering {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    package func answer(_ ask: Auth.DecideMerchant, in context: AskContext) async throws(Fault) -> Auth.MerchantView {
        guard ask.reason?.isShownAndVisible ?? true else {
            throw Fault(.reasonInvalid, notShown: "reason")
        }
        let decided = try await service.store.decide(
            ask.merchant, ask.approved ? .approved : .rejected, reason: ask.reason,
            by: Cause(time: service.clock.now(), context: context))
        guard let decided else { throw Fault(.partyNotFound) }
        return decided
    }
}

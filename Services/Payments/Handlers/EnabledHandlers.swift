import Bus
import Contracts

package struct ReadEnabledHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(
        _ ask: Payments.ReadEnabled, in context: AskContext
    ) async throws(Fault) -> Payments.EnabledView {
        return Payments.EnabledView(customer: ask.customer, enabled: !service.store.disabled.contains(ask.customer))
    }
}

package struct SetEnabledHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(
        _ ask: Payments.SetEnabled, in context: AskContext
    ) async throws(Fault) -> Payments.EnabledView {
        try await service.store.enable(ask.customer, ask.enabled)
        return Payments.EnabledView(customer: ask.customer, enabled: ask.enabled)
    }
}

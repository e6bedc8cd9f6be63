import Bus
import Contracts

package struct ReadEnabledHandler: Answering {
    let desk: ChargeDesk

    package init(desk: ChargeDesk) { self.desk = desk }

    package func answer(
        _ ask: Payments.ReadEnabled, in context: AskContext
    ) async throws(Fault) -> Payments.EnabledView {
        try context.require(ask.customer, as: .customer)
        return Payments.EnabledView(customer: ask.customer, enabled: !desk.store.disabled.contains(ask.customer))
    }
}

package struct SetEnabledHandler: Answering {
    let desk: ChargeDesk

    package init(desk: ChargeDesk) { self.desk = desk }

    package func answer(
        _ ask: Payments.SetEnabled, in context: AskContext
    ) async throws(Fault) -> Payments.EnabledView {
        try context.require(ask.customer, as: .customer)
        try await desk.store.enable(ask.customer, ask.enabled)
        return Payments.EnabledView(customer: ask.customer, enabled: ask.enabled)
    }
}

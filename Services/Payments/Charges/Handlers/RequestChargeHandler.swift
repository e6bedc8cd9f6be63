import Bus
import Contracts
import Primitives

/// A merchant's request: durable here, with its fact, before it is acknowledged.
package struct RequestChargeHandler: Answering {
    let desk: ChargeDesk

    package init(desk: ChargeDesk) { self.desk = desk }

    package func answer(
        _ ask: Payments.RequestCharge, in context: AskContext
    ) async throws(Fault) -> Payments.RequestCharge.Reply {
        try context.require(ask.merchant, as: .merchant)
        try desk.rules.check(ask.amount, memo: ask.memo)
        let name = try await desk.payee(ask.merchant, of: ask.charge, in: context)
        guard try await desk.merchants.isCustomer(ask.customer, in: context) else { throw Fault(.customerNotFound) }
        let presence = try await presence(ask, in: context)
        let now = desk.clock.now()
        guard now < context.deadline else { throw Fault(.deadlineExceeded) }
        let charge = Charge(
            id: ask.charge, merchant: ask.merchant, customer: ask.customer, amount: ask.amount, memo: ask.memo,
            requested: now, expires: now + desk.rules.approvalTime, state: .requested,
            presence: presence)
        let recorded: (charge: Charge, existed: Bool)
        do { recorded = try await desk.store.request(charge, causedBy: context) } catch { throw Fault(.unavailable) }
        guard recorded.charge.isSameRequest(as: charge) else { throw Fault(.chargeIDReused) }
        return Payments.RequestCharge.Reply(
            charge: recorded.charge.view(merchantName: name), replayed: recorded.existed)
    }

    /// What location says of the customer's being there, once: whoever asks again may find the customer gone since.
    private func presence(
        _ ask: Payments.RequestCharge, in context: AskContext
    ) async throws(Fault) -> Location.Presence? {
        guard let place = ask.place else {
            if desk.rules.presenceRequired { throw Fault(.presenceRequired) }
            return nil
        }
        if let known = try await desk.find(ask.charge) {
            guard known.presence?.place == place else { throw Fault(.chargeIDReused) }
            return known.presence
        }
        return try await desk.bus.ask(
            Location.ProvePresence(customer: ask.customer, merchant: ask.merchant, place: place),
            in: desk.nested(context))
    }
}

extension Charge {
    fileprivate func isSameRequest(as other: Charge) -> Bool {
        merchant == other.merchant && customer == other.customer && amount == other.amount && memo == other.memo
            && expires != nil && presence?.place == other.presence?.place
    }
}

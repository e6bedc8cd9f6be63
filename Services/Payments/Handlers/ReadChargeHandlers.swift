import Bus
import Contracts
import Primitives

package struct ReadChargeHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(_ ask: Payments.ReadCharge, in context: AskContext) async throws(Fault) -> Payments.ChargeView {
        let charge = try await service.charge(ask.charge, for: ask.party, in: context)
        return try await service.view(charge, in: context)
    }
}

package struct ReadReceiptHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(_ ask: Payments.ReadReceipt, in context: AskContext) async throws(Fault) -> Payments.Receipt {
        let charge = try await charge(ask, in: context)
        let name = try await service.merchants.name(of: charge.merchant, in: context)
        guard let receipt = charge.receipt(merchantName: name) else { throw Fault(.chargeNotCaptured) }
        return receipt.shown(to: ask.party)
    }

    /// The charge, with a payment that the wallet knows and whose fact has not arrived.
    private func charge(_ ask: Payments.ReadReceipt, in context: AskContext) async throws(Fault) -> Charge {
        var known: Charge?
        do throws(Fault) {
            let charge = try await service.charge(ask.charge, for: ask.party, in: context)
            if charge.state != .requested { return charge }
            known = charge
        } catch {
            guard error.code == .chargeNotFound else { throw error }
        }
        guard let paid = try await service.payment(ask.charge, in: context) else {
            guard let known else { throw Fault(.chargeNotFound) }
            return known
        }
        guard ask.party == paid.customer || ask.party == paid.merchant else { throw Fault(.chargeNotFound) }
        return try await service.charge(ask.charge, for: ask.party, in: context)
    }
}

package struct ReadRefundsHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(
        _ ask: Payments.ReadRefunds, in context: AskContext
    ) async throws(Fault) -> Payments.ReadRefunds.Reply {
        try await service.caughtUp(service.watermark.sequence, context.deadline)
        var refunds: [Payments.Refunded] = []
        for id in ask.charges {
            guard let charge = try await service.store.charge(id), charge.isParty(ask.party), charge.refunded.amount > 0
            else { continue }
            refunds.append(Payments.Refunded(charge: id, refunded: charge.refunded))
        }
        return Payments.ReadRefunds.Reply(refunds: refunds)
    }
}

package struct ReadChargesHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(
        _ ask: Payments.ReadCharges, in context: AskContext
    ) async throws(Fault) -> Payments.ReadCharges.Reply {
        try await service.caughtUp(service.watermark.sequence, context.deadline)
        if let number = ask.productIndex {
            let charge = try await service.store.charge(number: number)
            guard let charge, charge.isParty(ask.party), ask.state.map({ $0 == charge.state }) ?? true,
                ask.since.map({ $0 <= charge.decided ?? charge.requested }) ?? true
            else {
                return Payments.ReadCharges.Reply(charges: [], next: nil)
            }
            return Payments.ReadCharges.Reply(
                charges: [try await service.view(charge, number: number, in: context)], next: nil)
        }
        return try await fittingPage(of: ask.limit) { limit throws(Fault) in
            let page = try await service.store.charges(
                of: ask.party, state: ask.state, since: ask.since, before: ask.before, limit: limit,
                isLate: { service.clock.now() >= context.deadline })
            let names = await service.merchants.names(of: page.charges.map(\.customer), in: context)
            var views: [Payments.ChargeView] = []
            for (charge, number) in zip(page.charges, page.numbers) {
                views.append(try await service.view(charge, number: number, names, in: context))
            }
            return Payments.ReadCharges.Reply(charges: views, next: page.next)
        }
    }
}

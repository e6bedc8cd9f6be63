import Bus
import Contracts
import Primitives

/// Requests money for a merchant. The request and its fact are durable before the answer.
package struct RequestChargeHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(
        _ ask: Payments.RequestCharge, in context: AskContext
    ) async throws(Fault) -> Payments.RequestCharge.Reply {
        try service.rules.check(ask.amount, memo: ask.memo)
        let name = try await service.payee(ask.merchant, of: ask.charge, in: context)
        guard try await service.merchants.isCustomer(ask.customer, in: context) else { throw Fault(.customerNotFound) }
        let presence = try await presence(ask, in: context)
        let now = service.clock.now()
        guard now < context.deadline else { throw Fault(.deadlineExceeded) }
        // A request that was made before is answered again, however many wait.
        if let wait = service.unpaid.wait(of: ask.merchant, at: now), try await service.find(ask.charge) == nil {
            throw Fault(
                .tooManyRequests, "at most \(service.rules.unpaidPerMinute) requests a minute that nobody has paid",
                retryAfterSeconds: wait)
        }
        // Before it is recorded, so that those asked for at once count each other.
        service.unpaid.add(to: ask.merchant, at: now)
        var counts = false
        defer { if !counts { service.unpaid.take(from: ask.merchant, at: service.clock.now()) } }
        let charge = Charge(
            id: ask.charge, merchant: ask.merchant, customer: ask.customer, amount: ask.amount, memo: ask.memo,
            requested: now, expires: now + service.rules.approvalTime, state: .requested,
            presence: presence, merchantName: name)
        var requesting = try await request(
            charge, ofKnown: service.rules.presence == .known && ask.place == nil, in: context)
        if requesting == .stranger {
            // Refused or not: many of the customer's payments were read for it.
            counts = true
            try await service.requireNearness(of: ask.customer, to: ask.merchant, in: context)
            requesting = try await request(charge, ofKnown: false, in: context)
        }
        if case .tooManyWait = requesting {
            // Some may have been paid since the wallet was heard last.
            try await service.caughtUp(service.watermark.sequence, context.deadline)
            requesting = try await request(charge, ofKnown: false, in: context)
        }
        switch requesting {
        case .stranger: throw Fault(.presenceRequired)
        case .recorded(let number):
            counts = true
            service.requests.note(charge)
            return Payments.RequestCharge.Reply(
                charge: try await service.view(charge, number: number, in: context), replayed: false)
        case .existed(let known, let number):
            guard known.isSameRequest(as: charge) else { throw Fault(.chargeIDReused) }
            return Payments.RequestCharge.Reply(
                charge: try await service.view(known, number: number, in: context), replayed: true)
        case .tooManyWait(let end):
            throw Fault(
                .tooManyRequests,
                "\(service.rules.waitingMax) requests of this merchant already wait for the customer, or were cancelled",
                retryAfterSeconds: Int(max(1, ((end - now).wholeMilliseconds + 999) / 1000)))
        }
    }

    private func request(
        _ charge: Charge, ofKnown: Bool, in context: AskContext
    ) async throws(Fault) -> Requesting {
        try await service.store.request(
            charge, waitingMax: service.rules.waitingMax, ofKnown: ofKnown, causedBy: context)
    }

    /// Location's proof of presence, asked for once: a repeat might find the customer gone.
    private func presence(
        _ ask: Payments.RequestCharge, in context: AskContext
    ) async throws(Fault) -> Location.Presence? {
        guard let place = ask.place else {
            if service.rules.presence == .required { throw Fault(.presenceRequired) }
            return nil
        }
        if let known = try await service.find(ask.charge) {
            guard known.presence?.place == place else { throw Fault(.chargeIDReused) }
            return known.presence
        }
        return try await service.bus.ask(
            Location.ProvePresence(customer: ask.customer, merchant: ask.merchant, place: place),
            in: service.nested(context))
    }
}

extension Charge {
    fileprivate func isSameRequest(as other: Charge) -> Bool {
        merchant == other.merchant && customer == other.customer && asked == other.asked
            && memo.utf8.elementsEqual(other.memo.utf8) && expires != nil && presence?.place == other.presence?.place
    }
}

import Bus
import Contracts
import Primitives

extension ChargeService {
    /// Refuses a request for money from a customer who neither knows the merchant nor is at one of its places.
    ///
    /// - Throws: why the customer is not there: `location.presence_far`, `.presence_stale` or `.place_not_found`.
    func requireNearness(of customer: PartyID, to merchant: PartyID, in context: AskContext) async throws(Fault) {
        // A payment that was acknowledged just now may still be on its way here.
        try await caughtUp(watermark.sequence, context.deadline)
        if try await store.knows(customer, merchant) { return }
        do throws(Fault) {
            _ = try await bus.ask(
                Location.ProvePresence(customer: customer, merchant: merchant), in: nested(context))
        } catch  where Self.awayCodes.contains(error.code) {
            // The merchant may not read a customer's subscriptions; payments may.
            let reply = try await bus.ask(
                Offers.ReadSubscriptions(customer: customer, after: nil, limit: 1, merchants: [merchant]),
                in: nested(context).onOwnBehalf)
            guard reply.subscriptions.contains(where: { $0.subscription != .none }) else {
                throw Fault(
                    error.code,
                    "the customer has not paid you before, is not subscribed to you, and has not allowed your requests")
            }
        }
    }

    static let awayCodes: [FaultCode] = [.presenceFar, .presenceStale, .placeNotFound]
}

package struct ReadChargeableHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(
        _ ask: Payments.ReadChargeable, in context: AskContext
    ) async throws(Fault) -> Payments.ReadChargeable.Reply {
        guard try await service.merchants.payee(ask.merchant, in: context).isApproved else {
            throw Fault(.merchantNotApproved)
        }
        guard try await service.merchants.isCustomer(ask.customer, in: context) else { throw Fault(.customerNotFound) }
        let refusal = try await refusal(ask, in: context)
        return Payments.ReadChargeable.Reply(
            customer: ask.customer, chargeable: refusal == nil, refusal: refusal?.code)
    }

    private func refusal(
        _ ask: Payments.ReadChargeable, in context: AskContext
    ) async throws(Fault) -> FaultCode? {
        switch service.rules.presence {
        case .optional: return nil
        case .required: return .presenceRequired
        case .known:
            do throws(Fault) {
                try await service.requireNearness(of: ask.customer, to: ask.merchant, in: context)
                return nil
            } catch  where ChargeService.awayCodes.contains(error.code) {
                return error.code
            }
        }
    }
}

package struct SetPermissionHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(
        _ ask: Payments.SetPermission, in context: AskContext
    ) async throws(Fault) -> Payments.SetPermission.Reply {
        if let merchant = ask.merchant, ask.allowed { _ = try await service.merchants.name(of: merchant, in: context) }
        let isStored = try await service.store.permit(
            ask.customer, ask.merchant, ask.allowed, max: service.rules.permissionsMax)
        guard isStored else {
            throw Fault(.tooManyPermissions, "at most \(service.rules.permissionsMax) merchants are allowed by name")
        }
        return Payments.SetPermission.Reply(allowed: ask.allowed)
    }
}

package struct ReadPermissionsHandler: Answering {
    let service: ChargeService

    package init(service: ChargeService) { self.service = service }

    package func answer(
        _ ask: Payments.ReadPermissions, in context: AskContext
    ) async throws(Fault) -> Payments.ReadPermissions.Reply {
        let (everyone, merchants) = try await service.store.permissions(of: ask.customer)
        let names = await service.merchants.names(of: merchants, in: context)
        let named = merchants.map { Payments.PermittedMerchant(merchant: $0, name: names[$0]) }
        return Payments.ReadPermissions.Reply(everyone: everyone, merchants: named)
    }
}

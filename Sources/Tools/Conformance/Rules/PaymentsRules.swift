import Contracts
import Primitives

/// Cases of the rules of payments.
enum PaymentsRules {
    static let all: [Case] = [life, codes, lists, disabled, facts, transfers]

    private static func request(_ customer: PartyID, _ amount: Int64, _ world: World) async throws
        -> Payments.ChargeView
    {
        try await world.request(amount, of: customer, by: try await world.merchant(), memo: "Rule \(amount)")
    }

    private static let life: Case = Case(
        "payments/life",
        "a charge ends once: whoever comes second gets the refusal for how it ended, and nothing moves", .changing
    ) { trial in
        let world = trial.world
        let own = try await world.newCard(of: try await world.newAccount(.customer))
        let merchant = try await world.merchant()
        let ends: [(state: Payments.ChargeState, code: FaultCode)] = [
            (.captured, .chargeCaptured), (.declined, .chargeDeclined), (.cancelled, .chargeCancelled)
        ]
        for (index, end) in ends.enumerated() {
            let charge = try await request(own.customer, 11 + Int64(index), world)
            func approve() -> Payments.ApproveCharge {
                .init(charge: charge.charge, customer: own.customer, card: own.card, amount: charge.amount)
            }
            func decline() -> Payments.DeclineCharge { .init(charge: charge.charge, customer: own.customer) }
            func cancel() -> Payments.CancelCharge { .init(charge: charge.charge, merchant: merchant) }
            let money = try await world.money(on: own.card, of: own.customer)
            switch end.state {
            case .captured: _ = try await trial.asker.ask(approve())
            case .declined: _ = try await trial.asker.ask(decline())
            default: _ = try await trial.asker.ask(cancel())
            }
            let when = "after it was \(end.state)"
            if end.state != .captured { try await trial.expect(approve(), refusedWith: end.code, when: when) }
            if end.state != .declined { try await trial.expect(decline(), refusedWith: end.code, when: when) }
            if end.state != .cancelled { try await trial.expect(cancel(), refusedWith: end.code, when: when) }
            let paid = end.state == .captured ? charge.amount.amount : 0
            try require(
                try await world.money(on: own.card, of: own.customer) == money.map { $0 - paid },
                "a charge that was \(end.state) moves another amount than \(paid)")
            for party in [own.customer, merchant] {
                let read = try await trial.asker.ask(Payments.ReadCharge(charge: charge.charge, party: party))
                try require(
                    read.state == end.state && read.amount == charge.amount && read.memo == charge.memo
                        && read.customer == own.customer && read.merchant == merchant && read.decided != nil,
                    "a charge that was \(end.state) reads otherwise: \(read.state)")
            }
            if end.state != .captured {
                let refund = Payments.RefundCharge(
                    refund: world.id(), charge: charge.charge, merchant: merchant, amount: .cent)
                try await trial.expect(refund, refusedWith: .chargeNotCaptured, when: when)
            }
            try await trial.expect(
                Payments.ReadCharge(charge: charge.charge, party: world.id()), refusedWith: .chargeNotFound,
                when: "for a stranger")
        }
    }

    private static let codes: Case = Case(
        "payments/codes", "one attempt redeems one pay code; with another code it is refused, and nothing moves",
        .changing
    ) { trial in
        let world = trial.world
        let own = try await world.newCard(of: try await world.newAccount(.customer))
        let merchant = try await world.merchant()
        let attempt: OperationID = world.id()
        func redeem() async throws -> Payments.RedeemCode {
            let code = try await world.ask(Payments.IssueCode(customer: own.customer, card: own.card)).code
            return Payments.RedeemCode(
                attempt: attempt, code: code, merchant: merchant, amount: Money(3), memo: "Conformance")
        }
        _ = try await trial.asker.ask(try await redeem())
        let money = try await world.money(on: own.card, of: own.customer)
        try await trial.expect(try await redeem(), refusedWith: .chargeIDReused, when: "with another code")
        try require(
            try await world.money(on: own.card, of: own.customer) == money, "a refused attempt moves money")
    }

    private static let lists: Case = Case(
        "payments/lists", "charges are read newest first, each once, in pages and by state, with what was refunded",
        .changing
    ) { trial in
        let world = trial.world
        let own = try await world.newCard(of: try await world.newAccount(.customer))
        let merchant = try await world.merchant()
        var made: [ChargeID] = []
        for number in 0..<5 {
            let pay = Payments.CreatePayment(
                charge: world.id(), customer: own.customer, card: own.card, merchant: merchant,
                amount: Money(20 + Int64(number)), memo: "Payment \(number)")
            let paid = try await trial.asker.ask(pay).receipt
            let receipt = try await trial.asker.ask(Payments.ReadReceipt(charge: pay.charge, party: own.customer))
            try require(
                receipt == paid && receipt.amount == pay.amount && receipt.memo == pay.memo,
                "the receipt reads otherwise than it was handed out")
            made.append(pay.charge)
            // Lists are ordered by the moment of the decision.
            let now = world.now
            while world.now <= now { try await Task.sleep(for: .milliseconds(1)) }
        }
        let waiting = try await request(own.customer, 30, world)
        var (read, before): ([Payments.ChargeView], Int64?) = ([], nil)
        repeat {
            let page = try await trial.asker.ask(
                Payments.ReadCharges(party: own.customer, state: .captured, before: before, limit: 2))
            try require(page.charges.count <= 2, "a page for 2 has \(page.charges.count) charges")
            read += page.charges
            before = page.next
        } while before != nil && read.count < 100
        try require(read.map(\.charge) == made.reversed(), "paid charges are not the newest first, each once")
        let all = try await trial.asker.ask(
            Payments.ReadCharges(party: own.customer, state: nil, before: nil, limit: 100)
        ).charges
        try require(
            Set(all.map(\.charge)) == Set(made + [waiting.charge]) && all.count == 6,
            "of 6 charges \(all.count) are read")
        for charge in all {
            let alone = try await trial.asker.ask(Payments.ReadCharge(charge: charge.charge, party: own.customer))
            try require(alone == charge, "a charge reads otherwise in a list than alone")
        }
        let refund = Payments.RefundCharge(refund: world.id(), charge: made[2], merchant: merchant, amount: Money(5))
        let refunded = try await trial.asker.ask(refund)
        try require(refunded.amount == Money(5) && refunded.refunded == Money(5), "5 were not paid back")
        let after = try await trial.asker.ask(Payments.ReadCharge(charge: made[2], party: own.customer))
        try require(
            after.refunded == Money(5) && after.amount == Money(22), "what was refunded reads \(after.refunded.amount)")
    }

    private static let disabled: Case = Case(
        "payments/disabled",
        "a customer who has disabled payments neither pays nor approves until they are enabled again",
        .changing
    ) { trial in
        let world = trial.world
        let own = try await world.newCard(of: try await world.newAccount(.customer))
        let charge = try await request(own.customer, 12, world)
        let approve = Payments.ApproveCharge(
            charge: charge.charge, customer: own.customer, card: own.card, amount: charge.amount)
        let pay = Payments.CreatePayment(
            charge: world.id(), customer: own.customer, card: own.card, merchant: charge.merchant, amount: Money(3),
            memo: "Rule")
        _ = try await trial.asker.ask(Payments.SetEnabled(customer: own.customer, enabled: false))
        try await trial.expect(approve, refusedWith: .paymentsDisabled, when: "disabled")
        try await trial.expect(pay, refusedWith: .paymentsDisabled, when: "disabled")
        _ = try await trial.asker.ask(Payments.SetEnabled(customer: own.customer, enabled: true))
        let approved = try await trial.asker.ask(approve).receipt
        try require(approved.amount == charge.amount, "another amount is approved than was asked for")
        let paid = try await trial.asker.ask(pay).receipt
        guard let before = approved.cardBalance, let after = paid.cardBalance else {
            throw Wrong("a customer's receipt does not say what is left on the card")
        }
        try require(
            after.amount == before.amount - 3, "after 3 were paid \(after.amount) of \(before.amount) are left")
        let read = try await trial.asker.ask(Payments.ReadReceipt(charge: charge.charge, party: charge.merchant))
        try require(read.cardBalance == nil, "the merchant is told what is left on the customer's card")
    }

    private static let facts: Case = Case(
        "payments/charge-facts",
        "each fact has the parties, names, amounts and times that its charge reads, and each end is published once",
        .changing
    ) { trial in
        let (world, start) = (trial.world, try await trial.head())
        let own = try await world.newCard(of: try await world.newAccount(.customer))
        let merchant = try await world.merchant()
        func read(_ charge: ChargeID) async throws -> Payments.ChargeView {
            try await trial.asker.ask(Payments.ReadCharge(charge: charge, party: merchant))
        }
        for (amount, reason) in [(31, .declined), (32, .cancelled)] as [(Int64, Wallet.CloseReason)] {
            let charge = try await request(own.customer, amount, world)
            let requested = try await trial.fact(Payments.ChargeRequested.self, after: start) {
                $0.charge == charge.charge
            }
            try require(
                requested.merchant == merchant && requested.customer == own.customer
                    && requested.amount == charge.amount && requested.memo == charge.memo
                    && requested.expires == charge.expires && requested.time == charge.requested
                    && requested.merchantName == charge.merchantName,
                "the fact of a request says otherwise than the charge reads")
            if reason == .declined {
                _ = try await trial.asker.ask(Payments.DeclineCharge(charge: charge.charge, customer: own.customer))
            } else {
                _ = try await trial.asker.ask(Payments.CancelCharge(charge: charge.charge, merchant: merchant))
            }
            let closed = try await trial.fact(Payments.ChargeClosed.self, after: start) { $0.charge == charge.charge }
            let decided = try await read(charge.charge).decided
            try require(
                closed.merchant == merchant && closed.customer == own.customer && closed.amount == charge.amount
                    && closed.reason == reason && closed.time == decided && closed.merchantName == charge.merchantName,
                "the fact of an end without payment says otherwise than the charge reads")
        }
        let waiting = try await request(own.customer, 33, world)
        let approved = try await trial.asker.ask(
            Payments.ApproveCharge(
                charge: waiting.charge, customer: own.customer, card: own.card, amount: waiting.amount)
        ).receipt
        let captured = try await trial.fact(Payments.ChargeCaptured.self, after: start) { $0.charge == waiting.charge }
        try require(
            captured.merchant == merchant && captured.customer == own.customer && captured.card == own.card
                && captured.amount == waiting.amount && captured.memo == waiting.memo && captured.requested == true
                && captured.entry == approved.entry && captured.time == approved.time,
            "the fact of a payment says otherwise than its receipt")
        _ = try await trial.asker.ask(
            Payments.RefundCharge(refund: world.id(), charge: waiting.charge, merchant: merchant, amount: Money(4)))
        let back = try await trial.asker.ask(
            Payments.RefundCharge(refund: world.id(), charge: waiting.charge, merchant: merchant, amount: Money(5)))
        let refunded = try await trial.fact(Payments.ChargeRefunded.self, after: start) {
            $0.charge == waiting.charge && $0.amount == Money(5)
        }
        try require(
            refunded.merchant == merchant && refunded.customer == own.customer && refunded.refunded == Money(9)
                && back.refunded == Money(9) && refunded.time == back.time
                && refunded.merchantName == waiting.merchantName,
            "the fact of a refund says otherwise than its answer")
    }

    private static let transfers: Case = Case(
        "payments/transfers", "who is sent money by another user is told once: from whom, how much, and when",
        .changing
    ) { trial in
        let (world, start) = (trial.world, try await trial.head())
        let from = try await world.newCard(of: try await world.newAccount(.customer))
        let to = try await world.newCard(of: try await world.newAccount(.customer))
        let posted = try await world.ask(
            Wallet.PostTransfer(
                operation: world.id(), from: .init(party: from.customer, role: .customer, card: from.card),
                to: .init(party: to.customer, role: .customer, card: to.card), amount: Money(41), memo: "Rule")
        ).result
        let received = try await trial.fact(Payments.TransferReceived.self, after: start) {
            $0.operation == posted.operation
        }
        try require(
            received.from == from.customer && received.to == to.customer && received.amount == posted.amount
                && received.memo == posted.memo && received.time == posted.time,
            "the fact of a transfer says otherwise than the wallet")
    }
}

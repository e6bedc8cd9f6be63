import Contracts
import Primitives

extension Payments: Specified {
    package static var specification: Specification { .payments }
}

extension Specification {
    static let payments = Specification(
        service: Payments.service, needs: [Auth.service, Wallet.service, Location.service, Offers.service],
        examples: paymentsNow + paymentsCharges + paymentsReading,
        log: FactsSpecification(Payments.self) { trial in
            _ = try await trial.asker.ask(try await Specification.charge(trial.world))
        },
        load: Specification.payNow.load, others: PaymentsRules.all)

    private static let payNow = Example(
        nobody: Payments.CreatePayment(
            charge: nobody(), customer: nobody(), card: nil, merchant: nobody(), amount: .cent, memo: ""),
        make: { world in
            let (own, merchant) = (try await world.card(), try await world.merchant())
            return Payments.CreatePayment(
                charge: world.id(), customer: own.customer, card: own.card, merchant: merchant, amount: Money(3),
                memo: "Conformance")
        },
        other: {
            Payments.CreatePayment(
                charge: $0.charge, customer: $0.customer, card: $0.card, merchant: $0.merchant, amount: $0.amount.more,
                memo: $0.memo)
        },
        reused: .idReused, effect: { _, world in try await bothSides(world) },
        shows: { ask, world in
            [
                try await world.reading(Payments.ReadReceipt(charge: ask.charge, party: ask.customer)),
                try await world.reading(Payments.ReadCharge(charge: ask.charge, party: ask.merchant))
            ]
        },
        leadsTo: [Payments.ChargeCaptured.type],
        moves: [-3, -3, 3],
        expect: { ask, reply, world in
            try require(
                reply.receipt.charge == ask.charge && reply.receipt.amount == ask.amount,
                "the receipt is of another payment")
            let read = try await world.ask(Payments.ReadReceipt(charge: ask.charge, party: ask.customer))
            try require(read == reply.receipt, "the receipt reads otherwise later")
        })

    private static func bothSides(_ world: World) async throws -> [Int64] {
        let own = try await world.card()
        return try await world.money(on: own.card, of: own.customer) + world.money(of: try await world.merchant())
    }

    /// Of another customer each time, where none is named: a service may limit how many requests wait for one.
    static func charge(_ world: World, of customer: PartyID? = nil) async throws -> Payments.RequestCharge {
        let merchant = try await world.merchant()
        let asked = if let customer { customer } else { try await world.newAccount(.customer) }
        // The customer is nowhere near.
        _ = try await world.ask(Payments.SetPermission(customer: asked, merchant: merchant, allowed: true))
        return Payments.RequestCharge(
            charge: world.id(), merchant: merchant, customer: asked, amount: Money(9), memo: "Conformance")
    }

    private static func requested(_ world: World, of customer: PartyID? = nil) async throws -> Payments.ChargeView {
        try await world.ask(try await charge(world, of: customer)).charge
    }

    private static func paid(_ world: World) async throws -> Payments.Receipt {
        try await world.ask(try await payNow.make!(world)).receipt
    }

    private static let paymentsNow: [any AskExample] = [
        payNow,
        Example(
            nobody: Payments.IssueCode(customer: nobody(), card: nil),
            make: { world in
                let own = try await world.card()
                return Payments.IssueCode(customer: own.customer, card: own.card)
            },
            expect: { _, reply, world in try require(reply.expires > world.now, "the code has expired") }),
        Example(
            nobody: Payments.RedeemCode(attempt: nobody(), code: "nobody", merchant: nobody(), amount: .cent, memo: ""),
            make: { world in
                let (own, merchant) = (try await world.card(), try await world.merchant())
                let code = try await world.ask(Payments.IssueCode(customer: own.customer, card: own.card)).code
                return Payments.RedeemCode(
                    attempt: world.id(), code: code, merchant: merchant, amount: Money(2), memo: "Conformance")
            },
            // Another attempt with the code is refused too: a code is spent once.
            other: {
                Payments.RedeemCode(
                    attempt: Identifier(high: ~$0.attempt.high, low: $0.attempt.low), code: $0.code,
                    merchant: $0.merchant,
                    amount: $0.amount, memo: $0.memo)
            },
            reused: .codeUsed, effect: { _, world in try await bothSides(world) },
            moves: [-2, -2, 2],
            expect: { ask, reply, world in
                try require(reply.receipt.amount == ask.amount, "the receipt is of another amount")
                let read = try await world.ask(
                    Payments.ReadReceipt(charge: reply.receipt.charge, party: ask.merchant))
                try require(read == reply.receipt, "the receipt reads otherwise later")
            }),
        Example(
            nobody: Payments.ReadEnabled(customer: nobody()), nobodyFinds: .replied,
            make: { world in Payments.ReadEnabled(customer: try await world.customer()) },
            expect: { _, view, _ in try require(view.enabled, "a customer who said nothing is disabled") }),
        Example(
            nobody: Payments.SetEnabled(customer: nobody(), enabled: true),
            make: { world in Payments.SetEnabled(customer: world.id(), enabled: false) },
            shows: { ask, world in [try await world.reading(Payments.ReadEnabled(customer: ask.customer))] },
            expect: { ask, view, world in
                try require(!view.enabled, "the customer is not disabled")
                let read = try await world.ask(Payments.ReadEnabled(customer: ask.customer))
                try require(!read.enabled, "that a customer is disabled was not kept")
            })
    ]

    private static let paymentsCharges: [any AskExample] = [
        Example(
            nobody: Payments.SetPermission(customer: nobody(), merchant: nobody(), allowed: true),
            make: { world in
                Payments.SetPermission(
                    customer: try await world.newAccount(.customer), merchant: try await world.merchant(), allowed: true
                )
            },
            shows: { ask, world in [try await world.reading(Payments.ReadPermissions(customer: ask.customer))] },
            expect: { ask, reply, world in
                try require(reply.allowed, "the merchant is not allowed")
                let read = try await world.ask(Payments.ReadPermissions(customer: ask.customer))
                try require(
                    !read.everyone && read.merchants.map(\.merchant) == [ask.merchant],
                    "the permission of one merchant was not kept")
            }),
        Example(
            nobody: Payments.ReadPermissions(customer: nobody()), nobodyFinds: .replied,
            make: { world in Payments.ReadPermissions(customer: try await world.newAccount(.customer)) },
            expect: { _, reply, _ in
                try require(!reply.everyone && reply.merchants.isEmpty, "a customer who said nothing allows requests")
            }),
        Example(
            nobody: Payments.ReadChargeable(merchant: nobody(), customer: nobody()),
            nobodyFinds: .refused(.merchantNotFound),
            make: { world in
                Payments.ReadChargeable(
                    merchant: try await world.merchant(), customer: try await world.newAccount(.customer))
            },
            expect: { ask, reply, world in
                try require(!reply.chargeable && reply.refusal != nil, "a stranger who is nowhere near is chargeable")
                _ = try await world.ask(Payments.SetPermission(customer: ask.customer, allowed: true))
                let allowed = try await world.ask(ask)
                try require(allowed.chargeable, "a customer who allows every merchant is not chargeable")
            }),
        Example(
            nobody: Payments.RequestCharge(
                charge: nobody(), merchant: nobody(), customer: nobody(), amount: .cent, memo: ""),
            make: { world in try await charge(world) },
            other: {
                Payments.RequestCharge(
                    charge: $0.charge, merchant: $0.merchant, customer: $0.customer, amount: $0.amount.more,
                    memo: $0.memo)
            },
            reused: .chargeIDReused,
            shows: { ask, world in
                [try await world.reading(Payments.ReadCharge(charge: ask.charge, party: ask.customer))]
            },
            leadsTo: [Payments.ChargeRequested.type],
            expect: { ask, reply, world in
                try require(reply.charge.state == .requested, "the charge is \(reply.charge.state)")
                let read = try await world.ask(Payments.ReadCharge(charge: ask.charge, party: ask.customer))
                try require(read == reply.charge, "the charge reads otherwise later")
            }),
        Example(
            nobody: Payments.ApproveCharge(charge: nobody(), customer: nobody(), card: nil),
            nobodyFinds: .refused(.chargeNotFound),
            make: { world in
                let own = try await world.card()
                let charge = try await requested(world, of: own.customer)
                return Payments.ApproveCharge(
                    charge: charge.charge, customer: charge.customer, card: own.card, amount: charge.amount)
            },
            other: {
                Payments.ApproveCharge(
                    charge: $0.charge, customer: $0.customer, card: $0.card, amount: ($0.amount ?? .cent).more)
            },
            reused: .amountInvalid, effect: { _, world in try await bothSides(world) },
            shows: { ask, world in
                [try await world.reading(Payments.ReadCharge(charge: ask.charge, party: ask.customer))]
            },
            leadsTo: [Payments.ChargeCaptured.type],
            moves: [-9, -9, 9],
            expect: { ask, reply, world in
                try require(reply.receipt.charge == ask.charge, "the receipt is of another charge")
                let receipt = try await world.ask(Payments.ReadReceipt(charge: ask.charge, party: ask.customer))
                try require(receipt == reply.receipt, "the receipt reads otherwise later")
                let read = try await world.ask(Payments.ReadCharge(charge: ask.charge, party: ask.customer))
                try require(read.state == .captured, "an approved charge is \(read.state)")
            }),
        Example(
            nobody: Payments.DeclineCharge(charge: nobody(), customer: nobody()),
            nobodyFinds: .refused(.chargeNotFound),
            make: { world in
                let charge = try await requested(world)
                return Payments.DeclineCharge(charge: charge.charge, customer: charge.customer)
            },
            shows: { ask, world in
                [try await world.reading(Payments.ReadCharge(charge: ask.charge, party: ask.customer))]
            },
            leadsTo: [Payments.ChargeClosed.type],
            expect: { ask, reply, world in
                try require(reply.charge.state == .declined, "a declined charge is \(reply.charge.state)")
                let read = try await world.ask(Payments.ReadCharge(charge: ask.charge, party: ask.customer))
                try require(read == reply.charge, "the charge reads otherwise later")
            }),
        Example(
            nobody: Payments.CancelCharge(charge: nobody(), merchant: nobody()),
            make: { world in
                let charge = try await requested(world)
                return Payments.CancelCharge(charge: charge.charge, merchant: charge.merchant)
            },
            shows: { ask, world in
                [try await world.reading(Payments.ReadCharge(charge: ask.charge, party: ask.merchant))]
            },
            leadsTo: [Payments.ChargeClosed.type],
            expect: { ask, reply, world in
                try require(reply.charge.state == .cancelled, "a cancelled charge is \(reply.charge.state)")
                let read = try await world.ask(Payments.ReadCharge(charge: ask.charge, party: ask.merchant))
                try require(read == reply.charge, "the charge reads otherwise later")
            }),
        Example(
            nobody: Payments.RefundCharge(refund: nobody(), charge: nobody(), merchant: nobody(), amount: nil),
            make: { world in
                let receipt = try await paid(world)
                return Payments.RefundCharge(
                    refund: world.id(), charge: receipt.charge, merchant: receipt.merchant, amount: Money(2))
            },
            other: {
                Payments.RefundCharge(refund: $0.refund, charge: $0.charge, merchant: $0.merchant, amount: .cent)
            },
            reused: .idReused, effect: { _, world in try await bothSides(world) },
            shows: { ask, world in
                [try await world.reading(Payments.ReadCharge(charge: ask.charge, party: ask.merchant))]
            },
            leadsTo: [Payments.ChargeRefunded.type],
            moves: [2, 2, -2],
            expect: { _, reply, _ in
                try require(reply.amount == Money(2) && reply.refunded == Money(2), "2 were not paid back")
            })
    ]

    private static let paymentsReading: [any AskExample] = [
        Example(
            nobody: Payments.ReadCharge(charge: nobody(), party: nobody()), nobodyFinds: .refused(.chargeNotFound),
            make: { world in
                let charge = try await requested(world)
                return Payments.ReadCharge(charge: charge.charge, party: charge.merchant)
            },
            expect: { ask, charge, _ in try require(charge.charge == ask.charge, "another charge was read") }),
        Example(
            nobody: Payments.ReadCharges(party: nobody(), state: nil, before: nil, limit: 1), nobodyFinds: .replied,
            make: { world in
                let customer = try await world.newAccount(.customer)
                for _ in 0..<2 { _ = try await requested(world, of: customer) }
                return Payments.ReadCharges(party: customer, state: .requested, before: nil, limit: 1)
            },
            expect: { _, reply, _ in
                try require(reply.charges.count == 1, "a page for 1 of more has \(reply.charges.count) charges")
                try require(reply.charges.allSatisfy { $0.state == .requested }, "others than the requested are shown")
                try require(reply.next != nil, "there are more charges and no 'next'")
            }),
        Example(
            nobody: Payments.ReadReceipt(charge: nobody(), party: nobody()), nobodyFinds: .refused(.chargeNotFound),
            make: { world in
                let receipt = try await paid(world)
                return Payments.ReadReceipt(charge: receipt.charge, party: receipt.merchant)
            },
            expect: { ask, receipt, _ in try require(receipt.charge == ask.charge, "another receipt was read") }),
        Example(
            nobody: Payments.ReadRefunds(party: nobody(), charges: [nobody()]), nobodyFinds: .replied,
            make: { world in
                let (back, kept) = (try await paid(world), try await paid(world))
                _ = try await world.ask(
                    Payments.RefundCharge(
                        refund: world.id(), charge: back.charge, merchant: back.merchant, amount: Money(2)))
                return Payments.ReadRefunds(party: back.merchant, charges: [kept.charge, back.charge])
            },
            expect: { ask, reply, world in
                try require(
                    reply.refunds == [Payments.Refunded(charge: ask.charges[1], refunded: Money(2))],
                    "the refund of one of two charges reads as \(reply.refunds.count) refunds")
                let others = try await world.ask(
                    Payments.ReadRefunds(party: world.id(), charges: ask.charges))
                try require(others.refunds.isEmpty, "a stranger reads refunds of others")
            }),
        Example(table: .customerTransactions, of: Payments.self), Example(facts: Payments.self),
        Example(stats: Payments.self),
        Example(spans: Payments.self),
        Example(backup: Payments.self),
        Example(follow: Payments.self), Example(state: Payments.self), Example(seal: Payments.self),
        Example(cursor: Payments.self)
    ]
}

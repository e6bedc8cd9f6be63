import Bus
import Contracts
import Primitives

extension Wallet: Specified {
    package static var specification: Specification { .wallet }
}

extension Specification {
    static let wallet = Specification(
        service: Wallet.service, needs: [], examples: walletCards + walletMoney + walletReading,
        log: FactsSpecification(Wallet.self) { trial in
            _ = try await trial.asker.ask(Wallet.OpenAccount(merchant: trial.world.id()))
        },
        load: Specification.payment.load, others: [declined, attempts, expiry, sequences])

    private static let sequences: Case = Case(
        "wallet/sequences",
        "in random sequences of payments, holds, refunds, reloads and transfers, each repeated, every balance, entry, "
            + "fact and refusal is that of the rules",
        .changing
    ) { trial in
        try await RandomSequences(step: WalletStep.random) { steps in
            try await WalletPlay.play(steps, trial)
        }.run(seed: trial.seed, count: 8, length: 40)
    }

    private static let attempts: Case = Case(
        "\(Wallet.PostPayment.type)/attempt",
        "a pay code is spent once: another attempt under the payment's id is refused, and moves nothing", .changing,
        type: Wallet.PostPayment.type
    ) { trial in
        let world = trial.world
        let (own, merchant) = (try await world.card(), try await world.merchant())
        let (payment, attempt): (ChargeID, OperationID) = (world.id(), world.id())
        func ask(_ low: UInt64) -> Wallet.PostPayment {
            Wallet.PostPayment(
                payment: payment, customer: own.customer, card: own.card, merchant: merchant, amount: Money(3),
                memo: "Conformance", attempt: OperationID(high: attempt.high, low: low))
        }
        _ = try await trial.asker.ask(ask(attempt.low | 4))
        let money = try await world.money(on: own.card, of: own.customer)
        try await trial.expect(ask((attempt.low | 4) ^ 2), refusedWith: .idReused, when: "for another attempt")
        try require(
            try await world.money(on: own.card, of: own.customer) == money, "a second attempt with a pay code is paid")
    }

    private static let expiry: Case = Case(
        "wallet/expiry", "a hold that nobody captured ends at its time: what it held is free, and it is told once",
        .changing
    ) { trial in
        let (world, start) = (trial.world, try await trial.head())
        let own = try await world.newCard(of: world.id())
        let before = try await world.money(on: own.card, of: own.customer)
        let held = try await world.ask(
            Wallet.PlaceHold(
                hold: world.id(), customer: own.customer, card: own.card, merchant: try await world.merchant(),
                amount: Money(10), expires: world.now + .seconds(2))
        ).result
        let expired = try await trial.fact(Wallet.HoldExpired.self, after: start) { $0.hold == held.hold }
        try require(
            expired.released == held.amount && expired.time >= held.expires,
            "the fact of a hold's end says otherwise than the hold")
        try require(
            try await world.money(on: own.card, of: own.customer) == before, "an expired hold still holds money")
        try await trial.expect(
            Wallet.CaptureHold(operation: world.id(), hold: held.hold), refusedWith: .holdExpired, when: "after its end"
        )
    }

    /// A recorded refusal is an outcome too.
    private static let declined: Case = Case(
        "\(Wallet.PostPayment.type)/declined",
        "more than there is is refused, and stays refused under its key when there is enough", .changing,
        type: Wallet.PostPayment.type
    ) { trial in
        let world = trial.world
        let (own, merchant) = (try await world.newCard(of: world.id()), try await world.merchant())
        let money = try await world.money(on: own.card, of: own.customer)
        let ask = Wallet.PostPayment(
            payment: world.id(), customer: own.customer, card: own.card, merchant: merchant,
            amount: Money(money[1] + 1),
            memo: "Conformance")
        for isReplayed in [false, true] {
            let answer = try await trial.asker.answer(ask)
            guard case .fault(let fault) = answer, fault.code == .insufficientFunds else {
                throw Wrong(
                    "a cent more than there is is answered with \(answer.words), not with wallet.insufficient_funds")
            }
            try require(
                fault.replayed == isReplayed, "a refusal told again is not told as replayed, or the first one is")
            _ = try await world.ask(
                Wallet.ReloadCard(operation: world.id(), customer: own.customer, card: own.card, amount: .cent))
        }
        let after = try await world.money(on: own.card, of: own.customer)
        try require(
            after == money.map { $0 + 2 },
            "after a refusal and two reloads of 1 there is \(after), not 2 more than \(money)")
    }

    private static let walletCards: [any AskExample] = [
        Example(
            nobody: Wallet.AddCard(
                card: .init(high: 1, low: 1), customer: nobody(), number: "4000000000000000", code: "12345678"),
            make: { world in world.cardToAdd(of: world.id()) },
            other: { Wallet.AddCard(card: $0.card, customer: $0.customer, number: World.cardNumber(), code: $0.code) },
            reused: .idReused,
            effect: { ask, world in [Int64(try await world.ask(Wallet.ReadCards(customer: ask.customer)).cards.count)]
            },
            shows: { ask, world in [try await world.reading(Wallet.ReadCards(customer: ask.customer))] },
            leadsTo: [Wallet.CardAdded.type],
            moves: [1],
            expect: { ask, reply, _ in
                try require(
                    reply.result.card == ask.card && reply.result.customer == ask.customer, "another card was added")
                try require(reply.result.lastFour == ask.number.suffix(4), "'lastFour' is not the number's end")
                try require(reply.result.balance.amount >= 0, "a new card is below zero")
            }),
        Example(
            nobody: Wallet.ChooseCard(customer: nobody(), card: nobody()), nobodyFinds: .refused(.cardNotFound),
            make: { world in
                let customer: PartyID = world.id()
                let first = try await world.ask(world.cardToAdd(of: customer)).result.card
                _ = try await world.ask(world.cardToAdd(of: customer))
                return Wallet.ChooseCard(customer: customer, card: first)
            },
            shows: { ask, world in [try await world.reading(Wallet.ReadCards(customer: ask.customer))] },
            expect: { ask, card, world in
                try require(card.card == ask.card && card.isDefault, "the card chosen is not the default one")
                let read = try await world.ask(Wallet.ReadCard(customer: ask.customer))
                try require(read == card, "where no card is named, another than the chosen one is read")
            }),
        Example(
            nobody: Wallet.ReadCard(customer: nobody()), nobodyFinds: .refused(.noCard),
            make: { world in
                let own = try await world.card()
                return Wallet.ReadCard(customer: own.customer, card: own.card)
            },
            expect: { ask, card, _ in
                try require(card.card == ask.card, "another card was read")
                try require(card.available.amount <= card.balance.amount, "more can be spent than there is")
            }),
        Example(
            nobody: Wallet.ReadCards(customer: nobody()), nobodyFinds: .replied,
            make: { world in Wallet.ReadCards(customer: try await world.card().customer) },
            expect: { _, reply, world in
                let card = try await world.card().card
                try require(reply.cards.contains { $0.card == card }, "a card that was added is missing")
                try require(reply.cards.count { $0.isDefault } == 1, "not exactly one card is the default one")
                try require(Set(reply.cards.map(\.card)).count == reply.cards.count, "a card is there twice")
                for card in reply.cards {
                    let read = try await world.ask(
                        Wallet.ReadCard(customer: try await world.card().customer, card: card.card))
                    try require(read == card, "a card reads otherwise in the list than alone")
                }
            })
    ]

    private static let payment = Example(
        nobody: Wallet.PostPayment(
            payment: nobody(), customer: nobody(), card: nil, merchant: nobody(), amount: .cent, memo: "nobody's"),
        make: { world in
            let (own, merchant) = (try await world.card(), try await world.merchant())
            return Wallet.PostPayment(
                payment: world.id(), customer: own.customer, card: own.card, merchant: merchant, amount: Money(3),
                memo: "Conformance", attempt: world.id(), coupon: world.id())
        },
        other: {
            Wallet.PostPayment(
                payment: $0.payment, customer: $0.customer, card: $0.card, merchant: $0.merchant,
                amount: $0.amount.more, memo: $0.memo, attempt: $0.attempt, coupon: $0.coupon)
        },
        reused: .idReused,
        effect: { ask, world in
            try await world.money(on: ask.card ?? world.id(), of: ask.customer) + world.money(of: ask.merchant)
        },
        leadsTo: [Wallet.PaymentPosted.type],
        moves: [-3, -3, 3],
        expect: { ask, reply, world in
            try require(
                reply.result.payment == ask.payment && reply.result.amount == ask.amount
                    && reply.result.merchant == ask.merchant, "another payment was posted")
            let left = try await world.money(on: reply.result.card, of: ask.customer)
            try require(left[0] == reply.result.cardBalance.amount, "'cardBalance' is not what is on the card")
        })

    private static func onCard(_ ask: Wallet.PlaceHold, _ world: World) async throws -> [Int64] {
        try await world.money(on: ask.card ?? world.id(), of: ask.customer)
    }

    private static func placedHold(_ world: World) async throws -> OperationID {
        let (own, merchant) = (try await world.card(), try await world.merchant())
        let hold = Wallet.PlaceHold(
            hold: world.id(), customer: own.customer, card: own.card, merchant: merchant, amount: Money(10),
            expires: world.now + .seconds(3600))
        return try await world.ask(hold).result.hold
    }

    /// What is on the card and at the merchant that holds of the kit are between.
    private static func bothSides(_ world: World) async throws -> [Int64] {
        let own = try await world.card()
        return try await world.money(on: own.card, of: own.customer) + world.money(of: try await world.merchant())
    }

    private static let walletMoney: [any AskExample] = [
        payment,
        Example(
            nobody: Wallet.ReloadCard(operation: nobody(), customer: nobody(), card: nil, amount: .cent),
            make: { world in
                let own = try await world.card()
                return Wallet.ReloadCard(
                    operation: world.id(), customer: own.customer, card: own.card, amount: Money(5))
            },
            other: {
                Wallet.ReloadCard(
                    operation: $0.operation, customer: $0.customer, card: $0.card, amount: $0.amount.more)
            },
            reused: .idReused,
            effect: { ask, world in try await world.money(on: ask.card ?? world.id(), of: ask.customer) },
            leadsTo: [Wallet.CardReloaded.type],
            moves: [5, 5],
            expect: { ask, reply, _ in try require(reply.result.amount == ask.amount, "another amount was loaded") }),
        Example(
            nobody: Wallet.OpenAccount(merchant: nobody()), make: { world in Wallet.OpenAccount(merchant: world.id()) },
            shows: { ask, world in [try await world.reading(Wallet.ReadAccount(merchant: ask.merchant))] },
            leadsTo: [Wallet.AccountOpened.type],
            expect: { ask, account, world in
                try require(account == .init(merchant: ask.merchant, balance: Money(0)), "a new account is not empty")
            }),
        Example(
            nobody: Wallet.ReadAccount(merchant: nobody()), nobodyFinds: .refused(.accountNotFound),
            make: { world in Wallet.ReadAccount(merchant: try await world.merchant()) },
            expect: { ask, account, _ in try require(account.merchant == ask.merchant, "another account was read") }),
        Example(
            nobody: Wallet.ClosePayment(payment: nobody(), reason: .cancelled),
            make: { world in Wallet.ClosePayment(payment: world.id(), reason: .cancelled) },
            other: { Wallet.ClosePayment(payment: $0.payment, reason: .expired) }, reused: .paymentClosed,
            expect: { ask, reply, world in
                try require(reply.result.reason == ask.reason, "it was closed for another reason")
                let (own, merchant) = (try await world.card(), try await world.merchant())
                let post = Wallet.PostPayment(
                    payment: ask.payment, customer: own.customer, card: own.card, merchant: merchant, amount: .cent,
                    memo: "")
                do throws(Fault) {
                    _ = try await world.bus.ask(post, in: AskContext(deadline: world.now + .seconds(5)))
                } catch {
                    return try require(
                        error.code == .paymentClosed, "a payment under a closed id is refused with \(error.code)")
                }
                throw Wrong("under a closed payment's id money moves")
            }),
        Example(
            nobody: Wallet.PlaceHold(
                hold: nobody(), customer: nobody(), card: nil, merchant: nobody(), amount: .cent,
                expires: Timestamp(milliseconds: 4_102_444_800_000)),
            make: { world in
                let (own, merchant) = (try await world.card(), try await world.merchant())
                return Wallet.PlaceHold(
                    hold: world.id(), customer: own.customer, card: own.card, merchant: merchant, amount: Money(7),
                    expires: world.now + .seconds(3600))
            },
            other: {
                Wallet.PlaceHold(
                    hold: $0.hold, customer: $0.customer, card: $0.card, merchant: $0.merchant, amount: $0.amount.more,
                    expires: $0.expires)
            },
            reused: .idReused, effect: onCard,
            leadsTo: [Wallet.HoldPlaced.type],
            moves: [0, -7],
            expect: { ask, reply, world in
                let money = try await onCard(ask, world)
                try require(money[1] == reply.result.available.amount, "'available' is not what can be spent")
            }),
        Example(
            nobody: Wallet.CaptureHold(operation: nobody(), hold: nobody()),
            make: { world in
                Wallet.CaptureHold(operation: world.id(), hold: try await placedHold(world), amount: Money(6))
            },
            other: { Wallet.CaptureHold(operation: $0.operation, hold: $0.hold, amount: Money(5)) }, reused: .idReused,
            effect: { _, world in try await bothSides(world) },
            leadsTo: [Wallet.HoldCaptured.type],
            moves: [-6, 4, 6],
            expect: { ask, reply, _ in
                try require(
                    reply.result.amount == Money(6) && reply.result.released == Money(4),
                    "6 of 10 were not captured, and 4 released")
            }),
        Example(
            nobody: Wallet.VoidHold(operation: nobody(), hold: nobody()),
            make: { world in Wallet.VoidHold(operation: world.id(), hold: try await placedHold(world)) },
            other: {
                Wallet.VoidHold(operation: $0.operation, hold: Identifier(high: ~$0.hold.high, low: $0.hold.low))
            },
            reused: .idReused, effect: { _, world in try await bothSides(world) },
            leadsTo: [Wallet.HoldVoided.type],
            moves: [0, 10, 0],
            expect: { _, reply, _ in try require(reply.result.released == Money(10), "not all of the hold was released")
            }),
        Example(
            nobody: Wallet.PostRefund(operation: nobody(), payment: nobody(), merchant: nobody(), amount: nil),
            make: { world in
                let paid = try await world.ask(try await payment.make!(world)).result
                return Wallet.PostRefund(
                    operation: world.id(), payment: paid.payment, merchant: paid.merchant, amount: Money(2))
            },
            other: {
                Wallet.PostRefund(operation: $0.operation, payment: $0.payment, merchant: $0.merchant, amount: .cent)
            },
            reused: .idReused, effect: { _, world in try await bothSides(world) },
            leadsTo: [Wallet.RefundPosted.type],
            moves: [2, 2, -2],
            expect: { _, reply, _ in
                try require(
                    reply.result.amount == Money(2) && reply.result.refunded == Money(2), "2 were not paid back")
            }),
        Example(
            nobody: Wallet.PostTransfer(
                operation: nobody(), from: .init(party: nobody(), role: .customer),
                to: .init(party: nobody(), role: .merchant),
                amount: .cent, memo: "nobody's"),
            make: { world in
                let (own, merchant) = (try await world.card(), try await world.merchant())
                return Wallet.PostTransfer(
                    operation: world.id(), from: .init(party: own.customer, role: .customer, card: own.card),
                    to: .init(party: merchant, role: .merchant), amount: Money(4), memo: "Conformance")
            },
            other: {
                Wallet.PostTransfer(
                    operation: $0.operation, from: $0.from, to: $0.to, amount: $0.amount.more, memo: $0.memo)
            },
            reused: .idReused, effect: { _, world in try await bothSides(world) },
            leadsTo: [Wallet.TransferPosted.type],
            moves: [-4, -4, 4],
            expect: { ask, reply, _ in try require(reply.result.amount == ask.amount, "another amount was moved") })
    ]

    private static let walletReading: [any AskExample] = [
        Example(
            nobody: Wallet.ReadPayment(payment: nobody()), nobodyFinds: .refused(.paymentNotFound),
            make: { world in
                Wallet.ReadPayment(payment: try await world.ask(try await payment.make!(world)).result.payment)
            },
            expect: { ask, reply, _ in
                try require(
                    reply.replayed && reply.result.payment == ask.payment,
                    "the payment reads otherwise than it was made")
            }),
        Example(
            nobody: Wallet.ReadTransfer(operation: nobody(), sender: nobody()),
            nobodyFinds: .refused(.transferNotFound),
            make: { world in
                let (own, merchant) = (try await world.card(), try await world.merchant())
                let transfer = Wallet.PostTransfer(
                    operation: world.id(), from: .init(party: own.customer, role: .customer, card: own.card),
                    to: .init(party: merchant, role: .merchant), amount: Money(3), memo: "Conformance")
                _ = try await world.ask(transfer)
                return Wallet.ReadTransfer(operation: transfer.operation, sender: own.customer)
            },
            expect: { ask, reply, _ in
                try require(
                    reply.replayed && reply.result.operation == ask.operation && reply.result.amount == Money(3),
                    "the transfer reads otherwise than it was made")
            }),
        Example(
            nobody: Wallet.ReadEntries(holder: .init(party: nobody(), role: .customer), limit: 1),
            nobodyFinds: .refused(.noCard),
            make: { world in
                let own = try await world.card()
                _ = try await world.ask(try await payment.make!(world))
                return Wallet.ReadEntries(
                    holder: .init(party: own.customer, role: .customer, card: own.card), limit: 2)
            },
            expect: { _, reply, _ in
                try require(reply.entries.count == 2, "a page for 2 of more has \(reply.entries.count) entries")
                try require(reply.entries[0].entry > reply.entries[1].entry, "the newest entry is not the first")
                try require(reply.next != nil, "there are more entries and no 'next'")
            }),
        Example(
            nobody: Wallet.ReadMovements(holder: .init(party: nobody(), role: .customer), limit: 1),
            nobodyFinds: .replied,
            make: { world in
                let own = try await world.card()
                _ = try await world.ask(try await payment.make!(world))
                return Wallet.ReadMovements(holder: .init(party: own.customer, role: .customer), limit: 1)
            },
            expect: { _, reply, _ in
                try require(reply.entries.count == 1, "a page for 1 has \(reply.entries.count) entries")
                try require(reply.entries[0].counterparty != nil, "a payment does not say who is on the other side")
            }),
        Example(
            nobody: Wallet.ReadLedger(), nobodyFinds: .replied, make: { _ in Wallet.ReadLedger() },
            expect: { _, ledger, _ in
                try require(ledger.total.amount == 0, "the ledger's total is \(ledger.total.display)")
            }),
        Example(
            nobody: Wallet.VerifyLedger(after: 0, limit: 1), nobodyFinds: .replied,
            make: { world in
                let ledger = try await world.ask(Wallet.ReadLedger())
                let anchor = ledger.chain.map { Wallet.Anchor(sequence: ledger.sequence, chain: $0) }
                return Wallet.VerifyLedger(after: 0, limit: 1000, anchor: anchor)
            },
            expect: { _, part, _ in try require(part.problems.isEmpty, "the ledger is not right: \(part.problems)") }),
        Example(facts: Wallet.self),
        Example(stats: Wallet.self),
        Example(spans: Wallet.self),
        Example(backup: Wallet.self)
    ]
}

/// An id that nothing has: the same in every run, so that even a service that is wrong about it gathers one row only.
func nobody<Subject>() -> Identifier<Subject> { Identifier(high: 0x0b0d_0b0d_0b0d_0b0d, low: 0x0b0d_0b0d_0b0d_0b0d) }

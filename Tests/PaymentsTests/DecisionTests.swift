import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

/// What can be done about a requested charge.
enum Answer: CaseIterable, Sendable {
    case approve, decline, cancel, expire

    /// What it makes of a charge that waits.
    var state: Payments.ChargeState {
        switch self {
        case .approve: .captured
        case .decline: .declined
        case .cancel: .cancelled
        case .expire: .expired
        }
    }

    /// What all others are told then (A32).
    var refusal: FaultCode {
        switch self {
        case .approve: .chargeCaptured
        case .decline: .chargeDeclined
        case .cancel: .chargeCancelled
        case .expire: .chargeExpired
        }
    }
}

enum Published: Equatable, Sendable {
    case done(replayed: Bool)
    case refused(FaultCode)
    /// The clock is told nothing.
    case nothing
}

extension PaymentsHarness {
    /// Gives one answer, as the one whose it is.
    func give(
        _ answer: Answer, to charge: ChargeID, card: CardID? = nil, within patience: Duration = .seconds(30)
    ) async throws -> Published {
        do throws(Fault) {
            switch answer {
            case .approve:
                return .done(
                    replayed: try await ask(
                        Payments.ApproveCharge(charge: charge, customer: .alice, card: card, amount: Money(150)),
                        as: .alice, within: patience
                    ).replayed)
            case .decline:
                let reply = try await ask(
                    Payments.DeclineCharge(charge: charge, customer: .alice), as: .alice, within: patience)
                #expect(reply.charge.state == .declined)
                return .done(replayed: reply.replayed)
            case .cancel:
                let reply = try await ask(
                    Payments.CancelCharge(charge: charge, merchant: .shop), as: .shop, within: patience)
                #expect(reply.charge.state == .cancelled)
                return .done(replayed: reply.replayed)
            case .expire: clock.advance(rules.approvalTime)
            }
        } catch {
            return .refused(error.code)
        }
        try await sweep()
        return .nothing
    }
}

@Suite("one answer to a charge (A32, 001-84)")
struct DecisionTests {
    private func requested(_ kind: StoreKind = .inMemory) async throws -> PaymentsHarness {
        let payments = try PaymentsHarness(kind)
        try await payments.ask(Payments.RequestCharge.sample(.test(1)), as: .shop)
        return payments
    }

    private func check(_ payments: PaymentsHarness, _ answer: Answer) async throws {
        try await payments.deliverNews()
        #expect(try await payments.state(of: .test(1)) == answer.state)
        let paid = answer == .approve
        #expect(payments.wallet.balance(of: .aliceCard) == (paid ? 1500 : 1650))
        #expect(payments.wallet.balance(of: .shop) == (paid ? 150 : 0))
        let last = paid ? Payments.ChargeCaptured.type : Payments.ChargeClosed.type
        #expect(try await payments.factTypes() == [Payments.ChargeRequested.type, last])
    }

    @Test("the first one counts", arguments: Answer.allCases, StoreKind.allCases)
    func first(answer: Answer, kind: StoreKind) async throws {
        let payments = try await requested(kind)
        let published = try await payments.give(answer, to: .test(1))
        #expect(published == (answer == .expire ? .nothing : .done(replayed: false)))
        try await check(payments, answer)
    }

    private func expected(_ second: Answer, after first: Answer) -> Published {
        if second == .expire { return .nothing }
        return second == first ? .done(replayed: true) : .refused(first.refusal)
    }

    @Test("the second one is told which, each in its own words", arguments: Answer.allCases, Answer.allCases)
    func second(first: Answer, second: Answer) async throws {
        let payments = try await requested()
        _ = try await payments.give(first, to: .test(1))
        #expect(try await payments.give(second, to: .test(1)) == expected(second, after: first))
        try await check(payments, first)
    }

    @Test(
        "also where payments has not heard of the first: then the wallet tells", arguments: Answer.allCases,
        Answer.allCases)
    func secondBeforeTheNews(first: Answer, second: Answer) async throws {
        let payments = try await requested()
        await payments.delayNews()
        // A process that ends after the wallet has decided, and begins again without knowing.
        payments.services.loseReply(first == .approve ? Wallet.PostPayment.type : Wallet.ClosePayment.type)
        payments.services.afterRefusal {}
        if first == .expire {
            await #expect(throws: Fault(.outcomeUnknown)) { try await payments.give(first, to: .test(1)) }
        } else {
            #expect(try await payments.give(first, to: .test(1)) == .refused(.outcomeUnknown))
        }
        payments.restart()
        payments.services.afterRefusal { try? await payments.deliverNews() }
        #expect(try await payments.state(of: .test(1)) == .requested)

        #expect(try await payments.give(second, to: .test(1)) == expected(second, after: first))
        try await check(payments, first)
    }

    @Test(
        "while an approval is on its way, whatever reaches the wallet first counts",
        arguments: [Answer.decline, .cancel, .expire])
    func overtaken(by other: Answer) async throws {
        let payments = try await requested()
        let gate = Gate()
        payments.services.hold(Wallet.PostPayment.type, at: gate)
        async let approved = payments.give(.approve, to: .test(1))
        await gate.reached()
        #expect(try await payments.give(other, to: .test(1)) == (other == .expire ? .nothing : .done(replayed: false)))
        await gate.open()
        // One that the clock has overtaken comes behind its deadline, which is the charge's.
        #expect(try await approved == .refused(other == .expire ? .deadlineExceeded : other.refusal))
        try await check(payments, other)
    }

    @Test("an approval counts until the charge's end; one that the wallet finds at the end is told that it is too late")
    func atTheEnd() async throws {
        let payments = try await requested()
        let expires = try #require(try await payments.store.charge(.test(1))?.expires)
        payments.clock.advance(expires - payments.clock.now - .milliseconds(1))
        #expect(try await payments.give(.approve, to: .test(1)) == .done(replayed: false))
        try await check(payments, .approve)

        let late = try await requested()
        late.clock.advance(expires - late.clock.now - .milliseconds(1))
        let gate = Gate()
        late.services.hold(Wallet.PostPayment.type, at: gate)
        async let approved = late.give(.approve, to: .test(1))
        await gate.reached()
        late.clock.advance(.milliseconds(1))
        await gate.open()
        #expect(try await approved == .refused(.chargeExpired))
        try await check(late, .expire)
    }

    @Test("while a close is on its way, an approval counts", arguments: [Answer.decline, .cancel])
    func overtakes(other: Answer) async throws {
        let payments = try await requested()
        let gate = Gate()
        payments.services.hold(Wallet.ClosePayment.type, at: gate)
        async let closed = payments.give(other, to: .test(1))
        await gate.reached()
        #expect(try await payments.give(.approve, to: .test(1)) == .done(replayed: false))
        await gate.open()
        #expect(try await closed == .refused(.chargeCaptured))
        try await check(payments, .approve)
    }

    @Test("approved twice at once it is paid once, with one receipt")
    func twice() async throws {
        let payments = try await requested()
        let ask = Payments.ApproveCharge(charge: .test(1), customer: .alice, card: nil)
        let replies = try await withThrowingTaskGroup(of: Payments.CreatePayment.Reply.self) { group in
            for _ in 0..<8 { group.addTask { try await payments.ask(ask, as: .alice) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.count { !$0.replayed } == 1)
        #expect(Set(replies.map(\.receipt.entry)).count == 1)
        try await check(payments, .approve)
    }

    @Test("an approval whose fact is late is answered again, though its customer may not pay any more")
    func approvedBeforeDisabled() async throws {
        let payments = try await requested()
        await payments.delayNews()
        #expect(try await payments.give(.approve, to: .test(1)) == .done(replayed: false))
        #expect(try await payments.state(of: .test(1)) == .requested)
        try await payments.store.enable(.alice, false)
        #expect(try await payments.give(.approve, to: .test(1)) == .done(replayed: true))
    }

    @Test("approved with another card the second time, the first receipt stands")
    func otherCard() async throws {
        let payments = try await requested()
        _ = try await payments.give(.approve, to: .test(1))
        #expect(try await payments.give(.approve, to: .test(1), card: .aliceOther) == .done(replayed: true))
        payments.restart()
        #expect(try await payments.give(.approve, to: .test(1), card: .aliceOther) == .done(replayed: true))
        try await check(payments, .approve)
    }

    @Test("only what the customer saw is approved")
    func amount() async throws {
        let payments = try await requested()
        for amount in [Money(149), Money(151), Money(0)] {
            let ask = Payments.ApproveCharge(charge: .test(1), customer: .alice, card: nil, amount: amount)
            #expect(await payments.refusal(of: ask, as: .alice) == .amountInvalid)
        }
        #expect(payments.services.asked(Wallet.PostPayment.self).isEmpty)
        #expect(try await payments.give(.approve, to: .test(1)) == .done(replayed: false))
    }

    @Test("a card that is not the customer's spends nothing: the charge waits on")
    func wrongCard() async throws {
        let payments = try await requested()
        for card in [CardID.carolCard, .test(199)] {
            #expect(try await payments.give(.approve, to: .test(1), card: card) == .refused(.cardNotFound))
        }
        #expect(payments.wallet.head == 0)
        #expect(try await payments.give(.approve, to: .test(1), card: .aliceCard) == .done(replayed: false))
        try await check(payments, .approve)
    }

    @Test("the wallet is asked once whether the customer has a card, and again for another one")
    func knownCard() async throws {
        let payments = try await requested()
        #expect(try await payments.give(.approve, to: .test(1), card: .aliceCard) == .done(replayed: false))
        for (charge, card) in [(ChargeID.test(2), CardID?.none), (.test(3), .aliceCard)] {
            try await payments.ask(Payments.RequestCharge.sample(charge), as: .shop)
            #expect(try await payments.give(.approve, to: charge, card: card) == .done(replayed: false))
        }
        #expect(payments.services.asked(Wallet.ReadCard.self).count == 1)
        try await payments.ask(Payments.RequestCharge.sample(.test(4)), as: .shop)
        #expect(try await payments.give(.approve, to: .test(4), card: .carolCard) == .refused(.cardNotFound))
        #expect(payments.services.asked(Wallet.ReadCard.self).count == 2)
    }

    @Test("with too little money an approval ends as declined, and nothing is deducted (A56, 000-20)")
    func insufficient() async throws {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.RequestCharge.sample(.test(1), 1651), as: .shop)
        await payments.delayNews()
        let ask = Payments.ApproveCharge(charge: .test(1), customer: .alice, card: nil)
        #expect(await payments.refusal(of: ask, as: .alice) == .insufficientFunds)
        // Who was told so finds it so.
        #expect(
            try await payments.ask(Payments.ReadCharge(charge: .test(1), party: .alice), as: .alice).state == .declined)
        #expect(payments.wallet.balance(of: .aliceCard) == 1650)
        // More money makes no difference: the charge is over.
        payments.wallet.addCard(.test(104), of: .alice, 5000)
        #expect(await payments.refusal(of: ask, as: .alice) == .chargeDeclined)
        #expect(
            await payments.refusal(of: Payments.CancelCharge(charge: .test(1), merchant: .shop)) == .chargeDeclined)
        let declined = try await payments.ask(Payments.DeclineCharge(charge: .test(1), customer: .alice))
        #expect(declined.replayed && declined.charge.state == .declined)
        payments.clock.advance(.seconds(300))
        try await payments.sweep()
        #expect(try await payments.factTypes() == [Payments.ChargeRequested.type, Payments.ChargeClosed.type])
    }

    @Test(
        "a charge is neither approved, declined nor cancelled by anyone else",
        arguments: [PartyID.carol, .shop, .nobody])
    func strangers(customer: PartyID) async throws {
        let payments = try await requested()
        #expect(
            await payments.refusal(of: Payments.ApproveCharge(charge: .test(1), customer: customer, card: nil))
                == .chargeNotFound)
        #expect(
            await payments.refusal(of: Payments.DeclineCharge(charge: .test(1), customer: customer)) == .chargeNotFound)
        for merchant in [PartyID.bakery, .alice] {
            #expect(
                await payments.refusal(of: Payments.CancelCharge(charge: .test(1), merchant: merchant))
                    == .chargeNotFound)
        }
        #expect(
            await payments.refusal(of: Payments.ApproveCharge(charge: .test(2), customer: .alice, card: nil))
                == .chargeNotFound)
        #expect(payments.wallet.head == 0)
    }
}

@Suite("charges expire (A55)")
struct ExpiryTests {
    @Test("when their time is up and not before; both sides are told")
    func expires() async throws {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.RequestCharge.sample(.test(1)))
        payments.clock.advance(.seconds(300) - .milliseconds(1))
        try await payments.sweep()
        try await payments.deliverNews()
        #expect(try await payments.state(of: .test(1)) == .requested)
        payments.clock.advance(.milliseconds(1))
        try await payments.sweep()
        try await payments.deliverNews()
        let published = try Payments.ChargeClosed(json: try #require(try await payments.facts().last).data)
        #expect(published.reason == .expired)
        #expect(published.customer == .alice && published.merchant == .shop && published.merchantName == "The Shop")
        #expect(published.time == payments.clock.now)
    }

    @Test("are not approved late, be the sweep as late as it will")
    func late() async throws {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.RequestCharge.sample(.test(1)))
        payments.clock.advance(.seconds(300))
        #expect(try await payments.give(.approve, to: .test(1)) == .refused(.chargeExpired))
        #expect(payments.services.asked(Wallet.PostPayment.self).isEmpty)
    }

    @Test("one that was approved in time is not called expired, even where no news of it has come")
    func inTime() async throws {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.RequestCharge.sample(.test(1)))
        await payments.delayNews()
        payments.services.afterRefusal {}
        payments.services.loseReply(Wallet.PostPayment.type)
        #expect(try await payments.give(.approve, to: .test(1)) == .refused(.outcomeUnknown))
        payments.restart()
        payments.services.afterRefusal { try? await payments.deliverNews() }
        payments.clock.advance(.seconds(300))
        #expect(try await payments.state(of: .test(1)) == .requested)
        #expect(try await payments.give(.approve, to: .test(1)) == .done(replayed: true))
        #expect(payments.wallet.balance(of: .aliceCard) == 1500)
    }

    @Test("an approval's ask of the wallet ends with the charge")
    func deadline() async throws {
        let payments = try PaymentsHarness()
        let expires = try #require(try await payments.ask(Payments.RequestCharge.sample(.test(1))).charge.expires)
        payments.clock.advance(.seconds(299))
        #expect(try await payments.give(.approve, to: .test(1)) == .done(replayed: false))
        let context = try #require(payments.services.contexts(of: Wallet.PostPayment.type).first)
        #expect(context.deadline <= expires)
    }

    @Test("in any number, with one sweep")
    func many() async throws {
        let payments = try PaymentsHarness(rules: ChargeRules(waitingMax: 130))
        for number in 1...UInt64(130) { try await payments.ask(Payments.RequestCharge.sample(.test(number))) }
        payments.clock.advance(.seconds(300))
        try await payments.sweep()
        try await payments.deliverNews()
        #expect(payments.wallet.head == 130)
        #expect(try await payments.store.overdue(at: payments.clock.now, limit: 10).isEmpty)
    }

    @Test("one that cannot be closed keeps no later one open")
    func pastTrouble() async throws {
        let payments = try PaymentsHarness()
        for number in 1...UInt64(2) { try await payments.ask(Payments.RequestCharge.sample(.test(number))) }
        payments.clock.advance(.seconds(300))
        payments.services.loseReply(Wallet.ClosePayment.type)
        await #expect(throws: Fault.self) { try await payments.sweep() }
        try await payments.deliverNews()
        for number in 1...UInt64(2) { #expect(try await payments.state(of: .test(number)) == .expired) }
    }

    @Test("a wallet in trouble is asked again by the next sweep")
    func trouble() async throws {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.RequestCharge.sample(.test(1)))
        payments.clock.advance(.seconds(300))
        payments.services.refuse(Wallet.ClosePayment.type, Fault(.noWorker))
        await #expect(throws: Fault(.noWorker)) { try await payments.sweep() }
        payments.services.refuse(Wallet.ClosePayment.type, nil)
        try await payments.sweep()
        try await payments.deliverNews()
        #expect(try await payments.state(of: .test(1)) == .expired)
    }
}

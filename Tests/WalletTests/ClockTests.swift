import Bus
import Contracts
import Foundation
import Primitives
import Storage
import Testing
import WalletService

/// A clock that is wrong for a while must not decide for longer than that.
@Suite("a wrong clock")
struct ClockTests {
    private static let tenDays = Duration.seconds(10 * 86_400)
    private static let tenYears = Duration.seconds(3652 * 86_400)

    private func place(_ hold: OperationID, for span: Duration = .seconds(600), in wallet: WalletHarness)
        -> Wallet.PlaceHold
    {
        Wallet.PlaceHold(
            hold: hold, customer: .alice, card: nil, merchant: .shop, amount: Money(100),
            expires: wallet.clock.now + span)
    }

    @Test(
        "nothing is written while the clock is ahead of the time since boot",
        arguments: [.seconds(31), tenDays, tenYears] as [Duration])
    func ahead(step: Duration) throws {
        let wallet = try WalletHarness(.inMemory)
        try wallet.aliceAndShop()
        _ = try wallet.ask(place(.test(1), in: wallet))
        let before = try wallet.ledger()

        wallet.clock.jump(step)
        let refused = wallet.fault(of: wallet.pay(.test(2), 150))
        #expect(refused?.code == .unavailable && refused?.detail?.contains("wrote nothing") == true)
        #expect(wallet.fault(of: Wallet.CaptureHold(operation: .test(3), hold: .test(1)))?.code == .unavailable)
        #expect(wallet.answering.expireHolds() == 0)
        #expect(wallet.answering.isClockAhead)
        #expect(try wallet.ledger() == before && wallet.card().available == Money(1550))

        wallet.clock.jump(.zero - step)
        wallet.clock.advance(.seconds(2))
        #expect(
            try wallet.ask(wallet.pay(.test(2), 150)).result.time == WalletHarness.start + .seconds(2))
        #expect(try wallet.ask(Wallet.CaptureHold(operation: .test(3), hold: .test(1))).replayed == false)
        #expect(!wallet.answering.isClockAhead)
        #expect(wallet.clock.alarms.map { $0 != nil } == [true, false])
        #expect(try wallet.problems() == [])
    }

    @Test("small steps and slow drift are believed, many small steps are not")
    func corrected() throws {
        let wallet = try WalletHarness(.inMemory)
        try wallet.aliceAndShop()
        wallet.clock.jump(.seconds(29))
        _ = try wallet.ask(wallet.pay(.test(1), 1))
        wallet.clock.jump(.seconds(29))
        #expect(wallet.fault(of: wallet.pay(.test(2), 1))?.code == .unavailable)
        // Ten days at 500 ppm are 432 seconds.
        wallet.clock.jump(.seconds(-58))
        wallet.clock.advance(Self.tenDays)
        wallet.clock.jump(.seconds(432))
        _ = try wallet.ask(wallet.pay(.test(2), 1))
        #expect(wallet.clock.alarms.map { $0 != nil } == [true, false])
    }

    @Test("a clock that is set back is believed, and the ledger goes on with its time")
    func behind() throws {
        let wallet = try WalletHarness(.inMemory)
        try wallet.aliceAndShop()
        wallet.clock.jump(.seconds(-3600))
        #expect(try wallet.ask(wallet.pay(.test(1), 1)).result.time == WalletHarness.start - .seconds(3600))
        wallet.clock.jump(.seconds(3600))
        #expect(try wallet.ask(wallet.pay(.test(2), 1)).result.time == WalletHarness.start)
        #expect(wallet.clock.alarms.isEmpty)
        // Its times are told of: who reads the ledger has to know that they went back.
        let times = try wallet.ask(Wallet.VerifyLedger(after: 0, limit: 1000)).wrongTimes ?? []
        #expect(times.count == 1 && times.allSatisfy { $0.hasPrefix("entry 2 has the time") })
        #expect(try wallet.problems().isEmpty)
    }

    @Test("a clock that is behind at the start may be set right later")
    func behindAtTheStart() {
        let newest = WalletHarness.start
        var clock = ClockGuard(newest: newest, gapMax: Self.tenDays)
        let believed = [
            clock.believes(newest - .seconds(86_400), uptime: 0), clock.believes(newest + .seconds(3600), uptime: 1000),
            clock.believes(newest + .seconds(7200), uptime: 2000)
        ]
        #expect(believed == [true, true, false])
    }

    /// A ledger whose newest payment has a time of a clock that was wrong, opened again with one that is right.
    private func reopened(
        ahead: Duration, now: Duration = .zero
    ) throws -> (store: SQLLedgerStore, answering: WalletAnswering, clock: TestClock) {
        let before = try WalletHarness(.file)
        try before.aliceAndShop()
        _ = try before.ask(place(.test(1), in: before))
        // As if it had been so since boot.
        before.clock.advance(ahead)
        _ = try before.ask(before.pay(.test(2), 150))
        try before.store.settle()
        let clock = TestClock(WalletHarness.start + now)
        let store = try SQLLedgerStore(
            path: before.crashed(), rules: LedgerRules(cardNumberKey: WalletHarness.key))
        let answering = try WalletAnswering(
            store: store, facts: RecordedFacts(), clock: clock.wall, uptime: clock.uptime, onClock: clock.note
        ) { Issue.record("\($0)") }
        return (store, answering, clock)
    }

    private func ask<A: Ask>(_ ask: A, _ answering: WalletAnswering) throws -> A.Reply {
        let envelope = Envelope(id: "1", source: "test", type: A.type.name, data: ask.json)
        switch answering.answer([Inbound(envelope: envelope, deadline: nil)])[0] {
        case .reply(let json): return try A.Reply(json: json)
        case .fault(let fault): throw fault
        }
    }

    @Test(
        "a ledger with a time of the future goes on with the true time, and the check names it",
        arguments: [tenDays, tenYears])
    func healed(ahead: Duration) throws {
        let (_, answering, clock) = try reopened(ahead: ahead, now: .seconds(5))
        let pay = Wallet.PostPayment(
            payment: .test(3), customer: .alice, card: nil, merchant: .shop, amount: Money(1), memo: "")
        #expect(try ask(pay, answering).result.time == WalletHarness.start + .seconds(5))
        #expect(clock.alarms.isEmpty)
        // Holds end as they were to: by capture, and by their time.
        let place = Wallet.PlaceHold(
            hold: .test(4), customer: .alice, card: nil, merchant: .shop, amount: Money(100),
            expires: clock.now + .seconds(60))
        _ = try ask(place, answering)
        #expect(try ask(Wallet.CaptureHold(operation: .test(5), hold: .test(1)), answering).replayed == false)
        clock.advance(.seconds(61))
        #expect(answering.expireHolds() == 1)

        let found = try ask(Wallet.VerifyLedger(after: 0, limit: 1000), answering)
        let times = try #require(found.wrongTimes)
        #expect(found.problems.isEmpty)
        #expect(times.contains { $0.hasPrefix("entry 2 has a time in the future (up to 20") })
        #expect(times.contains { $0.hasPrefix("entry 3 has the time 2026-") && $0.hasSuffix("a clock was wrong") })
        #expect(times.count == 2)
    }

    @Test(
        "a start long after the newest time is refused, as the clock may be wrong",
        arguments: [(89, true), (91, false)])
    func gap(days: Int, isBelieved: Bool) throws {
        let (_, answering, clock) = try reopened(ahead: .zero, now: .seconds(days * 86_400))
        let pay = Wallet.PostPayment(
            payment: .test(3), customer: .alice, card: nil, merchant: .shop, amount: Money(1), memo: "")
        if isBelieved {
            _ = try ask(pay, answering)
        } else {
            #expect(throws: Fault.self) { try ask(pay, answering) }
            #expect(answering.isClockAhead)
            clock.jump(.seconds(-91 * 86_400))
            _ = try ask(pay, answering)
        }
        #expect(clock.alarms.map { $0 != nil } == (isBelieved ? [] : [true, false]))
    }

    @Test("an old file that has a frozen time is opened, is usable, and its time is named")
    func frozen() throws {
        let wallet = try WalletHarness(.file)
        try wallet.aliceAndShop()
        _ = try wallet.ask(place(.test(1), in: wallet))
        wallet.clock.advance(Self.tenYears)
        for payment in 2...9 { _ = try wallet.ask(wallet.pay(.test(UInt64(payment)), 1)) }
        try wallet.store.raw { try $0.script(WalletHarness.unchained) }
        let clock = TestClock(WalletHarness.start)
        let store = try SQLLedgerStore(
            path: wallet.crashed(), rules: LedgerRules(cardNumberKey: WalletHarness.key))
        let answering = try WalletAnswering(
            store: store, facts: RecordedFacts(), clock: clock.wall, uptime: clock.uptime
        ) { Issue.record("\($0)") }
        _ = try ask(Wallet.CaptureHold(operation: .test(20), hold: .test(1)), answering)
        let found = try ask(Wallet.VerifyLedger(after: 0, limit: 1000), answering)
        let times = try #require(found.wrongTimes)
        #expect(found.problems.isEmpty)
        #expect(times.contains { $0.hasPrefix("8 times from entry 2 to 9 are in the future") })
        #expect(times.count == 2)
    }
}

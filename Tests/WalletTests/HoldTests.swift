import Bus
import Contracts
import Primitives
import TestKit
import Testing
import WalletService

@Suite("holds")
struct HoldTests {
    private func place(
        _ hold: OperationID, _ amountMinor: Int64, for span: Duration = .seconds(60), in wallet: WalletHarness
    ) -> Wallet.PlaceHold {
        Wallet.PlaceHold(
            hold: hold, customer: .alice, card: nil, merchant: .shop, amount: Money(amountMinor),
            expires: WalletHarness.start + span)
    }

    @Test("A56: a hold sets money aside that nothing else can spend", arguments: StoreKind.allCases)
    func setAside(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()

        let placed = try wallet.ask(place(.test(1), 1000, in: wallet)).result
        #expect(placed.available == Money(650))
        #expect(try wallet.card().balance == Money(1650))
        #expect(try wallet.card().available == Money(650))
        #expect(wallet.fault(of: wallet.pay(.test(2), 651))?.code == .insufficientFunds)
        #expect(wallet.fault(of: place(.test(3), 651, in: wallet))?.code == .insufficientFunds)
        try wallet.addCard(.carolCard, of: .carol, number: 2)
        let transfer = Wallet.PostTransfer(
            operation: .test(4), from: .init(party: .alice, role: .customer), to: .init(party: .carol, role: .customer),
            amount: Money(651), memo: "")
        #expect(wallet.fault(of: transfer)?.code == .insufficientFunds)
        _ = try wallet.ask(wallet.pay(.test(5), 650))
        #expect(try wallet.card().available == Money(0))
        #expect(try wallet.ledger().held == Money(1000))
        #expect(try wallet.problems().isEmpty)
    }

    @Test("a part is captured and the rest is free again", arguments: StoreKind.allCases)
    func partial(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        let hold = place(.test(1), 1000, in: wallet)
        #expect(try wallet.ask(hold).replayed == false)
        let capture = Wallet.CaptureHold(operation: .test(2), hold: .test(1), amount: Money(400))

        let captured = try wallet.ask(capture).result

        #expect(captured.amount == Money(400))
        #expect(captured.released == Money(600))
        #expect(captured.cardBalance == Money(1250))
        #expect(try wallet.card().available == Money(1250))
        #expect(try wallet.balanceMinor() == 400)
        #expect(try wallet.ask(capture).replayed)
        #expect(try wallet.ask(hold).replayed)
        #expect(try wallet.problems().isEmpty)
    }

    @Test("captured, voided and expired are three different refusals", arguments: StoreKind.allCases)
    func threeEnds(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        for hold in 1...4 { _ = try wallet.ask(place(.test(UInt64(hold)), 100, in: wallet)) }
        _ = try wallet.ask(Wallet.CaptureHold(operation: .test(11), hold: .test(1)))
        #expect(try wallet.ask(Wallet.VoidHold(operation: .test(12), hold: .test(2))).result.released == Money(100))
        wallet.clock.advance(.seconds(60))

        // Before the sweep has said so, and after.
        #expect(wallet.fault(of: Wallet.CaptureHold(operation: .test(13), hold: .test(3)))?.code == .holdExpired)
        #expect(wallet.fault(of: Wallet.VoidHold(operation: .test(14), hold: .test(3)))?.code == .holdExpired)
        #expect(wallet.answering.expireHolds() == 2)
        #expect(wallet.answering.expireHolds() == 0)

        let expected: [(UInt64, FaultCode)] = [
            (1, .holdCaptured), (2, .holdVoided), (3, .holdExpired), (4, .holdExpired), (5, .holdNotFound)
        ]
        for (hold, code) in expected {
            let capture = Wallet.CaptureHold(operation: .test(20 + hold), hold: .test(hold))
            let void = Wallet.VoidHold(operation: .test(30 + hold), hold: .test(hold))
            #expect(wallet.fault(of: capture) == Fault(code))
            #expect(wallet.fault(of: void) == Fault(code))
            #expect(wallet.fault(of: void) == Fault(code, replayed: true))
        }
        #expect(try wallet.card().available == Money(1550))
        #expect(wallet.facts.types.filter { $0 == Wallet.HoldExpired.type.name }.count == 2)
        #expect(try wallet.problems().isEmpty)
    }

    @Test("an expired hold keeps no money back, also before the sweep ends it", arguments: StoreKind.allCases)
    func freeAtOnce(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        _ = try wallet.ask(place(.test(1), 1650, in: wallet))
        wallet.clock.advance(.milliseconds(59_999))
        #expect(wallet.fault(of: wallet.pay(.test(2), 1)) == Fault(.insufficientFunds))
        wallet.clock.advance(.milliseconds(1))

        #expect(try wallet.ask(wallet.pay(.test(3), 500)).result.cardBalance == Money(1150))
        #expect(try wallet.card().available == Money(1150))
        let news = [Wallet.HoldExpired.type.name, Wallet.PaymentPosted.type.name]
        #expect(wallet.facts.types.suffix(2) == news)
        #expect(wallet.answering.expireHolds() == 0)
        #expect(wallet.fault(of: Wallet.CaptureHold(operation: .test(4), hold: .test(1))) == Fault(.holdExpired))
        #expect(try wallet.problems().isEmpty)
    }

    @Test("also behind more expired holds than one sweep ends, of other cards and of its own", arguments: [true, false])
    func freeBehindMany(areOwn: Bool) throws {
        let wallet = try WalletHarness(.inMemory)
        try wallet.aliceAndShop()
        _ = try wallet.addCard(.test(70_000), of: .test(78), number: 77)
        for hold in 1...1500 as ClosedRange<UInt64> {
            _ = try wallet.ask(
                Wallet.PlaceHold(
                    hold: .test(100_000 + hold), customer: areOwn ? .alice : .test(78), card: nil, merchant: .shop,
                    amount: Money(1),
                    expires: WalletHarness.start + .seconds(60)))
        }
        _ = try wallet.ask(
            Wallet.PlaceHold(
                hold: .test(9000), customer: .alice, card: nil, merchant: .shop, amount: Money(areOwn ? 150 : 1650),
                expires: WalletHarness.start + .seconds(61)))
        wallet.clock.advance(.seconds(61))
        let paid = wallet.batch([
            wallet.inbound(wallet.pay(.test(9001), 1650)), wallet.inbound(wallet.pay(.test(9002), 1))
        ])
        #expect(try wallet.reply(Wallet.PostPayment.self, paid[0]).result.cardBalance == Money(0))
        #expect(wallet.fault(of: wallet.pay(.test(9002), 1)) == Fault(.insufficientFunds, replayed: true))
        #expect(try wallet.problems().isEmpty)
    }

    @Test("a whole life within one group", arguments: StoreKind.allCases)
    func inOneGroup(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        let outcomes = wallet.batch([
            wallet.inbound(
                Wallet.AddCard(card: .aliceCard, customer: .alice, number: digits(1, 16), code: "12345678")),
            wallet.inbound(Wallet.OpenAccount(merchant: .shop)),
            wallet.inbound(place(.test(1), 1650, in: wallet)),
            wallet.inbound(Wallet.CaptureHold(operation: .test(2), hold: .test(1), amount: Money(1))),
            wallet.inbound(wallet.pay(.test(3), 1649)),
            wallet.inbound(
                Wallet.PostRefund(operation: .test(4), payment: .test(3), merchant: .shop, amount: Money(9))),
            wallet.inbound(Wallet.ReadCard(customer: .alice))
        ])
        #expect(try wallet.reply(Wallet.ReadCard.self, outcomes[6]).balance == Money(9))
        #expect(try wallet.problems().isEmpty)
    }

    @Test("the bounds of capture, span and time", arguments: StoreKind.allCases)
    func bounds(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        _ = try wallet.ask(place(.test(1), 100, in: wallet))
        let tooMuch = Wallet.CaptureHold(operation: .test(2), hold: .test(1), amount: Money(101))
        #expect(wallet.fault(of: tooMuch)?.code == .amountInvalid)
        let nothing = Wallet.CaptureHold(operation: .test(3), hold: .test(1), amount: Money(0))
        #expect(wallet.fault(of: nothing)?.code == .amountInvalid)
        #expect(wallet.fault(of: place(.test(4), 1, for: .zero, in: wallet))?.code == .holdExpired)
        #expect(wallet.fault(of: place(.test(5), 1, for: .seconds(32 * 86_400), in: wallet))?.code == .malformed)
        let euro = Wallet.CaptureHold(operation: .test(6), hold: .test(1), amount: Money(1, Currency("EUR") ?? .usd))
        #expect(wallet.fault(of: euro)?.code == .currencyMismatch)
        wallet.clock.advance(.milliseconds(59_999))
        let inTime = Wallet.CaptureHold(operation: .test(7), hold: .test(1), amount: Money(100))
        #expect(try wallet.ask(inTime).result.released == Money(0))
    }

    @Test("only its merchant ends a hold", arguments: StoreKind.allCases)
    func actors(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        _ = try wallet.ask(place(.test(1), 100, in: wallet), actor: .alice)
        let capture = Wallet.CaptureHold(operation: .test(2), hold: .test(1))
        let void = Wallet.VoidHold(operation: .test(2), hold: .test(1))
        for actor in [Actor.alice, .bakery, .administrator] {
            #expect(wallet.fault(of: capture, actor: actor) == Fault(.forbidden))
            #expect(wallet.fault(of: void, actor: actor) == Fault(.forbidden))
        }
        #expect(try wallet.ask(capture, actor: .shop).replayed == false)
    }
}

import Primitives
import Testing
import TouchApp

@Suite("payments by touch (000-4, A1)")
struct PaymentTests {
    @Test("each touch of row 2 charges $1.50 (000-97, 000-98, 000-99, 000-100, A25)", arguments: [1, 2, 3])
    func charges(x: Int) async throws {
        let device = await Device.unlocked()
        await device.go(to: .pay)
        let shown = await device.touch(x, 2)
        #expect(shown.screen == "My Cards - Pay")
        #expect(shown.words == "Scan Now")
        #expect(shown.notice == "Paid $1.50. Balance $15.00")
        #expect(try await device.balance() == Money(1500))
        #expect(await device.touch(3, 3).words == "$15.00")
    }

    @Test("these cells pay on My Cards - Pay only (A1)", arguments: ScreenName.allCases.filter { $0 != .pay })
    func nowhereElse(screen: ScreenName) async throws {
        let device = await Device.unlocked()
        await device.go(to: screen)
        for x in 1...3 { await device.touch(x, 2) }
        #expect(try await device.balance() == Money(1650))
    }

    @Test("11 payments fit into $16.50; the twelfth is refused and changes nothing (000-20, 000-101, A17, A28)")
    func twelve() async throws {
        let device = await Device.unlocked()
        await device.go(to: .pay)
        for count in 1...11 {
            let shown = await device.touch((count - 1) % 3 + 1, 2)
            #expect(shown.error == nil)
            #expect(shown.card?.balance == Money(1650 - 150 * Int64(count)))
            #expect(shown.receipt?.balance == Money(1650 - 150 * Int64(count)))
            #expect(try await device.balance() == Money(1650 - 150 * Int64(count)))
        }
        let shown = await device.touch(2, 2)
        #expect(shown.error == "Insufficient funds")
        #expect(shown.receipt == nil)
        #expect(shown.notice == nil)
        #expect(shown.screen == "My Cards - Pay")
        #expect(try await device.balance() == Money(0))
        #expect(await device.touch(3, 3).words == "$0.00")
        await device.go(to: .moreOptions)
        let payments = try await device.backing.transactions(card: nil, limit: 100).filter { $0.kind == "Payment" }
        #expect(payments.count == 11)
    }

    @Test("with too little, the customer reloads or takes another card, and pays (000-17, A26)")
    func alternate() async throws {
        let device = await Device.unlocked()
        await device.go(to: .pay)
        for _ in 1...12 { await device.touch(1, 2) }
        #expect(await device.shown.error == "Insufficient funds")
        await device.go(to: .options)
        #expect(await device.touch(1, 5).card?.balance == Money(1000))
        await device.go(to: .pay)
        #expect(await device.touch(1, 2).notice == "Paid $1.50. Balance $8.50")

        for _ in 1...5 { await device.touch(1, 2) }
        #expect(await device.touch(1, 2).error == "Insufficient funds")
        await device.addCard("2222")
        await device.go(to: .moreOptions)
        #expect(await device.app.topRightCmd().notice == "Card 1234. Balance $1.00")
        #expect(await device.app.topRightCmd().notice == "Card 2222. Balance $16.50")
        await device.go(to: .pay)
        #expect(await device.touch(1, 2).receipt?.lastFour == "2222")
    }

    @Test("a payment has a receipt, which can be seen (000-19)")
    func receipt() async throws {
        let device = await Device.unlocked()
        await device.go(to: .pay)
        let (shown, _) = try await device.app.receive(.touch(2, 2), as: .test(5))
        let receipt = try #require(shown.receipt)
        #expect(receipt.operation == TouchID.test(5).reinterpreted())
        #expect(receipt.amount == Money(150))
        #expect(receipt.lastFour == "1234")
        #expect(receipt.balance == Money(1500))
        #expect(receipt.time.rfc3339 == "2026-01-01T09:01:00.000Z")
    }

    @Test("without a card: $0.00, and no payment (A5)")
    func noCard() async throws {
        let device = await Device.unlocked(.noCard)
        #expect(await device.shown.text == "My Cards - Main\n$0.00")
        #expect(await device.touch(3, 3).text == "My Cards - Pay\nScan Now\nNo card")
        let shown = await device.touch(2, 2)
        #expect(shown.error == "No card")
        #expect(shown.receipt == nil && shown.payCode == nil && shown.card == nil)
        await device.go(to: .options)
        #expect(await device.touch(1, 5).error == "No card")
        #expect(await device.touch(1, 6).error == "No card")
        await device.go(to: .moreOptions)
        #expect(await device.touch(1, 7).error == "No card")
        #expect(await device.app.topRightCmd().error == "No card")
        // 000-18: a card set up, all works.
        await device.addCard("1111")
        await device.go(to: .pay)
        #expect(await device.touch(2, 2).notice == "Paid $1.50. Balance $15.00")
    }

    @Test("payments are enabled until they are disabled, and again (000-8, A18)")
    func disabled() async throws {
        let device = await Device.unlocked()
        #expect(await device.menu(2).paymentsEnabled == true)
        var shown = await device.app.topLeftCmd()
        #expect(shown.text == "Payment Setup\nEnable Payments?\nPayments disabled")
        #expect(shown.paymentsEnabled == false)
        await device.go(to: .pay)
        shown = await device.shown
        #expect(shown.error == "Payments disabled")
        #expect(shown.payCode == nil)
        shown = await device.touch(1, 2)
        #expect(shown.error == "Payments disabled")
        #expect(shown.receipt == nil)
        #expect(try await device.balance() == Money(1650))
        #expect(await device.menu(2).paymentsEnabled == false)
        #expect(await device.app.topRightCmd().text == "Payment Setup\nEnable Payments?\nPayments enabled")
        await device.go(to: .pay)
        #expect(await device.touch(1, 2).notice == "Paid $1.50. Balance $15.00")
    }

    @Test("what a touch pays is one setting (A25)")
    func configured() async throws {
        var rules = AppRules()
        rules.touchAmount = Money(425)
        let device = Device(rules: rules)
        await device.enter("1234")
        await device.go(to: .pay)
        #expect(await device.touch(3, 2).notice == "Paid $4.25. Balance $12.25")
    }

    @Test("a receipt goes with the next command")
    func receiptGoes() async {
        let device = await Device.unlocked()
        await device.go(to: .pay)
        await device.touch(1, 2)
        #expect(await device.touch(1, 1).receipt != nil)
        await device.go(to: .pay)
        #expect(await device.shown.receipt == nil)
    }
}

import Primitives
import Testing
import TouchApp

@Suite("options and more options (000-69, A19)")
struct OptionsTests {
    @Test("Reload puts $10.00 on the card (000-7, A19)", arguments: [(ScreenName.options, 5), (.moreOptions, 6)], 1...3)
    func reload(place: (ScreenName, Int), x: Int) async throws {
        let device = await Device.unlocked()
        await device.go(to: place.0)
        let shown = await device.touch(x, place.1)
        #expect(shown.screen == place.0.rawValue)
        #expect(shown.notice == "Reloaded $10.00. Balance $26.50")
        #expect(try await device.balance() == Money(2650))
    }

    @Test(
        "Refresh reads the balance anew (000-5, A19)", arguments: [(ScreenName.options, 6), (.moreOptions, 5)], 1...3)
    func refresh(place: (ScreenName, Int), x: Int) async throws {
        let device = await Device.unlocked()
        await device.go(to: place.0)
        _ = try await device.backing.reload(
            ReloadOrder(operation: OperationID(high: 9, low: 9), card: nil, amount: Money(5)))
        #expect(await device.shown.card?.balance == Money(1650))
        let shown = await device.touch(x, place.1)
        #expect(shown.notice == "Balance $16.55")
        #expect(shown.card?.balance == Money(1655))
    }

    @Test("View Recent Transactions shows them, newest first (000-11, A19)", arguments: 1...3)
    func transactions(x: Int) async {
        let device = await Device.unlocked()
        await device.go(to: .pay)
        await device.touch(1, 2)
        await device.go(to: .options)
        await device.touch(1, 5)
        await device.go(to: .moreOptions)
        #expect(await device.shown.transactions == nil)
        let shown = await device.touch(x, 7)
        #expect(
            shown.text == """
                My Cards - More Options
                Refresh, Reload or View Recent Transactions
                2026-01-01 09:02 Reload $10.00, balance $25.00
                2026-01-01 09:01 Payment -$1.50, balance $15.00
                2026-01-01 09:00 Opening balance $16.50, balance $16.50
                """)
        #expect(shown.transactions?.map(\.amount) == [Money(1000), Money(-150), Money(1650)])
        // They go with the next command.
        #expect(await device.touch(1, 5).transactions == nil)
    }

    @Test("at most ten transactions are shown")
    func tenTransactions() async {
        let device = await Device.unlocked()
        await device.go(to: .options)
        for _ in 1...20 { await device.touch(1, 5) }
        await device.go(to: .moreOptions)
        #expect(await device.touch(1, 7).transactions?.count == 10)
    }

    @Test("top right on More Options takes the next card, round and round (000-5, A26)")
    func nextCard() async throws {
        let device = await Device.unlocked()
        await device.addCard("2222")
        await device.go(to: .pay)
        await device.touch(1, 2)
        await device.addCard("3333")
        await device.go(to: .moreOptions)
        var seen: [String?] = []
        for _ in 1...4 { seen.append(await device.app.topRightCmd().notice) }
        #expect(
            seen == [
                "Card 1234. Balance $16.50", "Card 2222. Balance $15.00", "Card 3333. Balance $16.50",
                "Card 1234. Balance $16.50"
            ])
        #expect(try await device.backing.currentCard()?.lastFour == "1234")
        #expect(await device.menu(1).lines == ["$16.50", "Card 1234"])
        await device.go(to: .pay)
        #expect(await device.touch(1, 2).receipt?.lastFour == "1234")
    }

    @Test("with one card, the next card is the same")
    func onlyCard() async {
        let device = await Device.unlocked()
        await device.go(to: .moreOptions)
        #expect(await device.app.topRightCmd().notice == "Card 1234. Balance $16.50")
    }
}

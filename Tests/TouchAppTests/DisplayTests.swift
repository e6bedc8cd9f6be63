import Primitives
import Testing
import TouchApp
import Wire

@Suite("what is displayed, to the letter")
struct DisplayTests {
    @Test(
        "the words of each screen (A3)",
        arguments: [
            (ScreenName.pay, "Scan Now"),  // 000-77
            (.options, "Reload, Refresh Balance, or More Options"),  // 000-78
            (.moreOptions, "Refresh, Reload or View Recent Transactions"),  // 000-79
            (.paymentSetup, "Enable Payments?"),  // 000-80
            (.rewardsSetup, "Make Every Visit Count"),  // 000-81
            (.findStores, "Google Map of Local Starbucks"),  // 000-82
            (.addCard, "Enter a new Card"),  // 000-83
            (.settings, "Manage Card, Billing, Passcode. Show About & Terms.")  // 000-84
        ])
    func words(screen: ScreenName, words: String) async {
        let device = await Device.unlocked()
        await device.go(to: screen)
        let shown = await device.shown
        #expect(shown.words == words)
        #expect(shown.lines.first == words)
    }

    @Test("a screen's own display is its words alone (A21)")
    func screens() {
        #expect(PayScreen().display() == "Scan Now")
        #expect(OptionsScreen().display() == "Reload, Refresh Balance, or More Options")
        #expect(MoreOptionsScreen().display() == "Refresh, Reload or View Recent Transactions")
        #expect(PaymentSetupScreen().display() == "Enable Payments?")
        #expect(RewardsSetupScreen().display() == "Make Every Visit Count")
        #expect(FindStoresScreen().display() == "Google Map of Local Starbucks")
        #expect(AddCardScreen().display() == "Enter a new Card")
        #expect(SettingsScreen().display() == "Manage Card, Billing, Passcode. Show About & Terms.")
        #expect(PinScreen().display() == "Enter Pin\n[ ][ ][ ][ ]")
    }

    @Test(
        "the controller shows the Screen Name, then what the screen shows (000-24, A21, A22)",
        arguments: [
            (ScreenName.main, "My Cards - Main"),  // 000-31
            (.pay, "My Cards - Pay"),  // 000-32
            (.options, "My Cards - Options"),  // 000-33
            (.moreOptions, "My Cards - More Options"),  // 000-34
            (.paymentSetup, "Payment Setup"),  // 000-35
            (.rewardsSetup, "Rewards Setup"),  // 000-36
            (.findStores, "Find Starbucks"),  // 000-37
            (.addCard, "Add Card Screen"),  // 000-38
            (.settings, "Settings Screen")  // 000-39
        ])
    func names(screen: ScreenName, name: String) async {
        let device = await Device.unlocked()
        await device.go(to: screen)
        let shown = await device.shown
        #expect(shown.text.hasPrefix("\(name)\n\(shown.words)"))
        #expect(await device.app.display() == shown.text)
        #expect(shown.screen == name)
    }

    @Test("My Cards - Main shows the balance of the current card (000-3, 000-76, A4)")
    func balance() async {
        let device = await Device.unlocked()
        #expect(await device.shown.words == "$16.50")
        await device.addCard("7777")
        let shown = await device.shown
        #expect(shown.text == "My Cards - Main\n$16.50\nCard 7777\nAdded card 7777")
    }

    @Test("a display says why a touch would pay nothing")
    func hindrance() async {
        let device = await Device.unlocked()
        #expect(await device.shown.payHindrance == nil)
        await device.go(to: .pay)
        #expect(await device.shown.payHindrance == nil)
        for _ in 1...11 { await device.touch(1, 2) }
        #expect(await device.shown.payHindrance == .insufficientFunds)
        await device.menu(2)
        await device.app.topLeftCmd()
        await device.go(to: .pay)
        let disabled = await device.shown
        #expect((disabled.payHindrance, disabled.payCode) == (.paymentsDisabled, nil))
        let none = Device(.noCard)
        await none.enter("1234")
        await none.go(to: .pay)
        #expect(await none.shown.payHindrance == .noCard)
    }

    @Test("stores come on request only, below the fixed line (000-9, A24)")
    func stores() async {
        let device = await Device.unlocked()
        var shown = await device.menu(4)
        #expect(shown.lines == ["Google Map of Local Starbucks"])
        #expect(shown.stores == nil)
        shown = await device.app.topRightCmd()
        #expect(shown.lines == ["Google Map of Local Starbucks", "Market Street, 120 m", "Station, 450 m"])
        #expect(shown.stores?.count == 2)
    }

    @Test("rewards: one star a payment; the customer joins and leaves (000-1, 000-10)")
    func rewards() async {
        let device = await Device.unlocked()
        await device.go(to: .pay)
        await device.touch(1, 2)
        #expect(await device.menu(3).lines == ["Make Every Visit Count", "Stars 1"])
        #expect(await device.app.topLeftCmd().lines == ["Make Every Visit Count", "Not joined"])
        #expect(await device.app.topRightCmd().rewards == Rewards(stars: 1, joined: true))
    }

    @Test("a display is read back from its JSON, which is that of the general codec, on every screen")
    func json() async throws {
        func check(_ shown: Display) throws {
            #expect(try Display(json: shown.json) == shown)
            #expect(JSONValue.encoding(shown).text == String(decoding: shown.json, as: UTF8.self))
        }
        let device = Device()
        try check(await device.shown)
        await device.enter("0000")
        try check(await device.shown)
        await device.enter("1234")
        for screen in ScreenName.allCases where screen != .pin {
            await device.go(to: screen)
            for input in [(1, 2), (2, 7), (2, 5)] {
                await device.touch(input.0, input.1)
                try check(await device.shown)
            }
        }
    }

    @Test("the JSON of the first screen")
    func golden() async {
        let expected = """
            {"screen":"Pin Screen","words":"Enter Pin\\n[*][ ][ ][ ]","lines":["Enter Pin","[*][ ][ ][ ]"],\
            "grid":[["","",""],["","",""],["","",""],["","",""],["1","2","3"],["4","5","6"],["7","8","9"],\
            ["_","0","X"]],"menu":["Cards","Payments","My Rewards","Find Starbucks","Settings"],\
            "menuActive":false,"passcode":1}
            """
        let device = Device()
        #expect(String(decoding: await device.enter("1").json, as: UTF8.self) == expected)
    }
}

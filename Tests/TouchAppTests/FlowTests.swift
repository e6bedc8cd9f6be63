import Testing
import TouchApp

@Suite("screen flows")
struct FlowTests {
    @Test("all screens can be reached by touches, menus and commands alone")
    func reachable() async {
        let device = await Device.unlocked()
        for screen in ScreenName.allCases where screen != .pin { await device.go(to: screen) }
    }

    @Test(
        "the document's touches",
        arguments: [
            (ScreenName.main, 3, 3, "My Cards - Pay"),  // 000-62
            (.main, 2, 4, "My Cards - Options"),  // 000-63
            (.options, 1, 7, "My Cards - More Options"),  // 000-64
            (.options, 2, 7, "My Cards - More Options"),  // 000-65
            (.options, 3, 7, "My Cards - More Options"),  // 000-66
            (.pay, 3, 3, "My Cards - Main"),  // 000-67
            (.settings, 1, 2, "Add Card Screen"), (.settings, 2, 2, "Add Card Screen"),  // 000-85
            (.settings, 3, 2, "Add Card Screen")
        ])
    func flow(from: ScreenName, x: Int, y: Int, to: String) async {
        let device = await Device.unlocked()
        await device.go(to: from)
        #expect(await device.touch(x, y).screen == to)
    }

    /// Which cells mean something; all others must leave everything as it is.
    static let meaningful: [ScreenName: [(Int, Int)]] = [
        .main: [(3, 3), (2, 4)],
        .pay: [(1, 2), (2, 2), (3, 2), (3, 3)],
        .options: (5...7).flatMap { y in (1...3).map { ($0, y) } },
        .moreOptions: (5...7).flatMap { y in (1...3).map { ($0, y) } },
        .paymentSetup: [], .rewardsSetup: [], .findStores: [],
        .settings: [(1, 2), (2, 2), (3, 2)],
        .addCard: [(1, 3), (2, 3), (3, 3), (2, 4)] + (5...8).flatMap { y in (1...3).map { ($0, y) } }
    ]

    @Test(
        "every other touch leaves everything as it was (000-68, A8)",
        arguments: ScreenName.allCases.filter { $0 != .pin })
    func others(screen: ScreenName) async throws {
        let device = await Device.unlocked()
        await device.go(to: screen)
        let before = await device.shown
        let meaningful = try #require(Self.meaningful[screen])
        let outside = [(0, 0), (0, 1), (4, 3), (3, 9), (-1, -1), (Int.max, 1), (1, Int.min)]
        let others = everyCell.filter { cell in !meaningful.contains { $0 == cell } } + outside
        for (number, (x, y)) in others.enumerated() {
            let (shown, effect) = try await device.app.receive(.touch(x, y), as: .test(UInt64(number)))
            #expect(effect == .ignored, "(\(x),\(y))")
            #expect(shown == before)
        }
        // The grid tells the same.
        for (x, y) in everyCell {
            #expect(before.grid[y - 1][x - 1].isEmpty == !meaningful.contains { $0 == (x, y) }, "(\(x),\(y))")
        }
    }

    @Test("top left is one level back (A20)")
    func back() async {
        let device = await Device.unlocked()
        await device.go(to: .moreOptions)
        #expect(await device.app.topLeftCmd().screen == "My Cards - Options")
        #expect(await device.app.topLeftCmd().screen == "My Cards - Main")
    }

    @Test("Pay on the Go, from start-up to the remaining balance (000-12, 000-13, 000-14, 000-15, 000-16, 000-19)")
    func payOnTheGo() async throws {
        let device = Device()
        #expect(await device.screen == "Pin Screen")
        var shown = await device.enter("1234")
        #expect(shown.lines == ["$16.50", "Card 1234"])
        #expect(shown.grid[2][2] == "Pay")
        shown = await device.touch(3, 3)
        #expect(shown.words == "Scan Now")
        let code = try #require(shown.payCode)
        #expect(shown.lines == ["Scan Now", "Code \(code.code)"])
        _ = try await device.backing.scan(code.code, amount: AppRules.standard.touchAmount)
        shown = await device.app.refresh()
        #expect(shown.card?.balance.display == "$15.00")
        #expect(shown.payCode != code)
        #expect(await device.touch(3, 3).words == "$15.00")
        await device.go(to: .moreOptions)
        shown = await device.touch(2, 7)
        #expect(shown.transactions?.first?.amount.display == "-$1.50")
        await #expect(throws: BackingError.refused) {
            try await device.backing.scan(code.code, amount: AppRules.standard.touchAmount)
        }
    }
}

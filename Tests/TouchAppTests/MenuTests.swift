import Testing
import TouchApp

@Suite("the menu bar and the two commands (000-22, 000-27)")
struct MenuTests {
    static let screens = [
        (1, "My Cards - Main"),  // 000-70
        (2, "Payment Setup"),  // 000-71
        (3, "Rewards Setup"),  // 000-72
        (4, "Find Starbucks"),  // 000-73
        (5, "Settings Screen")  // 000-74
    ]

    @Test("each menu opens its screen, from every screen (000-75, 000-110)", arguments: screens)
    func opens(menu: Int, screen: String) async {
        let device = await Device.unlocked()
        for start in ScreenName.allCases where start != .pin {
            await device.go(to: start)
            #expect(await device.menu(menu).screen == screen)
        }
    }

    @Test("no menu and no command does anything before the PIN (000-28, A10)", arguments: ["", "12", "0000"])
    func inactive(entered: String) async throws {
        let device = Device()
        let before = await device.enter(entered)
        let inputs = MenuSlot.allCases.map(Input.menu) + [.topLeft, .topRight]
        for (number, input) in inputs.enumerated() {
            let (shown, effect) = try await device.app.receive(input, as: .test(UInt64(number)))
            #expect(effect == .ignored)
            #expect(shown == before)
        }
        #expect(before.topLeft == nil && before.topRight == nil)
    }

    @Test("the slots hold command objects, and others can be set on them (000-102)")
    func slots() async {
        #expect(
            MenuSlots.standard.keys.map(\.label) == ["Cards", "Payments", "My Rewards", "Find Starbucks", "Settings"])
        let destinations = MenuSlots.standard.keys.map { ($0.command as? Show)?.destination }
        #expect(destinations == [.main, .paymentSetup, .rewardsSetup, .findStores, .settings])
        #expect(await Device().shown.menu == ["Cards", "Payments", "My Rewards", "Find Starbucks", "Settings"])

        let key = CommandKey("Reload", Reload())
        let app = AppController(backing: MemoryBacking(.demo), menu: MenuSlots(key, key, key, key, key))
        for digit in "1234" {
            let (x, y) = Device.key(digit)
            await app.touch(x, y)
        }
        #expect(await app.menu3().card?.balance.display == "$26.50")
    }

    @Test("top left and top right, screen by screen (000-26)")
    func commands() async {
        let device = await Device.unlocked()
        let labels: [(ScreenName, String?, String?)] = [
            (.main, nil, nil), (.pay, nil, nil), (.options, "Back", nil), (.moreOptions, "Back", "Next Card"),
            (.paymentSetup, "Disable", "Enable"), (.rewardsSetup, "Leave", "Join"), (.findStores, nil, "Search"),
            (.settings, nil, nil), (.addCard, "Cancel", "Add")
        ]
        for (screen, left, right) in labels {
            await device.go(to: screen)
            let shown = await device.shown
            #expect(shown.topLeft == left)
            #expect(shown.topRight == right)
        }
        #expect(labels.count == ScreenName.allCases.count - 1)
    }

    @Test("where there is no command, it changes nothing (000-26)", arguments: [ScreenName.main, .pay, .settings])
    func noCommand(screen: ScreenName) async throws {
        let device = await Device.unlocked()
        await device.go(to: screen)
        let before = await device.shown
        #expect(try await device.app.receive(.topLeft, as: .test(1)).effect == .ignored)
        #expect(try await device.app.receive(.topRight, as: .test(2)).effect == .ignored)
        #expect(await device.shown == before)
    }

    @Test("the menus' labels are other names of the screens (A2), and an en dash is a hyphen (A22)")
    func names() {
        #expect(ScreenName(matching: "Payments") == .paymentSetup)
        #expect(ScreenName(matching: "My Rewards") == .rewardsSetup)
        #expect(ScreenName(matching: "Settings") == .settings)
        #expect(ScreenName(matching: "My Cards \u{2013} Main") == .main)
        #expect(ScreenName(matching: "My Cards \u{2013} More Options") == .moreOptions)
        #expect(ScreenName(matching: "Nowhere") == nil)
        for name in ScreenName.allCases { #expect(ScreenName(matching: name.rawValue) == name) }
    }

    /// 000-21, 000-23: the compiler checks it.
    @Test("controller and screens have the interfaces (000-21, 000-23)")
    func interfaces() async {
        func show(_ screen: some AppScreen) async -> String { await screen.display() }
        func press(_ bar: some MenuBar) async {
            var bar = bar
            _ = await bar.menu5()
        }
        let device = await Device.unlocked()
        await press(device.app)
        #expect(await show(device.app) == "Settings Screen\nManage Card, Billing, Passcode. Show About & Terms.")
        #expect(await show(SettingsScreen()) == "Manage Card, Billing, Passcode. Show About & Terms.")
    }
}

import Primitives
import Testing
import TouchApp

@Suite("adding cards (000-6, 000-38)")
struct AddCardTests {
    static func opened() async -> Device {
        let device = await Device.unlocked()
        await device.go(to: .addCard)
        return device
    }

    static func fields(_ display: Display) -> [String] {
        (display.fields ?? []).map { "\($0.digits)\($0.focused ? "<" : "")" }
    }

    @Test("Settings, Add Card, default card (000-92, 000-94, 000-95, 000-96, A15, A16)")
    func workflow() async throws {
        let device = await Device.unlocked()
        await device.go(to: .pay)
        await device.touch(1, 2)
        await device.menu(5)
        #expect(await device.touch(1, 2).screen == "Add Card Screen")
        await device.enter("4929123456780987")
        await device.touch(2, 4)
        await device.enter("00112233")
        let shown = await device.app.topRightCmd()
        #expect(shown.screen == "My Cards - Main")
        #expect(shown.words == "$16.50")
        #expect(shown.card?.lastFour == "0987")
        let cards = try await device.backing.cards()
        #expect(cards.map(\.lastFour) == ["1234", "0987"])
        #expect(cards.map(\.isDefault) == [false, true])
        #expect(cards.map(\.balance) == [Money(1500), Money(1650)])
        // It pays.
        await device.go(to: .pay)
        #expect(await device.touch(1, 2).receipt?.lastFour == "0987")
        // And nothing is left of what was entered.
        await device.go(to: .addCard)
        #expect(Self.fields(await device.shown) == ["<", ""])
    }

    @Test("the fields take 16 and 8 digits, from the same key pad (000-86, 000-87, 000-88, A12)")
    func digits() async {
        let backing = ScriptedBacking()
        let app = AppController(backing: backing)
        for digit in "1234" { await press(app, digit) }
        await app.menu5()
        await app.touch(3, 2)
        for digit in "0123456789012345" { await press(app, digit) }
        await app.touch(2, 4)
        for digit in "09876543" { await press(app, digit) }
        await app.topRightCmd()
        let order = await backing.cardOrders.first
        #expect(order?.number.text == "0123456789012345")
        #expect(order?.code.text == "09876543")
    }

    private func press(_ app: AppController, _ digit: Character) async {
        let (x, y) = Device.key(digit)
        await app.touch(x, y)
    }

    @Test("the Card ID has the focus first (A11); what is entered is shown")
    func firstFocus() async {
        let device = await Self.opened()
        #expect(await device.shown.text == "Add Card Screen\nEnter a new Card\n> Card ID:\n  Card Code:")
        #expect(
            await device.enter("0042").text == "Add Card Screen\nEnter a new Card\n> Card ID: 0042\n  Card Code:")
        #expect(await device.shown.fields?.map(\.digitsMax) == [16, 8])
    }

    @Test("(1,3), (2,3) and (3,3) focus the Card ID, (2,4) the Card Code (000-89, 000-90, 000-91)", arguments: 1...3)
    func focus(x: Int) async {
        let device = await Self.opened()
        await device.enter("12")
        #expect(Self.fields(await device.touch(2, 4)) == ["12", "<"])
        #expect(Self.fields(await device.enter("34")) == ["12", "34<"])
        #expect(Self.fields(await device.touch(x, 3)) == ["12<", "34"])
        #expect(Self.fields(await device.enter("56")) == ["1256<", "34"])
        #expect(Self.fields(await device.touch(2, 4)) == ["1256", "34<"])
        #expect(Self.fields(await device.enter("7")) == ["1256", "347<"])
    }

    @Test("(1,4) and (3,4) do nothing (A13)", arguments: [1, 3])
    func noFocus(x: Int) async throws {
        let device = await Self.opened()
        #expect(try await device.app.receive(.touch(x, 4), as: .test(1)).effect == .ignored)
        #expect(Self.fields(await device.enter("9")) == ["9<", ""])
    }

    @Test("X takes the last digit of the field with the focus, the blank key nothing (A12)")
    func backspace() async throws {
        let device = await Self.opened()
        await device.enter("10")
        await device.touch(2, 4)
        await device.enter("205")
        #expect(Self.fields(await device.enter("_X")) == ["10", "20<"])
        await device.touch(1, 3)
        #expect(Self.fields(await device.enter("XX")) == ["<", "20"])
        #expect(try await device.app.receive(.touch(3, 8), as: .test(1)).effect == .ignored)
        #expect(try await device.app.receive(.touch(1, 8), as: .test(2)).effect == .ignored)
    }

    @Test("further digits are ignored (A14)")
    func full() async throws {
        let device = await Self.opened()
        await device.enter("9876543210987654")
        #expect(try await device.app.receive(.touch(1, 5), as: .test(1)).effect == .ignored)
        #expect(Self.fields(await device.shown) == ["9876543210987654<", ""])
        await device.touch(2, 4)
        #expect(Self.fields(await device.enter("123456789")) == ["9876543210987654", "12345678<"])
    }

    @Test(
        "an incomplete entry creates nothing and stays, with a message (A14)",
        arguments: [
            ("", "", "Card ID needs 16 digits"), ("123456789012345", "12345678", "Card ID needs 16 digits"),
            ("1234567890123456", "", "Card Code needs 8 digits"),
            ("1234567890123456", "1234567", "Card Code needs 8 digits")
        ])
    func incomplete(number: String, code: String, error: String) async throws {
        let device = await Self.opened()
        await device.enter(number)
        await device.touch(2, 4)
        await device.enter(code)
        let shown = await device.app.topRightCmd()
        #expect(shown.screen == "Add Card Screen")
        #expect(shown.error == error)
        #expect(Self.fields(shown) == [number, code + "<"])
        #expect(try await device.backing.cards().count == 1)
        // The message goes with the next digit.
        #expect(await device.enter("X1").error == nil)
    }

    @Test("a card that is registered already is refused (A14)")
    func taken() async throws {
        let device = await Device.unlocked()
        await device.addCard("5555")
        await device.go(to: .addCard)
        await device.enter("4000000000005555")
        await device.touch(2, 4)
        await device.enter("87654321")
        let shown = await device.app.topRightCmd()
        #expect(shown.screen == "Add Card Screen")
        #expect(shown.error == "Card already registered")
        #expect(Self.fields(shown) == ["4000000000005555", "87654321<"])
        #expect(try await device.backing.cards().count == 2)
    }

    @Test("Cancel returns to Settings, adds nothing, and the digits are gone (000-93, A15)")
    func cancel() async throws {
        let device = await Self.opened()
        await device.enter("1234567890123456")
        await device.touch(2, 4)
        await device.enter("12345678")
        #expect(await device.app.topLeftCmd().screen == "Settings Screen")
        #expect(try await device.backing.cards().count == 1)
        await device.touch(2, 2)
        #expect(Self.fields(await device.shown) == ["<", ""])
    }

    @Test("leaving by a menu clears the digits too")
    func menu() async {
        let device = await Self.opened()
        await device.enter("123")
        await device.go(to: .addCard)
        #expect(Self.fields(await device.shown) == ["<", ""])
    }
}

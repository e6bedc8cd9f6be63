import Testing
import TouchApp

@Suite("the Pin Screen (000-2, 000-12, 000-29)")
struct PinScreenTests {
    @Test("the app begins with it, and asks for the PIN (000-12, A7)")
    func start() async {
        let device = Device()
        #expect(await device.app.display() == "Pin Screen\nEnter Pin\n[ ][ ][ ][ ]")
        let shown = await device.shown
        #expect(shown.passcode == 0)
        #expect(shown.error == nil)
        #expect(!shown.menuActive)
        #expect(shown.card == nil)
    }

    @Test("1234 opens My Cards - Main at the fourth touch (000-57, 000-58, 000-61)")
    func right() async {
        let device = Device()
        for (x, y) in [(1, 5), (2, 5), (3, 5)] {
            #expect(await device.touch(x, y).screen == "Pin Screen")
        }
        let shown = await device.touch(1, 6)
        #expect(shown.screen == "My Cards - Main")
        #expect(shown.text.hasPrefix("My Cards - Main\n$16.50"))
        #expect(shown.passcode == nil)
        #expect(shown.menuActive)
    }

    @Test("the display counts the digits and does not tell them (000-55)")
    func echo() async {
        let device = Device()
        #expect(await device.enter("9").text == "Pin Screen\nEnter Pin\n[*][ ][ ][ ]")
        #expect(await device.enter("8").text == "Pin Screen\nEnter Pin\n[*][*][ ][ ]")
        let shown = await device.enter("7")
        #expect(shown.text == "Pin Screen\nEnter Pin\n[*][*][*][ ]")
        #expect(shown.passcode == 3)
    }

    @Test("X takes one value back (000-53, 000-56)")
    func backspace() async {
        let device = Device()
        #expect(await device.enter("12").passcode == 2)
        #expect(await device.enter("X").passcode == 1)
        #expect(await device.enter("X").passcode == 0)
        #expect(await device.enter("129X34").screen == "My Cards - Main")
    }

    @Test("a wrong PIN starts anew, with an error until the next digit (000-30, 000-59, A6)")
    func wrong() async {
        let device = Device()
        var shown = await device.enter("1235")
        #expect(shown.text == "Pin Screen\nEnter Pin\n[ ][ ][ ][ ]\nInvalid Pin")
        #expect(shown.passcode == 0)
        #expect(shown.error == "Invalid Pin")
        // Nothing but a digit takes the error away.
        shown = await device.enter("X_")
        #expect(shown.error == "Invalid Pin")
        await device.touch(2, 2)
        #expect(await device.menu(1).error == "Invalid Pin")
        shown = await device.enter("1")
        #expect(shown.text == "Pin Screen\nEnter Pin\n[*][ ][ ][ ]")
        #expect(shown.error == nil)
        #expect(await device.enter("234").screen == "My Cards - Main")
    }

    @Test("wrong PINs do not lock the simulator (A9)")
    func noLock() async {
        let device = Device()
        for _ in 1...20 { #expect(await device.enter("0000").error == "Invalid Pin") }
        #expect(await device.enter("1234").screen == "My Cards - Main")
    }

    @Test(
        "rows 1 to 4, the blank key and what is beside the grid change nothing (000-40, 000-51, 000-54, A8)",
        arguments: [0, 2])
    func nothing(entered: Int) async throws {
        let device = Device()
        await device.enter(String("12".prefix(entered)))
        let before = await device.shown
        var places = everyCell.filter { $0.1 <= 4 }
        places += [(1, 8), (0, 5), (4, 5), (1, 9), (-3, 5), (Int.max, Int.min)]
        if entered == 0 { places.append((3, 8)) }
        for (number, (x, y)) in places.enumerated() {
            let (shown, effect) = try await device.app.receive(.touch(x, y), as: .test(UInt64(number)))
            #expect(effect == .ignored)
            #expect(shown == before)
        }
    }

    @Test("each key of the pad enters its own digit (000-42, 000-52)")
    func everyDigit() async {
        for digit in "0123456789" {
            let backing = ScriptedBacking()
            let app = AppController(backing: backing)
            let (x, y) = Device.key(digit)
            for _ in 1...4 { await app.touch(x, y) }
            #expect(await backing.pins == [String(repeating: digit, count: 4)])
        }
    }

    @Test("the PIN is checked once, at the fourth digit (000-58)")
    func checkedOnce() async {
        let backing = ScriptedBacking()
        let app = AppController(backing: backing)
        for (x, y) in [(1, 5), (2, 5), (3, 8), (2, 5), (3, 5)] { await app.touch(x, y) }
        #expect(await backing.pins.isEmpty)
        await app.touch(1, 6)
        #expect(await backing.pins == ["1234"])
    }

    @Test("the grid has the keys below four empty rows (000-40, 000-41)")
    func grid() async {
        #expect(
            await Device().shown.grid == [
                ["", "", ""], ["", "", ""], ["", "", ""], ["", "", ""], ["1", "2", "3"], ["4", "5", "6"],
                ["7", "8", "9"], ["_", "0", "X"]
            ])
    }
}

import Testing
import TouchApp
import TouchTerminal

@Suite("the terminal: drawing and keys")
struct TerminalTests {
    private static let escape: UInt8 = 0x1B

    private static func actions(_ texts: String...) -> [KeyAction] {
        var reader = KeyReader()
        return texts.flatMap { reader.read($0.utf8) }
    }

    @Test("the Pin Screen, drawn")
    func pin() async {
        let device = Device()
        await device.enter("0000")
        await device.enter("X")
        #expect(
            ScreenDrawing(.plain).draw(await device.shown, cursor: Cell(2, 5)) == """
                  +--------------------------------------------------------+
                  |                       Pin Screen                       |
                  +--------------------------------------------------------+
                  | Enter Pin                                              |
                  | [ ][ ][ ][ ]                                           |
                  | Invalid Pin                                            |
                  +------------------+------------------+------------------+
                1 |                  |                  |                  |
                2 |                  |                  |                  |
                3 |                  |                  |                  |
                4 |                  |                  |                  |
                5 |        1         |>       2        <|        3         |
                6 |        4         |        5         |        6         |
                7 |        7         |        8         |        9         |
                8 |        _         |        0         |        X         |
                  +------------------+------------------+------------------+

                """)
    }

    @Test("commands, menus, and lines that are too long")
    func more() async {
        let device = await Device.unlocked()
        await device.go(to: .moreOptions)
        await device.touch(1, 7)
        let drawn = ScreenDrawing(.plain).draw(await device.shown)
        #expect(drawn.contains("  | Back           My Cards - More Options       Next Card |\n"))
        #expect(drawn.contains("\n7 |                View Recent Transactions                |\n"))
        #expect(drawn.contains("\n  | F1 Cards  F2 Payments  F3 My Rewards                   |\n"))
        #expect(drawn.contains("\n  | F4 Find Starbucks  F5 Settings                         |\n"))
        let widths = Set(drawn.split(separator: "\n").map(\.count))
        #expect(widths == [60])
        #expect(!drawn.utf8.contains(Self.escape))
    }

    @Test("on every screen all lines are equally wide")
    func widths() async {
        let device = await Device.unlocked()
        for screen in ScreenName.allCases where screen != .pin {
            await device.go(to: screen)
            let drawn = ScreenDrawing(.plain).draw(await device.shown, cursor: Cell(1, 2))
            #expect(Set(drawn.split(separator: "\n").map(\.count)) == [60])
        }
    }

    @Test("colour only for a terminal: the cursor, and errors")
    func colour() async {
        let device = Device()
        let shown = await device.enter("0000")
        let drawn = ScreenDrawing(.terminal).draw(shown, cursor: Cell(1, 5))
        #expect(drawn.contains("\u{1B}[31mInvalid Pin"))
        #expect(drawn.contains("\u{1B}[7m>       1        <\u{1B}[0m"))
    }

    @Test("keys and what they ask for")
    func keys() {
        #expect(Self.actions("17x\u{7F}\u{08}") == [.label("1"), .label("7"), .label("X"), .label("X"), .label("X")])
        #expect(Self.actions("\r \n") == [.touch, .touch, .touch])
        #expect(Self.actions("q") == [.quit])
        #expect(Self.actions("?") == [.help])
        #expect(Self.actions("\u{04}") == [.quit])
        #expect(Self.actions("vla") == [.step(.scan), .step(.refresh), .step(.again)])
        #expect(Self.actions("zZ%\u{01}\u{00}") == [])
        #expect(
            Self.actions("<>,.").map(Self.written) == ["topLeftCmd()", "topRightCmd()", "topLeftCmd()", "topRightCmd()"]
        )
        #expect(Self.actions("cprfs").map(Self.written) == ["menu1()", "menu2()", "menu3()", "menu4()", "menu5()"])
    }

    private static func written(_ action: KeyAction) -> String {
        if case .step(let step) = action { step.written } else { "" }
    }

    @Test("keys that send a sequence, whole or in pieces")
    func sequences() {
        #expect(
            Self.actions("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[D") == [.move(0, -1), .move(0, 1), .move(1, 0), .move(-1, 0)])
        #expect(Self.actions("\u{1B}", "[", "A1") == [.move(0, -1), .label("1")])
        let xterm = ["\u{1B}OP", "\u{1B}OQ", "\u{1B}OR", "\u{1B}OS", "\u{1B}[15~"]
        let vt = ["\u{1B}[11~", "\u{1B}[12~", "\u{1B}[13~", "\u{1B}[14~", "\u{1B}[15~"]
        let console = ["\u{1B}[[A", "\u{1B}[[B", "\u{1B}[[C", "\u{1B}[[D", "\u{1B}[[E"]
        for keys in [xterm, vt, console] {
            #expect(
                Self.actions(keys.joined()).map(Self.written) == ["menu1()", "menu2()", "menu3()", "menu4()", "menu5()"]
            )
        }
    }

    @Test("an unknown sequence is dropped, and the keys after it count")
    func unknownSequence() {
        #expect(Self.actions("\u{1B}", "\u{1B}[A") == [.move(0, -1)])
        #expect(Self.actions("\u{1B}[Zq") == [.quit])
        // Escape, then a key: the key is taken for a part of a sequence.
        #expect(Self.actions("\u{1B}q", "q") == [.quit])
    }

    private static func cells(_ moves: [(Int, Int)], _ cursor: inout Cursor, on display: Display) -> [Cell?] {
        moves.map { x, y in
            #expect(cursor.step(for: .move(x, y), on: display) == nil)
            return cursor.cell(on: display)
        }
    }

    @Test("the cursor begins on the main button of each screen")
    func cursorStarts() async {
        let device = Device()
        var cursor = Cursor()
        #expect(cursor.cell(on: await device.shown) == Cell(1, 5))
        await device.enter("1234")
        #expect(cursor.cell(on: await device.shown) == Cell(3, 3))
        #expect(cursor.step(for: .touch, on: await device.shown) == .input(.touch(3, 3), written: "touch(3,3)"))
        await device.go(to: .pay)
        #expect(cursor.cell(on: await device.shown)?.y == 2)
        await device.go(to: .options)
        #expect(cursor.cell(on: await device.shown)?.y == 5)
        await device.go(to: .paymentSetup)
        #expect(cursor.cell(on: await device.shown) == nil)
        #expect(cursor.step(for: .touch, on: await device.shown) == nil)
    }

    @Test("the cursor walks over buttons only, whatever is between them")
    func cursorWalks() async {
        let device = Device()
        var cursor = Cursor()
        var shown = await device.shown
        let (left, right, up, down) = ((-1, 0), (1, 0), (0, -1), (0, 1))
        #expect(
            Self.cells([up, left, right, right, right, down, down, down, left, left], &cursor, on: shown) == [
                Cell(1, 5), Cell(1, 5), Cell(2, 5), Cell(3, 5), Cell(3, 5), Cell(3, 6), Cell(3, 7), Cell(3, 8),
                Cell(2, 8), Cell(1, 7)
            ])
        #expect(cursor.step(for: .label("5"), on: shown) == .input(.touch(2, 6), written: "touch(2,6)"))
        #expect(cursor.step(for: .label("A"), on: shown) == nil)
        // Pay and Options lie in no common row or column.
        await device.enter("1234")
        shown = await device.shown
        #expect(
            Self.cells([right, down, down, up, left, right], &cursor, on: shown)
                == [Cell(3, 3), Cell(2, 4), Cell(2, 4), Cell(3, 3), Cell(2, 4), Cell(3, 3)])
        // Buttons as wide as the screen: left and right lead nowhere.
        await device.go(to: .options)
        shown = await device.shown
        #expect(
            Self.cells([right, down, left, down, down, up], &cursor, on: shown).map { $0?.y } == [5, 6, 6, 7, 7, 6])
    }

    @Test("the demo profile is the process's shared device (000-105)")
    func shared() async {
        let session = TouchSession(MemoryDevice(.demo))
        let before = await AppController.shared.shown
        #expect(await session.shown == before)
        #expect(await TouchSession(MemoryDevice(.noCard)).shown.screen == "Pin Screen")
    }
}

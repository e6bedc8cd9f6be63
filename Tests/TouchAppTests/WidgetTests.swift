import Testing
import TouchApp

@Suite("widgets and the chain of a screen")
struct WidgetTests {
    /// Screen, key pad, key.
    static let keys: [(screen: (Int, Int), pad: (Int, Int), key: Key)] = [
        ((1, 5), (1, 1), .digit(1)),  // 000-42
        ((2, 5), (2, 1), .digit(2)),  // 000-43
        ((3, 5), (3, 1), .digit(3)),  // 000-44
        ((1, 6), (1, 2), .digit(4)),  // 000-45
        ((2, 6), (2, 2), .digit(5)),  // 000-46
        ((3, 6), (3, 2), .digit(6)),  // 000-47
        ((1, 7), (1, 3), .digit(7)),  // 000-48
        ((2, 7), (2, 3), .digit(8)),  // 000-49
        ((3, 7), (3, 3), .digit(9)),  // 000-50
        ((1, 8), (1, 4), .blank),  // 000-51
        ((2, 8), (2, 4), .digit(0)),  // 000-52
        ((3, 8), (3, 4), .backspace)  // 000-53
    ]

    @Test("the key pad's own coordinates")
    func keyPad() {
        for (_, (x, y), key) in Self.keys { #expect(KeyPad.keyPress(x, y) == key) }
        for (x, y) in [(0, 1), (4, 1), (1, 0), (1, 5), (-1, -1), (.max, .min), (.min, .max)] {
            #expect(KeyPad.keyPress(x, y) == nil)
        }
    }

    @Test("a frame adapts the screen's coordinates to the widget's (000-25, 000-41, 000-107)")
    func adapter() throws {
        let frame = WidgetFrame(x: 1, y: 5, columns: 3, rows: 4)
        for (x, y) in everyCell {
            let local = frame.local(try #require(Cell(x, y)))
            if y < 5 {
                #expect(local == nil)
            } else {
                #expect(try #require(local) == (x, y - 4))
            }
        }
        let inset = WidgetFrame(x: 2, y: 3, columns: 1, rows: 2)
        #expect(inset.local(try #require(Cell(2, 4))).map { "\($0.x),\($0.y)" } == "1,2")
        #expect(inset.local(try #require(Cell(1, 4))) == nil)
        #expect(inset.local(try #require(Cell(2, 5))) == nil)
    }

    @Test("the key pad's link converts touches over it and passes on others (000-108)")
    func keyPadReceiver() throws {
        let link = KeyPadReceiver { $0 }
        for (screen, _, key) in Self.keys {
            #expect(link.meaning(of: try #require(Cell(screen.0, screen.1))) == key)
        }
        for (x, y) in everyCell where y < 5 { #expect(link.meaning(of: try #require(Cell(x, y))) == nil) }
    }

    @Test("the passcode display's link ignores every touch (000-108)")
    func passcodeReceiver() throws {
        let link = PasscodeReceiver<Key>()
        for (x, y) in everyCell {
            let cell = try #require(Cell(x, y))
            #expect(link.meaning(of: cell) == nil && link.label(of: cell) == nil)
        }
    }

    @Test("a chain asks its links in their order, and the first whose touch it is takes it (000-106)")
    func chain() throws {
        let chain = TouchChain<String>(
            PasscodeReceiver(), Button(x: 2, y: 2, "one", "first"), Button(row: 2, "two", "second"))
        #expect(chain.meaning(of: try #require(Cell(2, 2))) == "first")
        #expect(chain.meaning(of: try #require(Cell(1, 2))) == "second")
        #expect(chain.meaning(of: try #require(Cell(1, 1))) == nil)
        #expect(chain.grid[1] == ["two", "one", "two"])
        #expect(chain.grid.count == 8 && chain.grid.allSatisfy { $0.count == 3 })
    }

    @Test("the Pin Screen and the Add Card Screen chain their widgets (000-106)")
    func chains() throws {
        for (screen, _, key) in Self.keys {
            let cell = try #require(Cell(screen.0, screen.1))
            #expect(PinScreen.chain.meaning(of: cell) == key)
            #expect(AddCardScreen.chain.meaning(of: cell) == .key(key))
            #expect(PinScreen.chain.label(of: cell) == key.label)
        }
    }

    @Test("a screen has 3 columns and 8 rows (000-40); beside them there is no cell (A8)")
    func cells() {
        #expect(Cell.all.count == 24)
        #expect(Cell.all.map { "\($0.x),\($0.y)" } == everyCell.map { "\($0.0),\($0.1)" })
        for (x, y) in [(0, 1), (4, 1), (1, 0), (1, 9), (-1, 5), (.max, .max), (.min, .min)] {
            #expect(Cell(x, y) == nil)
        }
    }
}

import BarCode
import Testing
import TouchApp
import TouchTerminal

@Suite("the terminal: a whole page")
struct TerminalPageTests {
    private static let least = TerminalPage.Size(columns: 80, rows: 24)

    /// Without the codes that colour it.
    private static func plain(_ line: String) -> String { line.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

    @Test("fits into 80 columns and 24 rows on every screen, with a row for what is said")
    func fits() async {
        let device = await Device.unlocked()
        for screen in ScreenName.allCases where screen != .pin {
            await device.go(to: screen)
            let lines = TerminalPage(Self.least).lines(await device.shown, cursor: nil, said: "scanned, paid $1.50")
            #expect(lines.count <= 24)
            #expect(lines.allSatisfy { Self.plain($0).count <= 80 })
            #expect(lines.contains { $0.contains("(scanned, paid $1.50)") })
        }
    }

    @Test("leaves empty rows out, then the last lines, where there is not room for all")
    func long() async {
        let device = await Device.unlocked()
        await device.go(to: .pay)
        for _ in 1...9 { await device.touch(1, 2) }
        await device.go(to: .moreOptions)
        await device.touch(1, 7)
        let display = await device.shown
        #expect(display.lines.count > 10)
        let tall = TerminalPage(.init(columns: 80, rows: 60)).lines(display, cursor: nil, said: "")
        #expect(tall.count { $0.contains("Payment $") } == display.lines.count { $0.contains("Payment $") })
        #expect(tall.contains { $0.hasPrefix("1 |") })
        let low = TerminalPage(Self.least).lines(display, cursor: nil, said: "")
        #expect(low.count <= 24 && !low.contains { $0.hasPrefix("1 |") } && low.contains { $0.hasPrefix("7 |") })
        let lowest = TerminalPage(Self.least).lines(display, cursor: nil, said: "repeated")
        #expect(lowest.count <= 24 && lowest.contains { $0.contains("more: a taller terminal") })
    }

    @Test("has the pay code beside the phone, module by module, with the light border that scanners need")
    func payCode() async throws {
        let device = await Device.unlocked()
        await device.go(to: .pay)
        let display = await device.shown
        let payCode = try #require(display.payCode)
        let code = try #require(BarCode(payCode.code, correction: .low))
        let side = code.size + 2 * BarCode.quietZone
        let lines = TerminalPage(Self.least).lines(display, cursor: nil, said: "")
        let drawn: [[Character]] = lines.compactMap { line in
            line.firstRange(of: "\u{1B}[30;107m").map { Array(line[$0.upperBound...].dropLast(4)) }
        }
        #expect(drawn.count == (side + 1) / 2 && drawn.allSatisfy { $0.count == side })
        for y in 0..<side {
            for x in 0..<side {
                let isDark = (y.isMultiple(of: 2) ? "█▀" : "█▄").contains(drawn[y / 2][x])
                let (column, row) = (x - BarCode.quietZone, y - BarCode.quietZone)
                let isInside = (0..<code.size).contains(column) && (0..<code.size).contains(row)
                #expect(isDark == (isInside && code.modules[row][column]))
            }
        }
    }

    @Test("has room for the code of a running set, and shortens its text")
    func longCode() async throws {
        let code = String(repeating: "Aq1-", count: 24) + "Zz"
        let symbol = try #require(BarCode(code, correction: .low))
        let side = symbol.size + 2 * BarCode.quietZone
        #expect(35 + side <= 80 && (side + 1) / 2 <= 24)
        let device = await Device.unlocked()
        let said = "scanned \(code), paid $1.50"
        let lines = TerminalPage(Self.least).lines(await device.shown, cursor: nil, said: said)
        #expect(lines.contains { $0.hasPrefix("(scanned Aq1-Aq1-Aq1-…") })
    }

    @Test(
        "says which size is needed where the terminal is too small",
        arguments: [(40, 12), (79, 24), (80, 23), (1, 1)])
    func tooSmall(columns: Int, rows: Int) async {
        let page = TerminalPage(.init(columns: columns, rows: rows))
        let lines = page.lines(await Device().shown, cursor: nil, said: "")
        #expect(lines.count <= rows && lines.allSatisfy { $0.count <= columns })
        if columns >= 40 {
            let words = lines.map { $0 }.joined()
            #expect(words.contains("This terminal has \(columns) columns and \(rows) rows"))
            #expect(words.contains("needs 80 and 24"))
        }
        #expect(page.help == lines)
    }
}

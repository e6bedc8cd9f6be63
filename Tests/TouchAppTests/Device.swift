import Primitives
import Testing
import TouchApp

/// A controller over a backing in memory, driven as a person would.
struct Device {
    let app: AppController
    let backing: MemoryBacking

    init(_ profile: MemoryBacking.Profile = .demo, rules: AppRules = .standard) {
        backing = MemoryBacking(profile)
        app = AppController(backing: backing, rules: rules)
    }

    /// A device on which the PIN has been entered.
    static func unlocked(_ profile: MemoryBacking.Profile = .demo) async -> Device {
        let device = Device(profile)
        await device.enter("1234")
        return device
    }

    var shown: Display { get async { await app.shown } }
    var screen: String { get async { await app.shown.screen } }

    @discardableResult
    func touch(_ x: Int, _ y: Int) async -> Display { await app.touch(x, y) }

    /// Touches the key pad, which lies alike on both screens that have it.
    @discardableResult
    func enter(_ digits: String) async -> Display {
        for digit in digits {
            let (x, y) = Self.key(digit)
            await app.touch(x, y)
        }
        return await app.shown
    }

    static func key(_ digit: Character) -> (Int, Int) {
        let places: [Character: (Int, Int)] = [
            "1": (1, 5), "2": (2, 5), "3": (3, 5), "4": (1, 6), "5": (2, 6), "6": (3, 6), "7": (1, 7), "8": (2, 7),
            "9": (3, 7), "_": (1, 8), "0": (2, 8), "X": (3, 8)
        ]
        return places[digit] ?? (0, 0)
    }

    @discardableResult
    func menu(_ number: Int) async -> Display {
        switch number {
        case 1: await app.menu1()
        case 2: await app.menu2()
        case 3: await app.menu3()
        case 4: await app.menu4()
        default: await app.menu5()
        }
    }

    /// From anywhere after the PIN.
    func go(to screen: ScreenName) async {
        switch screen {
        case .pin: await app.lock()
        case .main: await app.menu1()
        case .pay:
            await app.menu1()
            await app.touch(3, 3)
        case .options:
            await app.menu1()
            await app.touch(2, 4)
        case .moreOptions:
            await go(to: .options)
            await app.touch(2, 7)
        case .paymentSetup: await app.menu2()
        case .rewardsSetup: await app.menu3()
        case .findStores: await app.menu4()
        case .settings: await app.menu5()
        case .addCard:
            await app.menu5()
            await app.touch(2, 2)
        }
        #expect(await self.screen == screen.rawValue)
    }

    /// Adds a card of which only the last digits matter.
    func addCard(_ lastFour: String) async {
        await go(to: .addCard)
        await enter("400000000000" + lastFour)
        await touch(2, 4)
        await enter("12345678")
        await app.topRightCmd()
    }

    func balance() async throws -> Money? { try await backing.currentCard()?.balance }
}

extension TouchID {
    static func test(_ number: UInt64) -> TouchID { TouchID(high: 0xF00D, low: number) }
}

/// All places of a screen.
let everyCell: [(Int, Int)] = (1...8).flatMap { y in (1...3).map { ($0, y) } }

import Primitives
import Testing
import TouchApp

@Suite("one controller for each device")
struct ControllerTests {
    @Test("the process has one shared controller for its single user (000-105, A23)")
    func shared() async {
        #expect(AppController.shared === AppController.shared)
        await AppController.shared.touch(1, 5)
        #expect(await AppController.shared.shown.passcode == 1)
        await AppController.shared.touch(3, 8)
        #expect(await AppController.shared.shown.screen == "Pin Screen")
    }

    @Test("devices know nothing of each other (A23)")
    func apart() async {
        let (one, other) = (Device(), Device())
        await one.enter("1234")
        #expect(await one.screen == "My Cards - Main")
        #expect(await other.screen == "Pin Screen")
        #expect(await other.shown.passcode == 0)
    }

    @Test("two devices of one customer show one balance, after each looks")
    func twoDevices() async throws {
        let backing = MemoryBacking(.demo)
        let (one, other) = (AppController(backing: backing), AppController(backing: backing))
        for app in [one, other] {
            for digit in "1234" {
                let (x, y) = Device.key(digit)
                await app.touch(x, y)
            }
        }
        await one.touch(3, 3)
        await one.touch(2, 2)
        #expect(await other.shown.words == "$16.50")
        #expect(await other.refresh().words == "$15.00")
    }

    @Test("looking again before the PIN asks nobody and shows the same")
    func refreshLocked() async throws {
        let device = await FailingDevice(unlocked: false)
        let before = await device.enter("1")
        #expect(await device.app.refresh() == before)
        #expect(await device.backing.reads == 0)
    }

    @Test("looking again keeps what was told, and what was entered")
    func refreshKeeps() async throws {
        let device = await Device.unlocked()
        await device.go(to: .addCard)
        let before = await device.enter("12")
        #expect(await device.app.refresh() == before)
        await device.app.topRightCmd()
        #expect(await device.app.refresh().error == "Card ID needs 16 digits")
        await device.go(to: .options)
        await device.touch(1, 5)
        #expect(await device.app.refresh().notice == "Reloaded $10.00. Balance $26.50")
    }

    @Test("looking again reads the transactions anew while they are shown")
    func refreshTransactions() async throws {
        let device = await Device.unlocked()
        await device.go(to: .moreOptions)
        #expect(await device.app.refresh().transactions == nil)
        await device.touch(1, 7)
        _ = try await device.backing.reload(
            ReloadOrder(operation: OperationID(high: 9, low: 9), card: nil, amount: Money(5)))
        let shown = await device.app.refresh()
        #expect(shown.transactions?.count == 2)
        #expect(shown.card?.balance == Money(1655))
    }

    @Test("what cannot be read when looking again stays, without a word; an ended PIN shows")
    func refreshFails() async throws {
        let device = await FailingDevice()
        let before = await device.app.shown
        await device.backing.fail(.unavailable)
        #expect(await device.app.refresh() == before)
        await device.backing.fail(.pinRequired)
        #expect(await device.app.refresh().screen == "Pin Screen")
    }

    @Test("refreshes that come while one waits are one")
    func refreshOnce() async throws {
        let device = await FailingDevice()
        await device.app.touch(3, 3)
        await device.backing.hold()
        let payment = Task { await device.app.touch(2, 2) }
        await device.backing.untilHeld()
        let before = await device.backing.reads
        let waiting = Task { await device.app.refresh() }
        while await device.app.waitingCount < 1 { await Task.yield() }
        for _ in 1...50 { #expect(await device.app.refresh().card?.balance == Money(1650)) }
        #expect(await device.app.waitingCount == 1)
        await device.backing.release()
        _ = await payment.value
        #expect(await waiting.value.card?.balance == Money(1500))
        #expect(await device.backing.reads == before + 1)
        #expect(await device.app.refresh().card?.balance == Money(1500))
        #expect(await device.backing.reads == before + 2)
    }

    @Test("a locked device asks for the PIN and shows nothing of the customer")
    func lock() async throws {
        let device = await Device.unlocked()
        let shown = await device.app.lock()
        #expect(shown.text == "Pin Screen\nEnter Pin\n[ ][ ][ ][ ]")
        #expect(shown.card == nil && !shown.menuActive)
        #expect(await device.menu(1).screen == "Pin Screen")
        #expect(await device.enter("1234").screen == "My Cards - Main")
    }

    @Test("a device's state is a small value: below 256 bytes")
    func size() { #expect(MemoryLayout<App>.size < 256, "\(MemoryLayout<App>.size)") }
}

import Primitives
import Testing
import TouchApp

/// A controller over a backing that fails when it is told to.
struct FailingDevice {
    let backing = ScriptedBacking()
    let app: AppController

    init(unlocked: Bool = true) async {
        app = AppController(backing: backing)
        if unlocked { await enter("1234") }
    }

    @discardableResult
    func enter(_ digits: String) async -> Display {
        for digit in digits {
            let (x, y) = Device.key(digit)
            await app.touch(x, y)
        }
        return await app.shown
    }
}

@Suite("failures are shown, and change nothing else")
struct FailureTests {
    @Test(
        "a PIN that is refused or cannot be checked: what, and from the start (000-59, A9)",
        arguments: [
            (BackingError.wrongPIN(), "Invalid Pin"), (.pinDelayed(seconds: 30), "Too many Pins. Wait 30 s"),
            (.pinLocked, "Pin locked"), (.pinNotSet, "No Pin set"),
            (.unavailable, "Service unavailable. The Pin was not checked. Try again"),
            (.unknown, "No answer. Try again"), (.pinRequired, "Enter the Pin again")
        ])
    func pin(error: BackingError, text: String) async {
        let device = await FailingDevice(unlocked: false)
        await device.backing.fail(error)
        let shown = await device.enter("1234")
        #expect(shown.text == "Pin Screen\nEnter Pin\n[ ][ ][ ][ ]\n\(text)")
        #expect(shown.error == text)
        await device.backing.fail(nil)
        #expect(await device.enter("1234").screen == "My Cards - Main")
    }

    @Test("while the wallet is down: menus work, the balance stays as it was, and the error is told")
    func down() async {
        let device = await FailingDevice()
        await device.backing.fail(.unavailable)
        #expect(await device.app.menu5().error == nil)
        let shown = await device.app.menu1()
        #expect(shown.text == "My Cards - Main\n$16.50\nCard 1234\nService unavailable. Try again")
        await device.backing.fail(nil)
        #expect(await device.app.menu1().text == "My Cards - Main\n$16.50\nCard 1234")
    }

    @Test("while the wallet is down from the first, the balance is unknown and not zero")
    func unknownBalance() async throws {
        let device = await FailingDevice(unlocked: false)
        await device.backing.fail(.unavailable, sparing: true)
        let shown = await device.enter("1234")
        #expect(shown.text == "My Cards - Main\nBalance unknown\nService unavailable. Try again")
        #expect(shown.card == nil)
        await device.backing.fail(nil)
        #expect(await device.app.refresh().words == "$16.50")
    }

    @Test(
        "a payment that was refused: nothing is paid, and the next touch is a payment of its own (000-20)",
        arguments: [
            (BackingError.unavailable, "Service unavailable. Nothing was paid. Try again"),
            (.insufficientFunds, "Insufficient funds"), (.noCard, "No card"),
            (.paymentsDisabled, "Payments disabled"), (.refused, "Refused. Nothing was paid")
        ])
    func refused(error: BackingError, text: String) async throws {
        let device = await FailingDevice()
        await device.app.touch(3, 3)
        await device.backing.fail(error)
        let shown = await device.app.touch(2, 2)
        #expect(shown.error == text)
        #expect(shown.receipt == nil)
        #expect(shown.card?.balance == Money(1650))
        await device.backing.fail(nil)
        #expect(await device.app.touch(2, 2).notice == "Paid $1.50. Balance $15.00")
        let payments = await device.backing.payments
        #expect(payments.count == 2 && payments[0].operation != payments[1].operation)
    }

    @Test("a payment without an answer is asked for again under its id: paid once, whether or not it had been")
    func unknown() async throws {
        for paid in [true, false] {
            let device = await FailingDevice()
            await device.app.touch(3, 3)
            if paid {
                await device.backing.fail(.unknown, afterDoing: true)
            } else {
                await device.backing.fail(.unknown)
            }
            var shown = await device.app.touch(2, 2)
            #expect(shown.error == "Payment not confirmed. Touch again: it is paid once")
            #expect(shown.receipt == nil)
            // Still nobody knows: now the services are down.
            await device.backing.fail(.unavailable)
            #expect(await device.app.touch(1, 2).error == "Payment not confirmed. Touch again: it is paid once")
            await device.backing.fail(nil)
            shown = await device.app.touch(3, 2)
            #expect(
                shown.notice
                    == (paid ? "Paid $1.50 before, nothing charged now" : "Paid $1.50. Balance $15.00"))
            #expect(shown.receipt?.balance == Money(1500))
            #expect(Set(await device.backing.payments.map(\.operation)).count == 1)
            #expect(try await device.backing.balance() == Money(1500))
            // From now on a touch is a new payment.
            #expect(await device.app.touch(3, 2).notice == "Paid $1.50. Balance $13.50")
        }
    }

    @Test("a refusal settles a payment that was not confirmed: the next touch is a new one (A17)")
    func unknownThenRefused() async throws {
        let device = await FailingDevice()
        await device.app.touch(3, 3)
        await device.backing.fail(.unknown)
        await device.app.touch(2, 2)
        await device.backing.fail(.insufficientFunds)
        #expect(await device.app.touch(2, 2).error == "Insufficient funds")
        await device.backing.fail(nil)
        #expect(await device.app.touch(2, 2).notice == "Paid $1.50. Balance $15.00")
        let operations = await device.backing.payments.map(\.operation)
        #expect(operations.count == 3 && operations[0] == operations[1] && operations[1] != operations[2])
    }

    @Test("an unconfirmed payment outlives other screens, and pays with the card that it began with")
    func unknownElsewhere() async throws {
        let device = await FailingDevice()
        await device.app.touch(3, 3)
        await device.backing.fail(.unknown)
        await device.app.touch(2, 2)
        await device.backing.fail(nil)
        await device.app.menu5()
        await device.app.touch(2, 2)
        await device.enter("1111222233334444")
        await device.app.touch(2, 4)
        await device.enter("12345678")
        await device.app.topRightCmd()
        await device.app.lock()
        await device.enter("1234")
        await device.app.touch(3, 3)
        let shown = await device.app.touch(2, 2)
        #expect(shown.receipt?.lastFour == "1234")
        #expect(shown.card?.lastFour == "4444")
        #expect(shown.card?.balance == Money(1650))
        #expect(Set(await device.backing.payments.map(\.operation)).count == 1)
    }

    @Test("a reload without an answer is made once")
    func unknownReload() async throws {
        let device = await FailingDevice()
        await device.app.touch(2, 4)
        await device.backing.fail(.unknown, afterDoing: true)
        #expect(await device.app.touch(1, 5).error == "Reload not confirmed. Touch again: it is reloaded once")
        await device.backing.fail(nil)
        #expect(await device.app.touch(1, 5).notice == "Reloaded $10.00 once")
        #expect(await device.app.shown.card?.balance == Money(2650))
        #expect(try await device.backing.balance() == Money(2650))
        #expect(await device.app.touch(1, 5).notice == "Reloaded $10.00. Balance $36.50")
    }

    @Test("a card without an answer is added once; with other digits it is another card")
    func unknownCard() async throws {
        let device = await FailingDevice()
        await device.app.menu5()
        await device.app.touch(2, 2)
        await device.enter("1111222233334444")
        await device.app.touch(2, 4)
        await device.enter("12345678")
        await device.backing.fail(.unknown, afterDoing: true)
        let shown = await device.app.topRightCmd()
        #expect(shown.screen == "Add Card Screen")
        #expect(shown.error == "Card not confirmed. Add again: it is added once")
        await device.enter("X9")
        await device.app.topRightCmd()
        await device.backing.fail(nil)
        await device.enter("X8")
        let orders = await device.backing.cardOrders
        #expect(orders.count == 2 && orders[0].operation != orders[1].operation)
        #expect(try await device.backing.cardCount() == 2)
    }

    @Test("the same card submitted again after no answer is added under its first id")
    func unknownCardAgain() async throws {
        let device = await FailingDevice()
        await device.app.menu5()
        await device.app.touch(2, 2)
        await device.enter("1111222233334444")
        await device.app.touch(2, 4)
        await device.enter("12345678")
        await device.backing.fail(.unknown, afterDoing: true)
        await device.app.topRightCmd()
        await device.backing.fail(nil)
        #expect(await device.app.topRightCmd().text == "My Cards - Main\n$16.50\nCard 4444\nAdded card 4444")
        #expect(try await device.backing.cardCount() == 2)
    }

    @Test("a locked device forgets the digits of a card that was not confirmed")
    func lockedCard() async throws {
        let device = await FailingDevice()
        await device.app.menu5()
        await device.app.touch(2, 2)
        await device.enter("1111222233334444")
        await device.app.touch(2, 4)
        await device.enter("12345678")
        await device.backing.fail(.unknown)
        try await device.app.receive(.topRight, as: .test(1))
        await device.backing.fail(nil)
        await device.app.lock()
        #expect(try await device.app.receive(.topRight, as: .test(1)).display.screen == "Pin Screen")
        #expect(await device.backing.cardOrders.count == 1)
    }

    @Test("when the PIN no longer counts, the app asks for it, whatever was touched")
    func pinRequired() async throws {
        let device = await FailingDevice()
        await device.app.touch(3, 3)
        await device.backing.fail(.pinRequired)
        let shown = await device.app.touch(2, 2)
        #expect(shown.text == "Pin Screen\nEnter Pin\n[ ][ ][ ][ ]\nEnter the Pin again")
        #expect(!shown.menuActive)
        #expect(shown.card == nil)
        await device.backing.fail(nil)
        #expect(try await device.backing.balance() == Money(1650))
        #expect(await device.enter("1234").words == "$16.50")
    }

    @Test("what this set does not offer is said so")
    func notOffered() async {
        let device = await FailingDevice()
        await device.backing.fail(.notOffered)
        #expect(await device.app.menu3().text == "Rewards Setup\nMake Every Visit Count")
        #expect(await device.app.topRightCmd().error == "Not offered here")
        await device.app.menu4()
        #expect(
            await device.app.topRightCmd().text == "Find Starbucks\nGoogle Map of Local Starbucks\nNot offered here")
    }

    @Test("a setting that could not be changed stays (A18)")
    func setting() async {
        let device = await FailingDevice()
        #expect(await device.app.menu2().paymentsEnabled == true)
        await device.backing.fail(.unavailable)
        let shown = await device.app.topLeftCmd()
        #expect(shown.error == "Service unavailable. Nothing was changed. Try again")
        #expect(shown.paymentsEnabled == true)
    }

    @Test("an error goes with the next touch that means something, and not with one that means nothing")
    func errorGoes() async {
        let device = await FailingDevice()
        await device.app.touch(3, 3)
        await device.backing.fail(.insufficientFunds)
        await device.app.touch(2, 2)
        await device.backing.fail(nil)
        #expect(await device.app.touch(1, 1).error == "Insufficient funds")
        #expect(await device.app.touch(3, 3).error == nil)
    }
}

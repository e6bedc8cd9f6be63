import Primitives
import Testing
import TouchApp

@Suite("one touch is taken once, one after another")
struct OneTouchTests {
    @Test("a payment's touch sent again pays once (A1)")
    func payment() async throws {
        let device = await FailingDevice()
        await device.app.touch(3, 3)
        let first = try await device.app.receive(.touch(2, 2), as: .test(1))
        #expect(first.effect == .done)
        for _ in 1...5 {
            let again = try await device.app.receive(.touch(2, 2), as: .test(1))
            #expect(again.effect == .repeated)
            #expect(again.display == first.display)
        }
        #expect(await device.backing.payments.map(\.operation) == [TouchID.test(1).reinterpreted()])
        #expect(try await device.app.receive(.touch(2, 2), as: .test(2)).display.notice == "Paid $1.50. Balance $13.50")
    }

    @Test("a touch that is cancelled has been taken, or never will be")
    func cancelled() async throws {
        let device = await FailingDevice()
        await device.app.touch(3, 3)
        try await device.app.receive(.touch(2, 2), as: .test(1))
        #expect(try await device.app.cancel(.test(1)).effect == .repeated)
        #expect(try await device.app.cancel(.test(2)).effect == .cancelled)
        #expect(try await device.app.receive(.touch(2, 2), as: .test(2)).effect == .repeated)
        #expect(try await device.app.cancel(.test(2)).effect == .repeated)
        #expect(await device.backing.payments.count == 1)
    }

    @Test("a touch that is cancelled while it is carried out has been taken; where too many wait, nothing is cancelled")
    func cancelledMeanwhile() async throws {
        let device = await FailingDevice()
        await device.app.touch(3, 3)
        await device.backing.hold()
        async let paid = device.app.receive(.touch(2, 2), as: .test(1))
        await device.backing.untilHeld()
        async let cancelled = device.app.cancel(.test(1))
        await device.backing.release()
        #expect(try await paid.effect == .done)
        #expect(try await cancelled.effect == .repeated)
        #expect(await device.backing.payments.count == 1)
    }

    @Test("a digit's touch sent again is one digit")
    func digit() async throws {
        let device = await FailingDevice(unlocked: false)
        for _ in 1...3 { try await device.app.receive(.touch(1, 5), as: .test(1)) }
        #expect(await device.app.shown.passcode == 1)
    }

    @Test("a repeat shows what is now, even on another screen, and touches nothing there")
    func late() async throws {
        let device = await FailingDevice()
        await device.app.touch(3, 3)
        try await device.app.receive(.touch(2, 2), as: .test(1))
        await device.app.menu5()
        let again = try await device.app.receive(.touch(2, 2), as: .test(1))
        #expect(again.display.screen == "Settings Screen")
        #expect(again.effect == .repeated)
    }

    @Test("a repeat while the outcome is not known finds it out, from any screen")
    func unknown() async throws {
        let device = await FailingDevice()
        await device.app.touch(3, 3)
        await device.backing.fail(.unknown, afterDoing: true)
        try await device.app.receive(.touch(2, 2), as: .test(1))
        await device.app.menu5()
        await device.backing.fail(nil)
        let again = try await device.app.receive(.touch(2, 2), as: .test(1))
        #expect(again.display.notice == "Paid $1.50 before, nothing charged now")
        #expect(again.display.screen == "Settings Screen")
        #expect(try await device.backing.balance() == Money(1500))
        try await device.app.receive(.touch(2, 2), as: .test(1))
        #expect(await device.backing.payments.count == 2)
    }

    @Test("an id used for another touch is refused")
    func reused() async throws {
        let device = await FailingDevice()
        try await device.app.receive(.menu(.second), as: .test(1))
        let before = await device.app.shown
        await #expect(throws: AppController.Refusal.touchReused) {
            try await device.app.receive(.menu(.third), as: .test(1))
        }
        #expect(await device.app.shown == before)
    }

    @Test("which digits were touched is not kept with their ids")
    func secrets() async throws {
        let device = await FailingDevice(unlocked: false)
        try await device.app.receive(.touch(1, 5), as: .test(1))
        let again = try await device.app.receive(.touch(2, 5), as: .test(1))
        #expect(again.effect == .repeated)
        #expect(again.display.passcode == 1)
    }

    @Test("the last 16 touches are remembered")
    func memory() async throws {
        let device = await FailingDevice()
        for number: UInt64 in 1...17 { try await device.app.receive(.menu(.fifth), as: .test(number)) }
        for number: UInt64 in 2...17 {
            #expect(try await device.app.receive(.menu(.fifth), as: .test(number)).effect == .repeated)
        }
        #expect(try await device.app.receive(.menu(.fifth), as: .test(1)).effect == .done)
    }

    @Test("two touches in flight: the second waits for the first, and the first's repeat too")
    func inFlight() async throws {
        let device = await FailingDevice()
        await device.app.touch(3, 3)
        await device.backing.hold()
        let first = Task { try await device.app.receive(.touch(2, 2), as: .test(1)) }
        await device.backing.untilHeld()
        // What is shown meanwhile is the state before.
        #expect(await device.app.shown.receipt == nil)
        #expect(await device.app.shown.card?.balance == Money(1650))
        let others = (2...5).map { number in
            Task { try await device.app.receive(.touch(2, 2), as: .test(number)) }
        }
        let again = Task { try await device.app.receive(.touch(2, 2), as: .test(1)) }
        while await device.app.waitingCount < 5 { await Task.yield() }
        await device.backing.release()
        #expect(try await first.value.display.notice == "Paid $1.50. Balance $15.00")
        for other in others { #expect(try await other.value.effect == .done) }
        #expect(try await again.value.effect == .repeated)
        #expect(await device.backing.payments.count == 5)
        #expect(await device.backing.runningMost == 1)
        #expect(try await device.backing.balance() == Money(900))
        #expect(await device.app.shown.card?.balance == Money(900))
    }

    @Test("no more than so many wait; the others are refused and change nothing")
    func busy() async throws {
        let backing = ScriptedBacking()
        var rules = AppRules()
        rules.waitingMax = 3
        let app = AppController(backing: backing, rules: rules)
        for digit in "123" {
            let (x, y) = Device.key(digit)
            await app.touch(x, y)
        }
        await backing.hold()
        let first = Task { try await app.receive(.touch(1, 6), as: .test(1)) }
        await backing.untilHeld()
        // Ten more: whatever their order, three wait and seven are refused at once.
        let outcomes = await withTaskGroup { group in
            for number: UInt64 in 2...11 {
                group.addTask {
                    do { return try await app.receive(.menu(.fifth), as: .test(number)).effect.rawValue } catch {
                        return "\(error)"
                    }
                }
            }
            var outcomes: [String] = []
            for await outcome in group {
                outcomes.append(outcome)
                if outcomes.count == 7 { await backing.release() }
            }
            return outcomes
        }
        #expect(outcomes.prefix(7).allSatisfy { $0 == "busy" })
        #expect(outcomes.suffix(3).allSatisfy { $0 == "done" })
        #expect(try await first.value.display.screen == "My Cards - Main")
        // There is room again.
        #expect(try await app.receive(.menu(.second), as: .test(99)).effect == .done)
    }

    @Test("touches that wait are taken in the order in which they came")
    func order() async throws {
        let device = await FailingDevice(unlocked: false)
        await device.enter("123")
        await device.backing.hold()
        let pin = Task { try await device.app.receive(.touch(1, 6), as: .test(1)) }
        await device.backing.untilHeld()
        // Sent one behind another by one task each, which the controller has seen before the next is made.
        let settings = Task { try await device.app.receive(.menu(.fifth), as: .test(2)) }
        while await device.app.waitingCount < 1 { await Task.yield() }
        let add = Task { try await device.app.receive(.touch(1, 2), as: .test(3)) }
        while await device.app.waitingCount < 2 { await Task.yield() }
        let digit = Task { try await device.app.receive(.touch(3, 7), as: .test(4)) }
        while await device.app.waitingCount < 3 { await Task.yield() }
        await device.backing.release()
        #expect(try await pin.value.display.screen == "My Cards - Main")
        #expect(try await settings.value.display.screen == "Settings Screen")
        #expect(try await add.value.display.screen == "Add Card Screen")
        #expect(try await digit.value.display.fields?.first?.digits == "9")
    }
}

import Primitives
import TouchApp

/// One person at one device in memory: sends it inputs, and tells in words what came of them.
package actor TouchSession {
    private let app: AppController
    private let backing: MemoryBacking
    private var last: (input: Input, id: TouchID)?
    private var count: UInt64 = 0
    /// Tells this session's touches from those of others at the same controller.
    private let session = UInt64.random(in: .min ... .max)

    /// The demo profile is the process's one shared device (000-105).
    package init(_ profile: MemoryBacking.Profile) {
        switch profile {
        case .demo: self.init(app: .shared, backing: .shared)
        case .noCard:
            let backing = MemoryBacking(profile)
            self.init(app: AppController(backing: backing), backing: backing)
        }
    }

    package init(app: AppController, backing: MemoryBacking) {
        self.app = app
        self.backing = backing
    }

    package var shown: Display { get async { await app.shown } }

    /// Carries out a step. What there is to say beside the display; empty mostly.
    package func perform(_ step: ScriptStep) async -> String {
        switch step {
        case .input(let input, _):
            count += 1
            let id = TouchID(high: session, low: count)
            last = (input, id)
            return await send(input, as: id)
        case .display: return ""
        case .again:
            guard let last else { return "nothing to repeat" }
            return await send(last.input, as: last.id)
        case .refresh:
            await app.refresh()
            return ""
        case .scan: return await scan()
        case .expect(let name): return await isShown(name) ? "" : "not this screen"
        case .service(let condition):
            await backing.set(condition)
            return ""
        }
    }

    fileprivate func isShown(_ name: ScreenName) async -> Bool { await app.shown.screen == name.rawValue }

    private func send(_ input: Input, as id: TouchID) async -> String {
        do throws(AppController.Refusal) {
            let effect = try await app.receive(input, as: id).effect
            return effect == .done ? "" : effect.rawValue
        } catch { return "\(error)" }
    }

    private func scan() async -> String {
        guard let code = await app.shown.payCode?.code else { return "no code to scan" }
        let said: String
        do throws(BackingError) {
            let receipt = try await backing.scan(code, amount: AppRules.standard.touchAmount)
            said = "scanned \(code), paid \(receipt.amount.display)"
        } catch { said = "scanned \(code), \(Note.failed(error, .payment).text)" }
        await app.refresh()
        return said
    }
}

/// What a script did, as text: the first display, then each command with the display after it.
package struct Transcript {
    private let session: TouchSession

    package init(of session: TouchSession) { self.session = session }

    /// Hands over one piece at a time, each ending with a line end. Returns how many expectations were not met.
    package func run(_ script: Script, print: (String) -> Void) async -> Int {
        var unmet = 0
        print(await session.shown.text + "\n")
        for step in script.steps {
            let said = await session.perform(step)
            if case .expect(let name) = step, await !session.isShown(name) { unmet += 1 }
            print("\n> \(step.written)\n" + (said.isEmpty ? "" : "(\(said))\n") + (await session.shown.text) + "\n")
        }
        return unmet
    }
}

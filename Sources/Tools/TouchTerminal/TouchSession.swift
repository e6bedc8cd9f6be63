import Primitives
import TouchApp

/// One person at one device: sends inputs, each under its own id, and describes their outcomes in words.
package actor TouchSession {
    private let device: any TouchedDevice
    private var last: (input: Input, id: TouchID)?
    private var count: UInt64 = 0
    /// Tells this session's touches from those of others at the same device.
    private let session = UInt64.random(in: .min ... .max)

    package init(_ device: any TouchedDevice) { self.device = device }

    package var shown: Display { get async { await device.display() } }

    /// Why what was shown last may be out of date; empty where it is not.
    package var silence: String { get async { await device.silence } }

    /// Carries out a step. What there is to say beside the display; empty mostly.
    package func perform(_ step: ScriptStep) async -> String {
        switch step {
        case .input(let input, _):
            count += 1
            let id = TouchID(high: session, low: count)
            last = (input, id)
            return await device.send(input, as: id)
        case .display: return ""
        case .again:
            guard let last else { return "nothing to repeat" }
            return await device.send(last.input, as: last.id)
        case .refresh: return await device.refresh()
        case .scan:
            guard let code = await shown.payCode?.code else { return "no code to scan" }
            return await device.scan(code)
        case .expect(let name): return await isShown(name) ? "" : "not this screen"
        case .service(let condition): return await device.set(condition)
        }
    }

    fileprivate func isShown(_ name: ScreenName) async -> Bool { await shown.screen == name.rawValue }
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

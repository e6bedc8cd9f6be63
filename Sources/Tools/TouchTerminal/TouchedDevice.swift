import TouchApp

/// A device that someone touches from here: one in memory, or one of a running set.
package protocol TouchedDevice: Sendable {
    /// What it shows now.
    func display() async -> Display

    /// Why that may be out of date; empty where it is not.
    var silence: String { get async }

    /// Sends an input. The same `touch` is the same touch, however often it is sent.
    /// - Returns: what there is to say beside the display; empty mostly.
    func send(_ input: Input, as touch: TouchID) async -> String

    /// Looks again, as after news from elsewhere. Returns what there is to say.
    func refresh() async -> String

    /// Has a merchant scan a pay code and charge it with one touch's amount. Returns what came of it.
    func scan(_ code: String) async -> String

    /// Puts the services in a condition, where that is possible from here. Returns what there is to say.
    func set(_ condition: MemoryBacking.Condition) async -> String
}

/// A device with its customer in memory.
package struct MemoryDevice: TouchedDevice {
    private let app: AppController
    private let backing: MemoryBacking

    /// The demo profile is the process's one shared device.
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

    package func display() async -> Display { await app.shown }

    package var silence: String { "" }

    package func send(_ input: Input, as touch: TouchID) async -> String {
        do throws(AppController.Refusal) {
            let effect = try await app.receive(input, as: touch).effect
            return effect == .done ? "" : effect.rawValue
        } catch { return "\(error)" }
    }

    package func refresh() async -> String {
        await app.refresh()
        return ""
    }

    package func scan(_ code: String) async -> String {
        let said: String
        do throws(BackingError) {
            let receipt = try await backing.scan(code, amount: AppRules.standard.touchAmount)
            said = "scanned \(code), paid \(receipt.amount.display)"
        } catch { said = "scanned \(code), \(Note.failed(error, .payment).text)" }
        await app.refresh()
        return said
    }

    package func set(_ condition: MemoryBacking.Condition) async -> String {
        await backing.set(condition)
        return ""
    }
}

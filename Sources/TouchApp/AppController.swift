import Primitives

/// One device's app: shows its current screen, hands it touches, and carries out what they mean.
///
/// Inputs of one device are taken one after another, in the order in which they came; one that needs an answer from
/// elsewhere keeps the others waiting. The same touch sent again is not taken again. Many controllers live in a
/// process, one for each device; ``shared`` is the one of the single-user simulator.
package actor AppController: AppScreen, MenuBar {
    /// The simulator's, with a demo customer in memory.
    package static let shared = AppController(backing: MemoryBacking.shared)

    /// What became of an input.
    package enum Effect: String, Sendable, CaseIterable {
        case done
        /// It means nothing here.
        case ignored
        /// It had been taken before.
        case repeated
        /// It had not been taken, and never will be.
        case cancelled
    }

    /// Why an input was not even looked at. Nothing has changed.
    package enum Refusal: Error, Hashable, Sendable {
        /// Too many wait; the same may be sent again later.
        case busy
        /// The id was used for something else.
        case touchReused
    }

    private var app = App()
    private var recent = RecentTouches()
    /// Whether an input is being carried out.
    private var isTaken = false
    /// Those whose turn has not come; the first is next.
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether a refresh is among them.
    private var willRefresh = false
    private let backing: any AppBacking
    private let rules: AppRules
    private let menu: MenuSlots

    package init(backing: any AppBacking, rules: AppRules = .standard, menu: MenuSlots = .standard) {
        self.backing = backing
        self.rules = rules
        self.menu = menu
    }

    // MARK: Devices

    /// Takes an input, once for each `id`, and answers with what is then shown.
    ///
    /// An id that comes again does nothing more, with one exception: an operation with an unknown outcome is asked for
    /// again, under its id.
    ///
    /// - Parameter backing: what this input asks through, such as the bus on behalf of one request; nil for the app's
    ///   own backing.
    @discardableResult
    package func receive(
        _ input: Input, as id: TouchID, through backing: (any AppBacking)? = nil
    ) async throws(Refusal) -> (display: Display, effect: Effect) {
        if isTaken, waiting.count >= rules.waitingMax { throw .busy }
        await takeTurn()
        defer { endTurn() }
        if recent.contains(id) {
            if recent.isReused(id, for: input) { throw .touchReused }
            if let command = unsettledCommand(of: id) { await carryOut(command, for: id, through: backing) }
            return (shown, .repeated)
        }
        recent.note(id, app.takesSecrets ? nil : input)
        var next = app
        let reaction = next.reaction(to: input, menu: menu)
        app = next
        switch reaction {
        case .ignored: return (shown, .ignored)
        case .changed: return (shown, .done)
        case .command(let command):
            await carryOut(command, for: id, through: backing)
            return (shown, .done)
        }
    }

    /// Cancels an input that may not have arrived: it has been taken before, or never will be.
    @discardableResult
    package func cancel(_ id: TouchID) async throws(Refusal) -> (display: Display, effect: Effect) {
        if isTaken, waiting.count >= rules.waitingMax { throw .busy }
        await takeTurn()
        defer { endTurn() }
        if recent.contains(id) { return (shown, .repeated) }
        recent.note(id, nil)
        return (shown, .cancelled)
    }

    /// Reads again what is shown, after a change elsewhere. What cannot be read stays as it was.
    ///
    /// Returns at once while another refresh waits for its turn: that one will see the change too.
    ///
    /// - Parameter backing: as of ``receive(_:as:through:)``.
    @discardableResult
    package func refresh(through backing: (any AppBacking)? = nil) async -> Display {
        guard !willRefresh else { return shown }
        willRefresh = true
        await takeTurn()
        willRefresh = false
        defer { endTurn() }
        guard app.isUnlocked else { return shown }
        await look(by: ReadCard(), through: backing)
        if let reading = app.screen.reading, !(reading is ReadCard) { await look(by: reading, through: backing) }
        return shown
    }

    /// Goes back to the Pin Screen, as when the session ends.
    @discardableResult
    package func lock() async -> Display {
        await takeTurn()
        defer { endTurn() }
        app.lock()
        return shown
    }

    /// What is shown now. Of an input that is being carried out, only what it changed on its screen, as by a digit.
    package var shown: Display { Display(of: app, menu: menu.keys.map(\.label), rules: rules) }

    // MARK: AppScreen

    /// As ``receive(_:as:through:)`` with a new id. A touch that finds too many waiting is lost.
    @discardableResult
    package func touch(_ x: Int, _ y: Int) async -> Display { await take(.touch(x, y)) }

    /// The Screen Name, and below it what the screen shows.
    package func display() -> String { shown.text }

    @discardableResult
    package func topLeftCmd() async -> Display { await take(.topLeft) }
    @discardableResult
    package func topRightCmd() async -> Display { await take(.topRight) }

    // MARK: MenuBar

    @discardableResult
    package func menu1() async -> Display { await take(.menu(.first)) }
    @discardableResult
    package func menu2() async -> Display { await take(.menu(.second)) }
    @discardableResult
    package func menu3() async -> Display { await take(.menu(.third)) }
    @discardableResult
    package func menu4() async -> Display { await take(.menu(.fourth)) }
    @discardableResult
    package func menu5() async -> Display { await take(.menu(.fifth)) }

    private func take(_ input: Input) async -> Display {
        let id = TouchID(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
        return (try? await receive(input, as: id).display) ?? shown
    }

    // MARK: Carrying out

    // The state is changed in a copy: what is shown meanwhile is consistent, and nobody else changes it.

    private func carryOut(_ command: any Command, for id: TouchID, through backing: (any AppBacking)?) async {
        var next = app
        await command.execute(on: &next, in: context(of: id, backing))
        app = next
    }

    private func look(by command: any Command, through backing: (any AppBacking)?) async {
        var look = app.quiet
        let noOperation = TouchID(high: 0, low: 0)
        await command.execute(on: &look, in: context(of: noOperation, backing))
        app.adopt(look)
    }

    private func context(of touch: TouchID, _ backing: (any AppBacking)?) -> CommandContext {
        CommandContext(backing: backing ?? self.backing, rules: rules, touch: touch)
    }

    /// What finds out about an operation that this touch began and of which nobody knows whether it has happened.
    private func unsettledCommand(of id: TouchID) -> (any Command)? {
        switch app.unsettled.first(where: { $0.operation == id.reinterpreted() }) {
        case .payment: Pay()
        case .reload: Reload()
        case .card(let order): SubmitCard(number: order.number, code: order.code)
        case nil: nil
        }
    }

    // MARK: One after another

    /// How many inputs wait for the one that is being carried out.
    package var waitingCount: Int { waiting.count }

    private func takeTurn() async {
        guard isTaken else {
            isTaken = true
            return
        }
        // Whoever ends a turn hands it over: it stays taken.
        await withCheckedContinuation { waiting.append($0) }
    }

    private func endTurn() {
        guard !waiting.isEmpty else {
            isTaken = false
            return
        }
        waiting.removeFirst().resume()
    }
}

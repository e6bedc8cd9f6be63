import Bus
import Contracts
import Primitives
import Synchronization
import Wire

/// Turns facts of other services into notices and deliveries. Each group of facts and its cursor are one transaction.
package final class EventConsumer: Sendable {
    /// How often the cursor is stored while facts lead to no notice. Most payments lead to none, and cost no commit
    /// here; after a crash they are skipped again.
    package static let cursorPause = Duration.seconds(5)
    /// How long a group of facts waits for merchants' names.
    package static let namesPatience = Duration.milliseconds(500)

    private struct State {
        var written: [String: Timestamp] = [:]
        var unread = 0
    }

    private let store: NoticeStore
    private let accounts: AccountDirectory
    private let letters: LetterPickup
    private let hooks: HookOwners
    private let dispatcher: DeliveryDispatcher
    private let clock: WallClock
    private let unreadable: @Sendable (Envelope, WireError) -> Void
    private let state = Mutex(State())

    /// - Parameter unreadable: called for a fact of a known type that cannot be read. It is skipped, as it would block
    ///   all later notices.
    package init(
        store: NoticeStore, accounts: AccountDirectory, letters: LetterPickup, hooks: HookOwners,
        dispatcher: DeliveryDispatcher,
        clock: WallClock,
        unreadable: @escaping @Sendable (Envelope, WireError) -> Void = { _, _ in }
    ) {
        self.store = store
        self.accounts = accounts
        self.letters = letters
        self.hooks = hooks
        self.dispatcher = dispatcher
        self.clock = clock
        self.unreadable = unreadable
    }

    /// Applies consecutive facts of one source.
    ///
    /// - Throws: the fault of the store, or of auth when its letters cannot be read. Nothing has changed then.
    package func apply(_ facts: [Envelope], from source: String) async throws(Fault) {
        guard let last = facts.last, let sequence = last.sequence else { return }
        var consumed: [ConsumedEvent] = []
        var queuedLetters: [Auth.LetterQueued] = []
        var turns = ShortTurns()
        for fact in facts {
            turns.mayEnd()
            do throws(WireError) {
                if source == Auth.service { try note(fact, &queuedLetters) }
                if let event = try NotifiableEvent(fact, hasHook: hooks.contains) {
                    consumed.append(ConsumedEvent(event, fact))
                }
            } catch {
                state.withLock { $0.unread += 1 }
                unreadable(fact, error)
            }
        }
        let now = clock.now()
        let isDue = state.withLock { now - ($0.written[source] ?? Timestamp(milliseconds: 0)) >= Self.cursorPause }
        guard !consumed.isEmpty || !queuedLetters.isEmpty || isDue else { return }
        let orders = try await letters.orders(of: queuedLetters)
        let wanted = Set(consumed.compactMap(\.event.accountToName))
        let names = wanted.isEmpty ? [:] : await accounts.found(wanted, within: Self.namesPatience).mapValues(\.name)
        let queued = try await store.write(
            consumed, names: names, letters: orders, from: source,
            through: FactPosition(sequence: sequence, mark: last.mark), at: now)
        state.withLock { $0.written[source] = now }
        dispatcher.enqueue(queued)
        await letters.confirm(queuedLetters)
    }

    private func note(_ fact: Envelope, _ letters: inout [Auth.LetterQueued]) throws(WireError) {
        switch fact.type {
        case Auth.ProfileChanged.type.name: accounts.forget(try Auth.ProfileChanged(json: fact.data).account)
        case Auth.LetterQueued.type.name: letters.append(try Auth.LetterQueued(json: fact.data))
        default: break
        }
    }

    package var unread: Int { state.withLock(\.unread) }
}

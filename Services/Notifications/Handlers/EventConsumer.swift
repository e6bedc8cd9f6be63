import Bus
import Contracts
import Primitives
import Synchronization
import Wire

/// Turns others' facts into notices and deliveries, in groups, each with its cursor in one transaction.
package final class EventConsumer: Sendable {
    /// A cursor behind which lies nothing for anybody is written down so seldom: most payments concern no inbox, and
    /// cost no commit here. After a crash they are passed over again.
    package static let cursorPause = Duration.seconds(5)
    /// How long one group of facts may wait for its accounts' names.
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

    /// - Parameter unreadable: told of a fact of a known type that cannot be read. It is passed over: one such fact
    ///   must not keep everybody's notices back for ever.
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

    /// Applies facts of one source that follow on each other.
    ///
    /// - Throws: what keeps the store from writing or auth from giving its letters; then nothing has happened.
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

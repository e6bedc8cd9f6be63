import Bus
import Contracts
import Primitives
import Synchronization
import Wire

/// Turns others' facts into notices and deliveries, in groups, each with its cursor in one transaction.
package final class Hearing: Sendable {
    /// A cursor behind which lies nothing for anybody is written down so seldom: most payments concern no inbox, and
    /// cost no commit here. After a crash they are passed over again.
    package static let cursorPause = Duration.seconds(5)
    /// How long one group of facts may wait for its merchants' names.
    package static let namesPatience = Duration.milliseconds(500)

    private struct State {
        var written: [String: Timestamp] = [:]
        var unread = 0
    }

    private let store: NoticeStore
    private let merchants: KnownAccounts
    private let hooks: HookOwners
    private let courier: Courier
    private let clock: WallClock
    private let unreadable: @Sendable (Envelope, WireError) -> Void
    private let state = Mutex(State())

    /// - Parameter unreadable: told of a fact of a known type that cannot be read. It is passed over: one such fact must
    ///   not keep everybody's notices back for ever.
    package init(
        store: NoticeStore, merchants: KnownAccounts, hooks: HookOwners, courier: Courier, clock: WallClock,
        unreadable: @escaping @Sendable (Envelope, WireError) -> Void = { _, _ in }
    ) {
        self.store = store
        self.merchants = merchants
        self.hooks = hooks
        self.courier = courier
        self.clock = clock
        self.unreadable = unreadable
    }

    /// Applies facts of one source that follow on each other. Throws `bus.unavailable`; then nothing has happened.
    package func apply(_ facts: [Envelope], from source: String) async throws(Fault) {
        guard let last = facts.last, let sequence = last.sequence else { return }
        var heard: [Heard] = []
        var turns = ShortTurns()
        for fact in facts {
            turns.mayEnd()
            do throws(WireError) {
                if fact.type == Auth.ProfileChanged.type.name {
                    merchants.forget(try Auth.ProfileChanged(json: fact.data).account)
                }
                if let happening = try Happening(fact, hasHook: hooks.contains) { heard.append(Heard(happening, fact)) }
            } catch {
                state.withLock { $0.unread += 1 }
                unreadable(fact, error)
            }
        }
        let now = clock.now()
        let isDue = state.withLock { now - ($0.written[source] ?? Timestamp(milliseconds: 0)) >= Self.cursorPause }
        guard !heard.isEmpty || isDue else { return }
        let wanted = Set(heard.compactMap(\.happening.merchantToName))
        let names = wanted.isEmpty ? [:] : await merchants.of(wanted).mapValues(\.name)
        let queued = try await store.write(
            heard, names: names, from: source, through: FactPosition(sequence: sequence, mark: last.mark), at: now)
        state.withLock { $0.written[source] = now }
        courier.enqueue(queued)
    }

    package var unread: Int { state.withLock(\.unread) }
}

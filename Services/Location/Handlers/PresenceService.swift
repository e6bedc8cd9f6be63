import Bus
import Contracts
import Primitives
import Synchronization

/// What the handlers of location share: the presence tracker in memory, and the store of places and visits.
package final class PresenceService: Sendable {
    let store: any PlaceStore
    let clock: WallClock
    let rules: LocationRules
    let accounts: AccountDirectory
    /// How long an answer waits for names.
    static let namesPatience = Duration.milliseconds(300)
    /// How long places of a merchant stay hidden whom nobody had approved, where no fact says otherwise.
    static let hiddenTime = Duration.seconds(60)
    /// Serializes changes of one party's places or sharing, so that memory and disk change in the same order.
    let turns = Turns()
    private let tracker: Mutex<PresenceTracker>
    /// When this process last recorded that it runs.
    private let noted = Mutex(Timestamp(milliseconds: 0))

    package init(
        store: any PlaceStore, asking bus: any Asking, clock: WallClock = .system, rules: LocationRules = .init()
    ) {
        self.store = store
        self.clock = clock
        self.rules = rules
        accounts = AccountDirectory(asking: bus, clock: clock)
        tracker = Mutex(PresenceTracker(rules: rules))
    }

    /// Loads the tracker from the store. Call it once, before the first answer.
    ///
    /// - Parameter copied: what was copied from the process whose place this one takes; nil where it takes none.
    /// - Throws: `bus.unavailable`.
    package func start(with copied: CopiedPresence? = nil) async throws(Fault) {
        let now = clock.now()
        if let copied {
            tracker.withLock { $0 = copied.take(at: now) }
        } else {
            let stored = try await store.load()
            tracker.withLock { tracker in
                for place in stored.places { tracker.put(place, at: now, because: nil) }
                for customer in stored.sharing { tracker.share(customer, since: nil) }
                for visit in stored.visits { tracker.resume(visit, startedAt: now, lastAlive: stored.alive) }
            }
        }
        try await publishChanges()
        try await noteAlive(at: now)
    }

    func with<Value: Sendable>(_ body: (inout sending PresenceTracker) throws(Fault) -> sending Value) throws(Fault)
        -> Value
    {
        // `Mutex.withLock` infers no typed error from a closure.
        let result: Result<Value, Fault> = tracker.withLock { tracker in
            do throws(Fault) { return .success(try body(&tracker)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Stores and publishes the changes at the fences that were made before the call. Asks the store also when none
    /// waits: another call may have taken them and not stored them yet, and the store serializes both.
    ///
    /// - Throws: `bus.unavailable`; the changes then wait for the next call.
    func publishChanges() async throws(Fault) {
        try await store.publish(at: clock.now()) { [self] in
            tracker.withLock { $0.takeChanges() }
        } giveBack: { [self] unpublished in
            tracker.withLock { $0.giveBack(unpublished) }
        }
    }

    /// Forgets expired positions, and publishes changes that wait. Call it once a second: each call checks a thirtieth
    /// of the customers, so a position is forgotten at most 30 s late.
    ///
    /// - Throws: `bus.unavailable`.
    package func sweep() async throws(Fault) {
        let now = clock.now()
        let (areVisits, areChanges) = tracker.withLock { tracker in
            tracker.sweep(parts: 30, at: now)
            return (tracker.visitCount > 0, tracker.hasChanges)
        }
        if areChanges { try await publishChanges() }
        // A visit's row has this time from the beginning.
        if areVisits, now - noted.withLock({ $0 }) >= LocationRules.aliveInterval { try await noteAlive(at: now) }
    }

    private func noteAlive(at now: Timestamp) async throws(Fault) {
        try await store.noteAlive(at: now)
        noted.withLock { $0 = now }
    }

    /// To be called when an administrator has decided on a merchant: it is asked for anew.
    package func decided(on merchant: PartyID) {
        accounts.forget(merchant)
        tracker.withLock { $0.show(merchant) }
    }

    /// Accounts for what is shown of them: at most a minute old if auth can say.
    func accounts(of parties: [PartyID], in context: AskContext) async -> [PartyID: Auth.AccountView] {
        await accounts.found(
            parties, within: Self.namesPatience, noOlderThan: AccountDirectory.approvalMax, in: context)
    }

    /// The tracker, for a hand-over.
    func tracked<Value: Sendable>(_ body: (inout sending PresenceTracker) -> sending Value) -> Value {
        tracker.withLock(body)
    }

    /// Gauges by name.
    package var figures: [(name: String, value: Int)] {
        tracker.withLock { tracker in
            [
                ("sharing", tracker.sharingCount), ("positions", tracker.positionCount),
                ("visits", tracker.visitCount), ("places", tracker.placeCount)
            ]
        }
    }
}

extension AskContext {
    func cause(at time: Timestamp) -> Cause { Cause(time: time, context: self) }
}

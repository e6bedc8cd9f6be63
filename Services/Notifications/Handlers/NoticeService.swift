import Bus
import Contracts
import Primitives

/// What the handlers of notifications share: the store, the dispatcher, the rules and the clock.
package final class NoticeService: Sendable {
    let store: NoticeStore
    let dispatcher: DeliveryDispatcher
    let hooks: HookOwners
    let clock: WallClock
    let rules: DeliveryRules
    let addresses: AddressRules
    /// The public half of the key that web pushes are signed with.
    let pushKey: String

    package init(
        store: NoticeStore, dispatcher: DeliveryDispatcher, hooks: HookOwners, clock: WallClock, rules: DeliveryRules,
        addresses: AddressRules, pushKey: String
    ) {
        self.store = store
        self.dispatcher = dispatcher
        self.hooks = hooks
        self.clock = clock
        self.rules = rules
        self.addresses = addresses
        self.pushKey = pushKey
    }

    /// Loads web hooks and queued deliveries from the store. Call it once, before the service consumes or answers.
    ///
    /// - Throws: `bus.unavailable`.
    package func start() async throws(Fault) {
        hooks.set(try await store.hookOwners())
        try await dispatcher.start()
    }

    /// Deletes what has passed its retention time. Call it every few seconds.
    ///
    /// - Throws: `bus.unavailable`.
    package func sweep() async throws(Fault) {
        // A receiver that accepts nothing may cause more dead letters in a second than one sweep deletes.
        while try await store.sweep(at: clock.now()) {}
        try await store.forgetLetters(at: clock.now())
        // Receivers may have reported that their web hooks are gone.
        hooks.set(try await store.hookOwners())
    }
}

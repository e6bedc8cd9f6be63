import Bus
import Contracts
import Primitives

/// What the handlers of notifications work with.
package final class NoticeDesk: Sendable {
    let store: NoticeStore
    let courier: Courier
    let hooks: HookOwners
    let clock: WallClock
    let rules: DeliveryRules
    let addresses: AddressRules
    /// The public half of the key that web pushes are signed with.
    let pushKey: String

    package init(
        store: NoticeStore, courier: Courier, hooks: HookOwners, clock: WallClock, rules: DeliveryRules,
        addresses: AddressRules, pushKey: String
    ) {
        self.store = store
        self.courier = courier
        self.hooks = hooks
        self.clock = clock
        self.rules = rules
        self.addresses = addresses
        self.pushKey = pushKey
    }

    /// Takes up what the store has. To be called once, before anything is heard or answered.
    ///
    /// - Throws: `bus.unavailable`.
    package func start() async throws(Fault) {
        hooks.set(try await store.hookOwners())
        try await courier.start()
    }

    /// Forgets what is kept no longer. To be called now and then.
    ///
    /// - Throws: `bus.unavailable`.
    package func sweep() async throws(Fault) {
        // A receiver that takes nothing may leave more dead letters in a second than one sweep forgets.
        while try await store.sweep(at: clock.now()) {}
        try await store.forgetLetters(at: clock.now())
        // Hooks whose receivers said that they are gone.
        hooks.set(try await store.hookOwners())
    }
}

extension AskContext {
    /// Refuses an actor who is somebody else. A service acting for itself may act for anyone.
    func requireOwn(_ account: PartyID) throws(Fault) {
        guard let actor else { return }
        guard actor.party == account, actor.role != .administrator else { throw Fault(.forbidden) }
    }

    /// Refuses everyone but services and administrators.
    func requireOperator() throws(Fault) {
        if let actor, actor.role != .administrator { throw Fault(.forbidden) }
    }
}

func checkLimit(_ limit: Int) throws(Fault) {
    guard (1...100).contains(limit) else { throw Fault(.malformed, "'limit' is 1 to 100") }
}

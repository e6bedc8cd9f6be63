/// Counts the stars.
package struct ReadRewards: Command {
    package init() {}

    package func execute(on app: inout App, in context: CommandContext) async {
        do throws(BackingError) {
            let rewards = try await context.backing.rewards()
            app.change(RewardsSetupScreen.self) { $0.rewards = rewards }
        } catch .notOffered {
            // The screen shows its words; joining says that there is nothing to join.
        } catch { app.fail(error, .reading) }
    }
}

/// Takes part in the loyalty programme, or no longer.
package struct JoinRewards: Command {
    private let joined: Bool

    package init(_ joined: Bool) { self.joined = joined }

    package func execute(on app: inout App, in context: CommandContext) async {
        do throws(BackingError) {
            let rewards = try await context.backing.joinRewards(joined)
            app.change(RewardsSetupScreen.self) { $0.rewards = rewards }
        } catch { app.fail(error, .setting) }
    }
}

/// Looks for stores; they come on request only.
package struct SearchStores: Command {
    package init() {}

    package func execute(on app: inout App, in context: CommandContext) async {
        do throws(BackingError) {
            let stores = Array(try await context.backing.stores().prefix(context.rules.storesMax))
            app.change(FindStoresScreen.self) { $0.stores = stores }
            if stores.isEmpty { app.tell(.noStores) }
        } catch { app.fail(error, .reading) }
    }
}

/// Allows and forbids payments by the two commands.
package struct PaymentSetupScreen: Screen {
    package static let name = ScreenName.paymentSetup
    package static let chain = TouchChain<any Command>()

    /// Nil until it is known.
    package var enabled: Bool?

    package init() {}

    package func display() -> String { "Enable Payments?" }

    package var topLeft: CommandKey? { CommandKey("Disable", EnablePayments(false)) }
    package var topRight: CommandKey? { CommandKey("Enable", EnablePayments(true)) }
    package var details: [String] { enabled == false ? ["Payments disabled"] : [] }
    package var reading: (any Command)? { ReadPaymentsEnabled() }

    package func fill(_ display: inout Display) { display.paymentsEnabled = enabled }
}

/// Shows the stars, and lets the customer take part in the loyalty programme by the two commands.
package struct RewardsSetupScreen: Screen {
    package static let name = ScreenName.rewardsSetup
    package static let chain = TouchChain<any Command>()

    /// Nil until it is known.
    package var rewards: Rewards?

    package init() {}

    package func display() -> String { "Make Every Visit Count" }

    package var topLeft: CommandKey? { CommandKey("Leave", JoinRewards(false)) }
    package var topRight: CommandKey? { CommandKey("Join", JoinRewards(true)) }

    package var details: [String] {
        guard let rewards else { return [] }
        return [rewards.joined ? "Stars \(rewards.stars)" : "Not joined"]
    }

    package var reading: (any Command)? { ReadRewards() }

    package func fill(_ display: inout Display) { display.rewards = rewards }
}

/// Stores near the customer, on request.
package struct FindStoresScreen: Screen {
    package static let name = ScreenName.findStores
    package static let chain = TouchChain<any Command>()

    /// Nearest first; nil until they are asked for.
    package var stores: [Store]?

    package init() {}

    package func display() -> String { "Google Map of Local Starbucks" }

    package var topRight: CommandKey? { CommandKey("Search", SearchStores()) }
    package var details: [String] { (stores ?? []).map { "\($0.name), \($0.distanceMetres) m" } }

    package mutating func forgetResults() { stores = nil }
    package func fill(_ display: inout Display) { display.stores = stores }
}

package struct SettingsScreen: Screen {
    package static let name = ScreenName.settings
    package static let chain = TouchChain<any Command>(Button(row: 2, "Add Starbucks Cards", Show(.addCard)))

    package init() {}

    package func display() -> String { "Manage Card, Billing, Passcode. Show About & Terms." }
}

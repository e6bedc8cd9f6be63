/// All scenarios that `--mix` can name, and the one that the generator plays by itself.
package enum ScenarioList {
    package static let all: [any Scenario] = [
        CardScenario(),
        CodeScenario(),
        ChargeScenario(),
        ChargeScenario(withCoupon: true),
        TouchScenario(),
        WalkScenario(),
        AppScenario(),
        DayScenario(),
        OrderScenario(),
        ShopScenario()
    ]

    package static var names: [String] { all.map(\.name) }
}

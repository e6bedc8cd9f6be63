/// All scenarios that `--mix` can name. The last one is the reload, which the generator also plays by itself.
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
        ShopScenario(),
        RefundScenario(),
        TransferScenario(),
        ReloadScenario()
    ]

    package static var names: [String] { all.map(\.name) }
}

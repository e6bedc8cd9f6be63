/// The screens, by the names that are shown.
package enum ScreenName: String, Sendable, CaseIterable, Codable {
    case pin = "Pin Screen"
    case main = "My Cards - Main"
    case pay = "My Cards - Pay"
    case options = "My Cards - Options"
    case moreOptions = "My Cards - More Options"
    case paymentSetup = "Payment Setup"
    case rewardsSetup = "Rewards Setup"
    case findStores = "Find Starbucks"
    case settings = "Settings Screen"
    case addCard = "Add Card Screen"

    /// What people call a screen: its name, with a hyphen or an en dash, or the label of its menu.
    package init?(matching text: String) {
        let plain = String(text.map { $0 == "\u{2013}" ? "-" : $0 })
        switch plain {
        case "Payments": self = .paymentSetup
        case "My Rewards": self = .rewardsSetup
        case "Settings": self = .settings
        case "Add Card": self = .addCard
        default: self.init(rawValue: plain)
        }
    }
}

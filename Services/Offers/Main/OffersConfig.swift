import OffersService
import Primitives
import ServiceKit

/// What offers is told by its environment.
struct OffersConfig {
    let host: HostConfig
    let rules: DealRules

    static func fromEnvironment() throws -> OffersConfig {
        let host = try HostConfig.fromEnvironment()
        var rules = DealRules()
        // BILLFOLD_RESERVATION_GRACE_SECONDS: how long after its charge's end a coupon waits to be told of it.
        rules.grace = .seconds(
            try host.integer("billfold.reservation.grace.seconds", default: 60, in: 1...86_400))
        // BILLFOLD_ENTRY_SECONDS: how old the news that a customer came may be for offers to be sent.
        rules.entryFreshness = .seconds(try host.integer("billfold.entry.seconds", default: 600, in: 1...86_400))
        return OffersConfig(host: host, rules: rules)
    }
}

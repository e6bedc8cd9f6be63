import LocationService
import Primitives
import ServiceKit

/// What location is told by its environment.
struct LocationConfig {
    let host: HostConfig
    let rules: LocationRules

    static func fromEnvironment() throws -> LocationConfig {
        let host = try HostConfig.fromEnvironment()
        var rules = LocationRules()
        // BILLFOLD_POSITION_SECONDS: how long a position is kept after its fix.
        rules.timeToLive = .seconds(try host.integer("billfold.position.seconds", default: 900, in: 1...86_400))
        // BILLFOLD_FRESH_SECONDS: how old a fix may be for merchants to see its customer.
        rules.freshness = .seconds(try host.integer("billfold.fresh.seconds", default: 600, in: 1...86_400))
        // BILLFOLD_DWELL_SECONDS: how long a visit has to be to be told of as a stay.
        rules.fence.dwell = .seconds(try host.integer("billfold.dwell.seconds", default: 300, in: 1...86_400))
        return LocationConfig(host: host, rules: rules)
    }
}

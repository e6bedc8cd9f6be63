import PaymentsService
import Primitives
import ServiceKit

/// What payments is told by its environment.
struct PaymentsConfig {
    let host: HostConfig
    let rules: ChargeRules
    /// The file of the key that seals pay codes; beside the data where none is named.
    let codeKeyFile: String?

    static func fromEnvironment() throws -> PaymentsConfig {
        let host = try HostConfig.fromEnvironment()
        var rules = ChargeRules()
        // BILLFOLD_CHARGE_MAX: the largest single charge, in minor units.
        rules.amountMax = Int64(
            try host.integer("billfold.charge.max", default: Int(rules.amountMax), in: 1...100_000_000))
        // BILLFOLD_APPROVAL_SECONDS: how long a requested charge waits for its customer.
        rules.approvalTime = .seconds(try host.integer("billfold.approval.seconds", default: 300, in: 1...86_400))
        // BILLFOLD_CODE_SECONDS: how long a pay code can be redeemed.
        rules.codeTime = .seconds(try host.integer("billfold.code.seconds", default: 60, in: 1...300))
        // BILLFOLD_CHARGES_WAITING: requests of one merchant that may wait for one customer.
        rules.waitingMax = try host.integer("billfold.charges.waiting", default: rules.waitingMax, in: 1...10_000)
        // BILLFOLD_CHARGES_UNPAID: requests of one merchant within a minute that nobody has paid.
        rules.unpaidPerMinute = try host.integer(
            "billfold.charges.unpaid", default: rules.unpaidPerMinute, in: 1...10_000_000)
        // BILLFOLD_CHARGE_PRESENCE: which customers a merchant may request money from.
        let presence = host.reader.string(forKey: "billfold.charge.presence", default: "known")
        guard let presence = ChargePresence(rawValue: presence) else {
            throw ConfigError("BILLFOLD_CHARGE_PRESENCE is '\(presence)'; it can be required, known or optional")
        }
        rules.presence = presence
        return PaymentsConfig(host: host, rules: rules, codeKeyFile: host.path("billfold.code.key.file"))
    }
}

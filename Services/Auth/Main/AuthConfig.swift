import AuthService
import Primitives
import ServiceKit
import Sodium

/// What auth is told by its environment.
struct AuthConfig {
    let host: HostConfig
    let rules: AccountRules
    let hashing: HashPool.Limits
    /// The file of the key from which the pepper comes; beside the data where none is named.
    let keyFile: String?

    static func fromEnvironment() throws -> AuthConfig {
        let host = try HostConfig.fromEnvironment()
        var rules = AccountRules()
        // BILLFOLD_SESSION_MINUTES: how long a log-in lasts.
        rules.sessionLifetime = .seconds(
            60 * (try host.integer("billfold.session.minutes", default: 12 * 60, in: 1...43_200)))
        // BILLFOLD_PIN_MINUTES: how long an entered PIN counts.
        rules.pinWindow = .seconds(60 * (try host.integer("billfold.pin.minutes", default: 15, in: 1...1440)))
        // BILLFOLD_TRANSFER_HOLD_MINUTES: how long transfers are held after an account was recovered; 0 for not at all.
        rules.transferHold = .seconds(
            60 * (try host.integer("billfold.transfer.hold.minutes", default: 24 * 60, in: 0...43_200)))
        // BILLFOLD_MERCHANT_APPROVAL: whether new merchants wait for an administrator, or are approved at once.
        let approval = host.reader.string(forKey: "billfold.merchant.approval", default: "manual")
        guard ["manual", "automatic"].contains(approval) else {
            throw ConfigError("BILLFOLD_MERCHANT_APPROVAL is '\(approval)'; it can be manual or automatic")
        }
        rules.approvesMerchants = approval == "automatic"
        // BILLFOLD_HASH_THREADS: Argon2id computations at a time, each 19 MiB and about 40 ms of one core.
        let threads = try host.integer("billfold.hash.threads", default: 1, in: 1...64)
        return AuthConfig(
            host: host, rules: rules, hashing: .init(threads: threads, waitingMax: 64),
            keyFile: host.path("billfold.auth.key.file"))
    }
}

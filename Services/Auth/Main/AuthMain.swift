import AuthService
import Bus
import Contracts
import ServiceKit
import Sodium

@main
struct AuthMain {
    static func main() async { await ServiceHost.main("auth", serve) }

    private static func serve() async throws {
        let config = try AuthConfig.fromEnvironment()
        let host = try ServiceHost(Auth.service, config: config.host)
        let data = try config.host.dataDirectory(of: Auth.service)
        let (file, keyFile) = ("\(data)/auth.sqlite", "\(data)/auth.key")
        let keys = AuthKeys(file: try KeyFile.open(named: config.keyFile, otherwise: keyFile, protecting: file))
        let hasher = try HashPool(PasswordHash(pepper: keys.pepper), limits: config.hashing, clock: host.clock)
        let facts = FactPublisher(Auth.self, on: host.bus)
        let accounts = try AccountStore(path: file)
        accounts.store.publish(to: facts)
        let desk = AccountDesk(store: accounts, hasher: hasher, keys: keys, clock: host.clock, rules: config.rules)
        let (sweeper, mailer) = (AccountSweeper(desk), ResetMailer(desk, asking: host.bus))

        try await host.run(
            ServiceDefinition(
                asks: [Notifications.self],
                answers: desk.handlers,
                publishes: PublishedFacts(facts, from: accounts.store),
                keeps: ServiceData(
                    Auth.self, file: file,
                    keys: ["auth.key": KeyFile.inUse(named: config.keyFile, otherwise: keyFile)],
                    copy: { try await accounts.store.copy(to: $0) },
                    table: { try await accounts.table($0, after: $1, limit: $2) }),
                background: [
                    .every(.seconds(60), failing: "ended sessions are still kept") { _ = try await sweeper.sweep() },
                    // Half a second is nothing to the reader of a letter, and the answer to a request does not depend on it.
                    .every(
                        .milliseconds(500), failing: "codes for new passwords are mailed late", retryPause: .seconds(2)
                    ) { try await mailer.run() },
                    .every(.seconds(10), failing: "owners are told late") { try await mailer.tellOwners() }
                ],
                ending: { hasher.stop() }))
    }
}

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
        let key = try KeyFile.open(named: config.keyFile, otherwise: keyFile, protecting: file)
        let keys = AuthKeys(file: key)
        let hasher = try HashPool(PasswordHash(pepper: keys.pepper), limits: config.hashing, clock: host.clock)
        let facts = FactPublisher(Auth.self, on: host.bus)
        try await host.takeOver(Auth.self, file: file) { try AccountStore(.file($0)).store }
        let accounts = try AccountStore(host.config.place(of: Auth.service, file: file, keys: ["auth.key": key]))
        accounts.store.publish(to: facts)
        let service = AccountService(
            store: accounts, hasher: hasher, keys: keys, clock: host.clock, rules: config.rules)
        let sweeper = AccountSweeper(service)

        try await host.run(
            ServiceDefinition(
                answers: service.handlers,
                publishes: PublishedFacts(facts, from: accounts.store),
                keeps: ServiceData(
                    Auth.self, file: file,
                    keys: ["auth.key": KeyFile.inUse(named: config.keyFile, otherwise: keyFile)],
                    copy: { try await accounts.store.copy(to: $0) },
                    table: { try await accounts.table($0, after: $1, limit: $2) }
                )
                .handedOver(of: Auth.self, by: accounts.store.handOver),
                background: [
                    .every(.seconds(60), failing: "ended sessions are still kept") { _ = try await sweeper.sweep() }
                ],
                ending: { hasher.stop() }))
    }
}

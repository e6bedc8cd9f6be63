import Accounts
import Contracts
import Primitives
import ServiceKit
import Sodium
import Synchronization

@main
struct AuthMain {
    static func main() async { await ServiceHost.main("auth", serve) }

    private static func serve() async throws {
        let config = try AuthConfig.fromEnvironment()
        let host = try ServiceHost(Auth.service, config: config.host)
        let data = try config.host.dataDirectory(of: Auth.service)
        let keys = AuthKeys(file: try KeyFile.open("\(data)/auth.key"))
        let hasher = try HashPool(PasswordHash(pepper: keys.pepper), limits: config.hashing, clock: host.clock)
        let logger = host.logger
        let committed = FactBell()
        let store = try SQLiteAccountStore(
            path: "\(data)/auth.sqlite", factsCommitted: committed.ring,
            trouble: { logger.error("a write failed", metadata: ["error": "\($0)"]) })
        committed.connect(host.publish(Auth.self, from: store).committed)

        let desk = AccountDesk(store: store, hasher: hasher, keys: keys, clock: host.clock, rules: config.rules)
        host.answer(with: RegisterAccountHandler(desk))
        host.answer(with: ReadAccountHandler(desk))
        host.answer(with: OpenSessionHandler(desk))
        host.answer(with: ReadSessionHandler(desk))
        host.answer(with: CloseSessionHandler(desk))
        host.answer(with: SetPINHandler(desk))
        host.answer(with: VerifyPINHandler(desk))

        let sweeper = AccountSweeper(desk)
        host.every(.seconds(60)) {
            do { _ = try await sweeper.sweep() } catch {
                logger.warning("ended sessions are still kept", metadata: ["error": "\(error)"])
            }
        }
        host.atEnd { hasher.stop() }
        try await host.run()
    }
}

/// Joins the store, which has to exist first, to the publisher that reads it.
private final class FactBell: Sendable {
    private let target = Mutex<(@Sendable () -> Void)?>(nil)

    func connect(_ target: @escaping @Sendable () -> Void) { self.target.withLock { $0 = target } }
    var ring: @Sendable () -> Void { { [self] in target.withLock { $0 }?() } }
}

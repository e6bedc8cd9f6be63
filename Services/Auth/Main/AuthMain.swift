import AuthService
import Bus
import Contracts
import Primitives
import ServiceKit
import Sodium

@main
struct AuthMain {
    static func main() async { await ServiceHost.main("auth", serve) }

    private static func serve() async throws {
        let config = try AuthConfig.fromEnvironment()
        let host = try ServiceHost(Auth.service, config: config.host)
        let data = try config.host.dataDirectory(of: Auth.service)
        let keys = AuthKeys(
            file: try KeyFile.open(
                named: config.keyFile, otherwise: "\(data)/auth.key", protecting: "\(data)/auth.sqlite"))
        let hasher = try HashPool(PasswordHash(pepper: keys.pepper), limits: config.hashing, clock: host.clock)
        let logger = host.logger
        let publisher = Late<FactPublisher<Auth>>()
        let store = try SQLiteAccountStore(
            path: "\(data)/auth.sqlite", factsCommitted: { publisher.value?.committed() },
            trouble: { logger.error("a write failed", metadata: ["error": "\($0)"]) })
        publisher.set(host.publish(Auth.self, from: store))

        let desk = AccountDesk(store: store, hasher: hasher, keys: keys, clock: host.clock, rules: config.rules)
        host.answer(with: RegisterAccountHandler(desk))
        host.answer(with: ReadAccountHandler(desk))
        host.answer(with: OpenSessionHandler(desk))
        host.answer(with: ReadSessionHandler(desk))
        host.answer(with: CloseSessionHandler(desk))
        host.answer(with: SetPINHandler(desk))
        host.answer(with: VerifyPINHandler(desk))
        host.answer(with: ReadProfileHandler(desk))
        host.answer(with: UpdateProfileHandler(desk))
        host.answer(with: ChangePasswordHandler(desk))
        host.answer(with: DecideMerchantHandler(desk))
        host.answer(with: ReadMerchantsHandler(desk))
        host.answer(with: RequestResetHandler(desk))
        host.answer(with: UseResetHandler(desk))
        host.answer(with: RestoreAddressHandler(desk))
        host.answer(with: ReadLetterHandler(desk))
        host.answer(with: ConfirmLetterHandler(desk))
        host.answer(with: ReadAdministratorsHandler(desk))
        host.answer(with: RenewAdministratorHandler(desk))
        host.answer(with: RemoveAdministratorHandler(desk))
        host.keeps(
            Auth.self, in: "\(data)/auth.sqlite",
            keys: ["auth.key": KeyFile.inUse(named: config.keyFile, otherwise: "\(data)/auth.key")]
        ) { try await store.copy(to: $0) }
        host.answer(with: TableHandler(Auth.self) { try await store.table($0, after: $1, limit: $2) })

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

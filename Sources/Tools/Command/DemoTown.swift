import Bus
import Contracts
import Primitives
import ServiceKit
import Sodium
import World

/// The town of `billfold demo --world`.
struct DemoTown {
    let address: String
    let connection: BusOptions

    /// Plays until the process is ended.
    func play(seed: UInt64, people: Int) async throws {
        try expectOwnGateway()
        let town = Town(seed: seed, people: people)
        let player = try TownPlayer(town, at: address) { print("the town: \($0)") }
        do { try await player.play(makeClerk: makeClerk) } catch let failure as TownFailure {
            throw CommandFailure.no("\(failure)")
        }
    }

    /// Everybody knows the password of the town's administrator, who is made on the set of the bus.
    private func expectOwnGateway() throws {
        guard let run = connection.ownRun, case .serving(let own, let listening) = GatewayAddress.read(in: run) else {
            throw CommandFailure.usage(
                """
                the town's accounts have a password that everybody knows, and no gateway of this set says on this host where \
                it listens: play the town where the gateway runs, and name the set's --run
                """)
        }
        guard own == HealthProbe.reachable(address) else {
            throw CommandFailure.usage("the gateway at \(address) is not that of the set in \(run): name its --run too")
        }
        guard ["127.", "[::1]:", "localhost:"].contains(where: listening.hasPrefix) else {
            throw CommandFailure.usage(
                """
                the town's accounts have a password that everybody knows: it is played only where the gateway listens on \
                this machine, and this one listens on \(listening)
                """)
        }
    }

    /// Administrators are made over the bus only.
    private func makeClerk() async throws {
        let (reactor, bus) = try connection.open()
        let ask = Auth.RegisterAccount(
            account: Randomness.shared.identifier(at: bus.clock.now()), role: .administrator,
            username: TownPlayer.clerk, password: TownPlayer.password, name: "Town Clerk")
        let refusal: Fault?
        do throws(Fault) {
            _ = try await bus.ask(ask, in: connection.context(bus))
            refusal = nil
        } catch {
            refusal = error
        }
        await reactor.stop()
        // A name that is taken is said by the log-in that follows.
        if let refusal, refusal.code != .usernameTaken { throw refusal }
    }
}

import Bus
import Contracts
import Primitives
import Sodium
import World

/// The town of `billfold demo --world`.
struct DemoTown {
    let address: String
    let connection: BusOptions

    /// Plays until the process is ended.
    func play(seed: UInt64, people: Int) async throws {
        guard address.hasPrefix("127.") else {
            throw CommandFailure.usage(
                "the town's accounts have a password that everybody knows: it is played on a gateway of this machine only, and "
                    + "\(address) may be another's")
        }
        let town = Town(seed: seed, people: people)
        let player = try TownPlayer(town, at: address) { print("the town: \($0)") }
        do { try await player.play(makeClerk: makeClerk) } catch let failure as TownFailure {
            throw CommandFailure.no("\(failure)")
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

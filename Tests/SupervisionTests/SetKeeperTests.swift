import Supervision
import Testing

@Suite("Keeping a set")
struct SetKeeperTests {
    private static func set(_ text: String) throws -> LocalSet {
        let places = LocalSet.Places(project: "/p", run: "/r", data: "/d", executables: "/b")
        return try LocalSet(try ComposeReader.read(text, environment: [:]), at: places)
    }

    private static let usual = """
        services:
          gateway: {restart: always, depends_on: {wallet: {condition: service_healthy}}}
          wallet: {restart: always, depends_on: {broker: {condition: service_healthy}}}
          broker: {restart: always}
        """

    private func keeper(_ text: String = usual) throws -> SetKeeper { SetKeeper(try Self.set(text)) }

    /// All of the usual set, healthy at 0.
    private func running() throws -> SetKeeper {
        var keeper = try keeper()
        _ = keeper.handle(.tick, at: .zero)
        for name in ["broker", "wallet", "gateway"] {
            _ = keeper.handle(.started(name), at: .zero)
            _ = keeper.handle(.healthy(name), at: .zero)
        }
        return keeper
    }

    @Test("starts each when those that it depends on are healthy")
    func order() throws {
        var keeper = try keeper()
        #expect(keeper.handle(.tick, at: .zero) == [.start("broker")])
        #expect(keeper.handle(.started("broker"), at: .zero) == [])
        #expect(keeper.handle(.tick, at: .seconds(1)) == [])
        #expect(keeper.handle(.healthy("broker"), at: .seconds(1)) == [.start("wallet")])
        #expect(keeper.handle(.healthy("wallet"), at: .seconds(1)) == [.start("gateway")])
        #expect(!keeper.isHealthy)
        #expect(keeper.handle(.healthy("gateway"), at: .seconds(1)) == [])
        #expect(keeper.isHealthy)
    }

    @Test("waits for what has to be done, and starts nothing after its failure")
    func completion() throws {
        let text =
            "services: {job: {}, after: {restart: always, depends_on: {job: {condition: service_completed_successfully}}}}"
        var keeper = try keeper(text)
        #expect(keeper.handle(.tick, at: .zero) == [.start("job")])
        #expect(
            keeper.handle(.ended("job", status: 0), at: .zero) == [
                .report("job", status: 0, again: nil), .start("after")
            ]
        )
        var other = try self.keeper(text)
        _ = other.handle(.tick, at: .zero)
        #expect(other.handle(.ended("job", status: 1), at: .zero) == [.report("job", status: 1, again: nil)])
    }

    @Test("knows what does not start: ends again and again, or for good, without ever having been healthy")
    func doesNotStart() throws {
        var keeper = try keeper("services: {a: {restart: always}, b: {}, c: {restart: always}}")
        _ = keeper.handle(.tick, at: .zero)
        _ = keeper.handle(.healthy("c"), at: .zero)
        _ = keeper.handle(.ended("b", status: 1), at: .zero)
        for turn in 1...SetKeeper.startFailuresMax {
            #expect(keeper["a"]?.doesNotStart == false)
            for name in ["a", "c"] {
                _ = keeper.handle(.ended(name, status: 1), at: .seconds(20 * turn))
                _ = keeper.handle(.tick, at: .seconds(20 * turn + 19))
                _ = keeper.handle(.started(name), at: .seconds(20 * turn + 19))
            }
        }
        #expect(["a", "b", "c"].map { keeper[$0]?.doesNotStart } == [true, true, false])
    }

    @Test("starts again what ends, later each time, and soon again after it has run well")
    func backOff() throws {
        var keeper = try running()
        var now = Duration.seconds(1)
        var pauses: [Int] = []
        for _ in 0..<10 {
            let orders = keeper.handle(.ended("wallet", status: 1), at: now)
            guard case .report("wallet", 1, let pause?)? = orders.first else {
                Issue.record("\(orders)")
                return
            }
            pauses.append(Int(pause / .milliseconds(1)))
            #expect(keeper.nextDue(at: now) == now + pause)
            #expect(keeper.handle(.tick, at: now + pause - .milliseconds(1)) == [])
            now += pause
            #expect(keeper.handle(.tick, at: now) == [.start("wallet")])
        }
        #expect(pauses == [100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000, 10000])
        now += SetKeeper.runWell
        #expect(
            keeper.handle(.ended("wallet", status: 1), at: now) == [
                .report("wallet", status: 1, again: .milliseconds(100))
            ])
    }

    @Test("goes by each one's restart policy")
    func policies() throws {
        var keeper = try keeper("services: {never: {}, fails: {restart: 'on-failure:1'}, always: {restart: always}}")
        _ = keeper.handle(.tick, at: .zero)
        #expect(keeper.handle(.ended("never", status: 1), at: .zero) == [.report("never", status: 1, again: nil)])
        #expect(
            keeper.handle(.ended("always", status: 0), at: .zero) == [
                .report("always", status: 0, again: .milliseconds(100))
            ])
        #expect(
            keeper.handle(.ended("fails", status: 1), at: .zero) == [
                .report("fails", status: 1, again: .milliseconds(100))
            ])
        _ = keeper.handle(.tick, at: .seconds(1))
        #expect(keeper.handle(.ended("fails", status: 1), at: .seconds(1)) == [.report("fails", status: 1, again: nil)])
        var clean = try self.keeper("services: {fails: {restart: on-failure}}")
        _ = clean.handle(.tick, at: .zero)
        #expect(
            clean.handle(.ended("fails", status: 0), at: .zero) == [.report("fails", status: 0, again: nil), .finished])
    }

    @Test("stops those that depend on others first, and kills whoever is late")
    func stop() throws {
        var keeper = try running()
        #expect(keeper.handle(.stop, at: .seconds(5)) == [.terminate("gateway"), .terminate("wallet")])
        #expect(keeper.handle(.ended("gateway", status: 0), at: .seconds(5)) == [])
        #expect(keeper.handle(.ended("wallet", status: 0), at: .seconds(5)) == [.terminate("broker")])
        #expect(keeper.handle(.ended("broker", status: 0), at: .seconds(5)) == [.finished])

        var late = try running()
        _ = late.handle(.stop, at: .seconds(5))
        #expect(late.nextDue(at: .seconds(5)) == .seconds(5) + SetKeeper.stopFirstMax)
        #expect(late.handle(.tick, at: .seconds(5) + SetKeeper.stopFirstMax) == [.terminate("broker")])
        #expect(
            late.handle(.tick, at: .seconds(5) + SetKeeper.stopMax) == [
                .kill("gateway"), .kill("wallet"), .kill("broker")
            ])
        #expect(SetKeeper.stopMax < .seconds(2))
    }

    @Test("starts nothing any more once it stops")
    func stopWhileStarting() throws {
        var keeper = try keeper()
        _ = keeper.handle(.tick, at: .zero)
        #expect(keeper.handle(.stop, at: .zero) == [.terminate("broker")])
        #expect(keeper.handle(.healthy("broker"), at: .zero) == [])
        #expect(keeper.handle(.ended("broker", status: 0), at: .zero) == [.finished])
    }

    @Test("leaves a process that was lent to whoever has it")
    func lent() throws {
        var keeper = try running()
        keeper.lend("wallet")
        #expect(keeper.handle(.ended("wallet", status: 0), at: .seconds(1)) == [])
        #expect(keeper.handle(.tick, at: .seconds(60)) == [])
        #expect(keeper.takeBack("wallet", isRunning: false, at: .seconds(60)) == [.start("wallet")])
        keeper.lend("gateway")
        #expect(keeper.takeBack("gateway", isRunning: true, at: .seconds(60)) == [])
        #expect(keeper["gateway"]?.phase == .healthy)
    }
}

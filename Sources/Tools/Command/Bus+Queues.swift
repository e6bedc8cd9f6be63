import Bus
import Contracts
import Primitives

extension Bus {
    /// The services that have a queue: what a command asks for first, to see that the bus is there.
    ///
    /// - Throws: `bus.no_worker` where it does not answer within 3 s.
    func queues() async throws(Fault) -> Broker.ReadQueues.Reply {
        do throws(Fault) {
            return try await ask(Broker.ReadQueues(), in: AskContext(deadline: clock.now() + .seconds(3)))
        } catch {
            throw Fault(.noWorker, "the bus does not answer; nothing was asked. 'billfold ps' shows whether a set runs")
        }
    }
}

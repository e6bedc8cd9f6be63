import Bus
import Contracts
import LoadReport
import Primitives

/// Queue depths by service, as the broker reports them; none while it is away.
package struct QueueWatch {
    private var series: [String: [QueueSample]] = [:]

    package init() {}

    package mutating func sample(_ bus: Bus, offsetSeconds: Double) async {
        // A broker that is stopped or away is what the run may be about: no sample then.
        guard
            let reply = try? await bus.ask(
                Broker.ReadQueues(), in: AskContext(deadline: bus.clock.now() + .milliseconds(300)))
        else { return }
        for queue in reply.services where queue.asks > 0 {
            series[queue.service, default: []].append(
                QueueSample(offsetSeconds: offsetSeconds, depth: queue.queued, inFlight: queue.inFlight))
        }
    }

    package var all: [QueueSeries] {
        series.sorted { $0.key < $1.key }.map { QueueSeries(service: $0.key, samples: $0.value) }
    }
}

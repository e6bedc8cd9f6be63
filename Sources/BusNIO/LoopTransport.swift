import Bus
import BusZMQ
import Contracts
import NIOCore
import NIOPosix
import Primitives

/// The bus for who answers on event loops: an ask that is made on one leaves on a connection of that loop's own, and its answer
/// comes back on it, so that neither way wakes a second thread (ADR 33).
///
/// All else goes the way of the transport behind, and so does an ask that finds the loop's connection closed or full.
package final class LoopTransport: Transport {
    private let behind: any Transport
    private let lanes: [LoopLane]

    /// - Parameters:
    ///   - loops: shut down once nothing is asked on them any more: the connections close with them.
    ///   - path: of the broker's asks.
    package init(
        _ loops: MultiThreadedEventLoopGroup, path: String, behind: any Transport, clock: WallClock = .system
    ) {
        self.behind = behind
        lanes = loops.makeIterator().map { LoopLane($0, path: path, clock: clock) }
        for lane in lanes { lane.loop.execute { lane.connect() } }
    }

    package nonisolated(nonsending) func ask(
        service: String, retry: RetryClass, deadline: Timestamp, body: [UInt8]
    ) async -> TransportAnswer {
        if let loop = MultiThreadedEventLoopGroup.currentEventLoop,
            let lane = lanes.first(where: { $0.loop === loop }), lane.hasRoom
        {
            await lane.ask(service: service, retry: retry, deadline: deadline, body: body)
        } else {
            await behind.ask(service: service, retry: retry, deadline: deadline, body: body)
        }
    }

    // MARK: The transport behind

    package var executor: any TaskExecutor { behind.executor }

    package func ask(
        service: String, retry: RetryClass, deadline: Timestamp, body: [UInt8],
        then: @escaping @Sendable (TransportAnswer) -> Void
    ) {
        behind.ask(service: service, retry: retry, deadline: deadline, body: body, then: then)
    }

    package func serve(
        _ service: String, credit: Int, receive: @escaping @Sendable ([TransportAsk]) -> Void
    ) {
        behind.serve(service, credit: credit, receive: receive)
    }

    package func reply(to token: ReplyToken, body: [UInt8]) { behind.reply(to: token, body: body) }

    package func drain(atMost patience: Duration) async { await behind.drain(atMost: patience) }

    package func publish(_ facts: [PublishedFact]) { behind.publish(facts) }

    package func subscribe(to prefix: String, receive: @escaping @Sendable ([[UInt8]]) -> Void) {
        behind.subscribe(to: prefix, receive: receive)
    }
}

import Bus
import BusZMQ
import Contracts
import NIOCore
import NIOPosix
import Primitives

/// Asks that are made on event loops: each leaves on a connection of its own loop, and its answer comes back on it, so
/// that neither way wakes a second thread (ADR 33).
///
/// An ask that finds its loop's connection closed or full goes through the transport behind; so does one from another
/// thread.
package final class LoopTransport: AskTransport {
    private let behind: any AskTransport
    private let lanes: [LoopLane]

    /// - Parameters:
    ///   - loops: to be shut down when nothing is asked on them any more: the connections close with them.
    ///   - path: of the broker's asks.
    package init(
        _ loops: MultiThreadedEventLoopGroup, path: String, behind: any AskTransport, clock: WallClock = .system
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
}

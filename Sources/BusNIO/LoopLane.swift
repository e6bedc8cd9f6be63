import Bus
import BusZMQ
import Contracts
import NIOCore
import NIOPosix
import Primitives

/// One event loop's way to the broker's asks: a connection, made again whenever it is lost, and the asks in flight on
/// it.
///
/// `@unchecked`: `inFlight` is for any thread, and everything else belongs to the loop.
final class LoopLane: @unchecked Sendable {
    private static let expiryPause = TimeAmount.milliseconds(20)

    let loop: any EventLoop
    private let path: String
    private let inFlight: AsksInFlight
    private var connection: LaneConnection?
    private var pauses = ConnectPauses()
    private var isExpiryDue = false

    init(_ loop: any EventLoop, path: String, clock: WallClock) {
        self.loop = loop
        self.path = path
        inFlight = AsksInFlight(clock: clock)
    }

    /// Whether an ask can be sent at once. On the loop, like all that follows.
    var hasRoom: Bool { connection?.hasRoom ?? false }

    /// Asks where there is room.
    nonisolated(nonsending) func ask(
        service: String, retry: RetryClass, deadline: Timestamp, body: [UInt8]
    ) async -> TransportAnswer {
        await inFlight.ask(service: service, retry: retry, deadline: deadline, body: body) { header, _ in
            connection?.send(header, body)
            expireLater()
        }
    }

    private func expireLater() {
        guard !isExpiryDue else { return }
        isExpiryDue = true
        loop.scheduleTask(in: Self.expiryPause) {
            self.isExpiryDue = false
            self.inFlight.expire(at: monotonicNanoseconds())
            if self.inFlight.count > 0 { self.expireLater() }
        }
    }

    /// Connects, and stays connected while the loop runs.
    func connect() {
        ClientBootstrap(group: loop)
            .channelOption(.writeBufferWaterMark, value: LaneConnection.unsentBytes)
            .channelOption(.recvAllocator, value: LaneConnection.reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = LaneConnection(self.inFlight)
                    try channel.pipeline.syncOperations.addHandler(connection)
                    self.connection = connection
                }
            }
            .connect(unixDomainSocketPath: path)
            .flatMap { $0.closeFuture }
            // Also when no broker listens: it is tried again.
            .whenComplete { _ in self.connectLater() }
    }

    private func connectLater() {
        if connection?.isOpen == true {
            pauses.reset()
            inFlight.connectionLost()
        }
        connection = nil
        loop.scheduleTask(in: .nanoseconds(Int64(pauses.next()))) { self.connect() }
    }
}

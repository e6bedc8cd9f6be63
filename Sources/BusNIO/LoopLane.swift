import Bus
import BusZMQ
import Contracts
import NIOCore
import NIOPosix
import Primitives

/// One event loop's way to the broker's asks: a connection, made again whenever it is lost, and what is asked on it.
///
/// `@unchecked`: `inFlight` is for any thread, and what varies is the loop's own.
final class LoopLane: @unchecked Sendable {
    /// Milliseconds between two tries to connect: few at first, then more.
    private static let pauses: ClosedRange<Int64> = 20...500
    private static let expiryPause = TimeAmount.milliseconds(20)

    let loop: any EventLoop
    private let path: String
    private let inFlight: AsksInFlight
    private var connection: LaneConnection?
    private var pause = pauses.lowerBound
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
        let (tag, refusal) = inFlight.reserve(until: deadline, body)
        guard let tag else { return .refused(refusal) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard inFlight.wait(tag, .task(continuation)) else { return }
                connection?.send(PeerFrames.ask(service: service, retry: retry, tag: tag, deadline: deadline), body)
                expireLater()
            }
        } onCancel: {
            inFlight.cancel(tag)
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
            // Nobody listens yet, or no more: that is no news.
            .whenComplete { _ in self.connectLater() }
    }

    private func connectLater() {
        if connection?.isOpen == true { pause = Self.pauses.lowerBound }
        connection = nil
        loop.scheduleTask(in: .milliseconds(pause)) { self.connect() }
        pause = min(pause * 2, Self.pauses.upperBound)
    }
}

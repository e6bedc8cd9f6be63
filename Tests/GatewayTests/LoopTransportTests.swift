import Bus
import BusNIO
import BusZMQ
import Contracts
import Foundation
import GatewayService
import NIOCore
import NIOPosix
import Primitives
import TestKit
import Testing

@Suite("Asks on event loops")
struct LoopTransportTests {
    @Test("an ask made on a loop goes on that loop's connection; elsewhere, and while there is none, the other way")
    func ways() async throws {
        try await Lanes.run(loops: 2) { lanes in
            #expect(await lanes.onLoop(0) { await lanes.ask("early") } == .behind)
            let broker = try lanes.broker(1) { (0, $0.body + Array(" of \($0.service)".utf8)) }
            for loop in 0..<2 {
                await lanes.connected(loop)
                #expect(await lanes.onLoop(loop) { await lanes.ask("hello") } == .answer("hello of wallet"))
            }
            #expect(await lanes.ask("from a thread of its own") == .behind)
            await broker.stop()
        }
    }

    @Test("many at once, of all sizes, each get their own answer")
    func many() async throws {
        try await Lanes.run { lanes in
            let broker = try lanes.broker(1) { (0, $0.body.reversed()) }
            await lanes.connected()
            let sizes = (0..<400).map { $0 % 40 == 0 ? 60_000 + $0 : $0 * 7 }
            await lanes.onLoop(0) {
                await withTaskGroup(of: Void.self) { tasks in
                    for (index, size) in sizes.enumerated() {
                        tasks.addTask {
                            let text = "\(index)," + String(repeating: "x", count: size)
                            #expect(await lanes.ask(text) == .answer(String(text.reversed())))
                        }
                    }
                }
            }
            await broker.stop()
        }
    }

    @Test("the broker's refusal is the answer")
    func refused() async throws {
        try await Lanes.run { lanes in
            let broker = try lanes.broker(1) { $0.body == Array("no".utf8) ? (2, []) : (0, $0.body) }
            await lanes.connected()
            #expect(await lanes.onLoop(0) { await lanes.ask("no") } == .refused(.queueFull))
            await broker.stop()
        }
    }

    @Test(
        "what was asked on a connection that is lost is lost, whether its broker goes on (1) or another one follows it",
        arguments: [1, 2] as [UInt8])
    func connectionLost(next: UInt8) async throws {
        try await Lanes.run { lanes in
            let first = try lanes.broker(1) { $0.body == Array("keep".utf8) ? nil : (0, $0.body) }
            await lanes.connected()
            let before = first.count
            async let kept = lanes.onLoop(0) { await lanes.ask("keep") }
            while first.count == before { await Task.yield() }
            await first.stop()
            let second = try lanes.broker(next) { (0, $0.body) }
            #expect(await kept == .refused(.workerLost))
            await lanes.connected()
            #expect(await lanes.onLoop(0) { await lanes.ask("again") } == .answer("again"))
            await second.stop()
        }
    }

    @Test(
        "without an answer the outcome is unknown some time after the deadline; a deadline that has passed asks nobody")
    func late() async throws {
        try await Lanes.run { lanes in
            let broker = try lanes.broker(1) { $0.body == Array("keep".utf8) ? nil : (0, $0.body) }
            await lanes.connected()
            let asked = broker.count
            #expect(await lanes.onLoop(0) { await lanes.ask("x", within: .zero) } == .refused(.deadlineExceeded))
            #expect(broker.count == asked)
            #expect(
                await lanes.onLoop(0) { await lanes.ask("keep", within: .seconds(1)) }
                    == .refused(.outcomeUnknown))
            await broker.stop()
        }
    }

    @Test("who is cancelled waits no longer")
    func cancelled() async throws {
        try await Lanes.run { lanes in
            let broker = try lanes.broker(1) { $0.body == Array("keep".utf8) ? nil : (0, $0.body) }
            await lanes.connected()
            let before = broker.count
            let asking = Task { await lanes.onLoop(0) { await lanes.ask("keep") } }
            while broker.count == before { await Task.yield() }
            asking.cancel()
            #expect(await asking.value == .refused(.cancelled))
            await broker.stop()
        }
    }

    @Test("more than an envelope may have is refused here")
    func tooLarge() async throws {
        try await Lanes.run { lanes in
            let broker = try lanes.broker(1) { (0, $0.body) }
            await lanes.connected()
            let asked = broker.count
            let text = String(repeating: "x", count: Envelope.bytesMax + 1)
            #expect(await lanes.onLoop(0) { await lanes.ask(text) } == .refused(.tooLarge))
            #expect(broker.count == asked)
            await broker.stop()
        }
    }

    @Test("who is no broker is left alone")
    func garbage() async throws {
        try await Lanes.run { lanes in
            let (accepted, accept) = AsyncStream.makeStream(of: (any Channel).self)
            let listener = try await ServerBootstrap(group: lanes.loops)
                .childChannelInitializer { channel in
                    accept.yield(channel)
                    channel.writeAndFlush(ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n\r\n"), promise: nil)
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                .bind(unixDomainSocketPath: lanes.path).get()
            let stranger = try #require(await accepted.first { _ in true })
            try await stranger.closeFuture.get()
            #expect(await lanes.onLoop(0) { await lanes.ask("x") } == .behind)
            try await listener.close()
            let broker = try lanes.broker(1) { (0, $0.body) }
            await lanes.connected()
            #expect(await lanes.onLoop(0) { await lanes.ask("x") } == .answer("x"))
            await broker.stop()
        }
    }
}

/// Event loops with a transport, and a directory for its socket.
private final class Lanes: Sendable {
    enum Outcome: Equatable {
        case answer(String)
        case refused(FaultCode)
        case behind
    }

    let loops: MultiThreadedEventLoopGroup
    let path: String
    private let directory: TemporaryDirectory
    private let behind = Behind()
    private let transport: LoopTransport
    private let executors: [EventLoopTaskExecutor]

    private init(_ loops: MultiThreadedEventLoopGroup, in directory: TemporaryDirectory) {
        self.loops = loops
        self.directory = directory
        path = directory.file("asks.sock")
        transport = LoopTransport(loops, path: path, behind: behind)
        executors = loops.makeIterator().map { EventLoopTaskExecutor($0) }
    }

    static func run(loops count: Int = 1, _ body: (Lanes) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: count)
        try await body(Lanes(loops, in: directory))
        try await loops.shutdownGracefully()
    }

    func broker(_ instance: UInt8, _ answer: @escaping StandInBroker.Answer) throws -> StandInBroker {
        try StandInBroker(path, instance: instance, answer: answer)
    }

    func onLoop<Value: Sendable>(_ index: Int, _ body: @escaping @Sendable () async -> Value) async -> Value {
        await withTaskExecutorPreference(executors[index], operation: body)
    }

    /// Returns once what is asked on the loop reaches a broker.
    func connected(_ loop: Int = 0) async {
        while await onLoop(loop, { await self.ask("are you there?") }) == .behind {}
    }

    func ask(_ text: String, within time: Duration = .seconds(60)) async -> Outcome {
        let answer = await transport.ask(
            service: "wallet", retry: .once, deadline: WallClock.system.now() + time, body: Array(text.utf8))
        return switch answer {
        case .envelope(let bytes): bytes == Behind.bytes ? .behind : .answer(String(decoding: bytes, as: UTF8.self))
        case .refused(let code): .refused(code)
        }
    }
}

/// Says of all that it is asked that it was asked it.
private final class Behind: AskTransport {
    static let bytes = Array("behind".utf8)

    nonisolated(nonsending) func ask(
        service: String, retry: RetryClass, deadline: Timestamp, body: [UInt8]
    ) async -> TransportAnswer { .envelope(Self.bytes) }
}

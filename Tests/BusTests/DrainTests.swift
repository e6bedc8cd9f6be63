import BusZMQ
import Foundation
import Glibc
import TestKit
import Testing
import ZMTP

@Suite("A worker that drains")
struct DrainTests {
    @Test("asks that come in one piece with the broker's GOODBYE are answered before DISCONNECT")
    func together() async throws {
        let directory = try TemporaryDirectory()
        let received = try heardByBroker(directory.file("asks.sock"))

        let reactor = try Reactor(Reactor.Settings(runDirectory: directory.path))
        reactor.start()
        reactor.serve("wallet", credit: 8) { asks in
            // Not a task: other tests may hold all threads of the pool for long.
            OSThread { for ask in asks { reactor.reply(to: ask.token, body: ask.body ?? []) } }.detach()
        }
        await reactor.drain(atMost: .seconds(120))
        let commands = await received.first { _ in true }
        await reactor.stop()
        #expect(commands == [1, 7, 4, 4, 4, 6], "READY, GOODBYE, three replies, DISCONNECT")
        withExtendedLifetime(directory) {}
    }

    /// The commands (docs/frames.md) that a worker sends to a broker which answers GOODBYE with three asks and GOODBYE,
    /// written at once; up to DISCONNECT, or what there was in 120 s.
    private func heardByBroker(_ path: String) throws -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let listener = try UnixSocket.listen(path)
        OSThread {
            let end = ContinuousClock.now + .seconds(120)
            let memory = LinkMemory(frames: 3)
            var link: Link?
            var commands: [UInt8] = []
            while ContinuousClock.now < end, commands.last != 6 {
                var item = pollfd(fd: link?.descriptor ?? listener, events: Int16(POLLIN), revents: 0)
                poll(&item, 1, 10)
                // Not there yet: the next turn looks again.
                if link == nil, let descriptor = try? UnixSocket.accept(listener) {
                    link = Link(descriptor: descriptor, role: .router)
                }
                guard let link else { continue }
                do {
                    _ = try link.receive(memory) { frames in
                        let header = [UInt8](frames[0])
                        if header == PeerFrames.ping {
                            PeerFrames.pong(instance: 1).withUnsafeBytes { link.append($0, more: false) }
                        }
                        // A worker's, but for its heartbeats.
                        guard header[2] == UInt8(ascii: "W"), header[4] != 5 else { return }
                        commands.append(header[4])
                        if header[4] == 7 { Self.askAndTakeLeave(link) }
                    }
                    try link.flush()
                } catch { break }
            }
            close(listener)
            continuation.yield(commands)
            continuation.finish()
        }.detach()
        return stream
    }

    private static func askAndTakeLeave(_ link: Link) {
        let worker = Array("BFW1".utf8)
        for number in 1...UInt8(3) {
            let token = [UInt8](repeating: number, count: 16)
            (worker + [2, 1, 0, 0] + token + [UInt8](repeating: 0, count: 8)).withUnsafeBytes {
                link.append($0, more: true)
            }
            Array("{}".utf8).withUnsafeBytes { link.append($0, more: false) }
        }
        (worker + [7, 0, 0, 0]).withUnsafeBytes { link.append($0, more: false) }
    }
}

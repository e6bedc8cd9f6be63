import Glibc
import Testing
import ZMTP

/// Two links over a pair of sockets.
@Suite struct LinkTests {
    private let memory = LinkMemory(frames: 3)
    private let client: Link
    private let server: Link

    init() throws {
        var pair: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &pair) == 0)
        var limits = LinkLimits()
        limits.unsentBytes = 1 << 20
        client = Link(descriptor: pair[0], role: .dealer, limits: limits)
        server = Link(descriptor: pair[1], role: .router, limits: limits)
    }

    private func open() throws(LinkFault) {
        try client.flush()
        try server.flush()
        _ = try server.receive(memory) { _ in }
        _ = try client.receive(memory) { _ in }
    }

    private func send(_ link: Link, _ frames: [[UInt8]]) {
        for (index, frame) in frames.enumerated() {
            frame.withUnsafeBytes { link.append($0, more: index + 1 < frames.count) }
        }
    }

    @Test func nothingIsSentBeforeThePeerHasSaidReady() throws {
        #expect(!client.hasRoom)
        try open()
        #expect(client.isOpen && server.isOpen && client.hasRoom)
    }

    @Test func messagesGoBothWays() throws {
        try open()
        let body = [UInt8](repeating: 9, count: 100_000)
        send(client, [[1], []])
        send(client, [[2], body])
        var received: [[[UInt8]]] = []
        while received.count < 2 {
            try client.flush()
            _ = try server.receive(memory) { received.append($0.map { [UInt8]($0) }) }
        }
        #expect(received == [[[1], []], [[2], body]])
        send(server, [[3]])
        try server.flush()
        _ = try client.receive(memory) { received.append($0.map { [UInt8]($0) }) }
        #expect(received.last == [[3]])
    }

    /// What the peer does not read waits up to the bound, whole messages only, and goes when it reads.
    @Test func aPeerThatDoesNotReadFillsItsOwnQueueOnly() throws {
        try open()
        let body = [UInt8](repeating: 1, count: 10_000)
        var sent = 0
        while server.hasRoom {
            send(server, [[7], body])
            sent += 1
            try server.flush()
        }
        #expect(server.isFull)
        #expect(server.unsentBytes >= 1 << 20 && server.unsentBytes < (1 << 20) + 20_000)
        var received = 0
        while received < sent {
            _ = try client.receive(memory) { frames in
                #expect(frames.count == 2 && frames[1].count == body.count)
                received += 1
            }
            try server.flush()
        }
        #expect(!server.isFull && server.unsentBytes == 0)
    }

    @Test func theEndIsHeardAfterTheLastMessage() throws {
        try open()
        send(client, [[5]])
        try client.flush()
        shutdown(client.descriptor, Int32(SHUT_WR))
        var received = 0
        _ = try server.receive(memory) { _ in received += 1 }
        #expect(received == 1)
        #expect(throws: LinkFault.closed) { _ = try server.receive(memory) { _ in } }
    }
}

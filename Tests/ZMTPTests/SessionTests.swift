import Testing
import ZMTP

/// A connection's bytes, read in pieces of every size.
@Suite struct SessionTests {
    /// A whole stream as libzmq 4.3 opens one, then the frames given.
    private func stream(_ frames: [UInt8], type: String = "DEALER", identity: [UInt8] = []) -> [UInt8] {
        var ready: [UInt8] = [5] + Array("READY".utf8)
        for (name, value) in [("Socket-Type", Array(type.utf8)), ("Identity", identity)] {
            ready += [UInt8(name.utf8.count)] + Array(name.utf8) + [0, 0, 0, UInt8(value.count)] + value
        }
        return Opening.greeting + [4, UInt8(ready.count)] + ready + frames
    }

    private struct Received {
        var messages: [[[UInt8]]] = []
        var replies: [UInt8] = []
        var isOpen = false
        var fault: LinkFault?
    }

    /// Gives the stream in pieces, as a link does: what is not done with comes again in front of the next piece.
    private func receive(_ bytes: [UInt8], pieces: Int, limits: LinkLimits = LinkLimits(), frames: Int = 8) -> Received
    {
        var session = Session(.router, limits: limits)
        let table = FrameTable(capacity: frames + 1)
        var received = Received()
        var region: [UInt8] = []
        var next = 0
        while next < bytes.count, received.fault == nil {
            let end = min(next + pieces, bytes.count)
            region += bytes[next..<end]
            next = end
            region.withUnsafeBytes { region in
                do throws(LinkFault) {
                    while try session.next(in: region, table) {
                        received.messages.append(table.frames.map { [UInt8]($0) })
                    }
                } catch { received.fault = error }
            }
            region.removeFirst(session.done)
            session.rebase()
            received.replies += session.replies
            session.replies = []
        }
        received.isOpen = session.isOpen
        return received
    }

    private static let piecesOfEverySize = [1, 2, 3, 7, 63, 64, 65, 100, 1_000, 1_000_000]

    @Test(arguments: piecesOfEverySize)
    func messagesComeWholeHoweverTheyAreCut(pieces: Int) {
        let body = [UInt8](repeating: 7, count: 300)
        let long: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 1, 44] + body
        let received = receive(stream([1, 2, 10, 11] + long + [0, 0] + [1, 1, 5, 1, 0, 0, 1, 6]), pieces: pieces)
        #expect(received.fault == nil)
        #expect(received.isOpen)
        #expect(received.messages == [[[10, 11], body], [[]], [[5], [], [6]]])
    }

    /// RFC 37, "Heartbeating": the context comes back; a PING may come between the frames of a message.
    @Test(arguments: piecesOfEverySize)
    func pingIsAnsweredOnce(pieces: Int) {
        let ping: [UInt8] = [4, 9] + [4] + Array("PING".utf8) + [0, 10] + [1, 2]
        let received = receive(stream(ping + [1, 1, 5] + ping + [0, 1, 6]), pieces: pieces)
        let pong: [UInt8] = [4, 7] + [4] + Array("PONG".utf8) + [1, 2]
        #expect(received.fault == nil)
        #expect(received.messages == [[[5], [6]]])
        #expect(received.replies == pong + pong)
    }

    @Test func unknownCommandsMeanNothing() {
        let received = receive(stream([4, 6, 5] + Array("WHAT?".utf8) + [0, 1, 9]), pieces: 5)
        #expect(received.messages == [[[9]]])
        #expect(received.replies.isEmpty)
    }

    /// What has more frames than any message may have is given with one more, however many there are.
    @Test(arguments: [1, 50, 1_000_000])
    func framesBeyondTheTableAreCounted(pieces: Int) {
        let many = [UInt8]((0..<100).flatMap { [1, 1, UInt8($0)] } + [0, 1, 200])
        let received = receive(stream(many + [0, 1, 9]), pieces: pieces, frames: 4)
        #expect(received.messages == [[[0], [1], [2], [3], [200]], [[9]]])
    }

    @Test(arguments: piecesOfEverySize)
    func whatMayNotBeEndsTheConnection(pieces: Int) {
        func fault(_ bytes: [UInt8]) -> LinkFault? {
            var limits = LinkLimits()
            limits.frameBytes = 1_000
            limits.messageBytes = 3_000
            return receive(bytes, pieces: pieces, limits: limits).fault
        }
        #expect(fault(Array("GET / HTTP/1.1\r\n\r\n".utf8)) == .notZMTP3)
        var old = Opening.greeting
        old[10] = 1
        #expect(fault(old) == .notZMTP3)
        #expect(fault(Opening.greeting[..<12] + Array("CURVE".utf8) + [UInt8](repeating: 0, count: 47)) == .mechanism)
        #expect(fault(stream([], type: "PUB")) == .wrongPeer)
        #expect(fault(stream([], identity: [0, 1])) == .forbiddenName)
        #expect(fault(stream([], identity: [1, 0])) == nil)
        #expect(fault(Opening.greeting + [4, 3, 1, 65, 66]) == .brokenFrame)
        // A message before READY; flags that no frame has; a frame and a message too large, told by the length alone.
        #expect(fault(Opening.greeting + [0, 3, 1, 65, 66]) == .brokenFrame)
        #expect(fault(stream([8, 1, 1])) == .brokenFrame)
        #expect(fault(stream([2, 0, 0, 0, 0, 0, 0, 3, 233])) == .frameTooLarge)
        #expect(fault(stream([2, 255, 255, 255, 255, 255, 255, 255, 255])) == .frameTooLarge)
        #expect(fault(stream([UInt8]((0..<50).flatMap { _ in [1, 0] }))) == .messageTooLarge)
    }

    @Test func readyCutShortIsNone() {
        let whole = stream([])
        let body = Array(whole[(Opening.greetingBytes + 2)...])
        for count in 7..<body.count {
            let short = Opening.greeting + [4, UInt8(count)] + body[..<count]
            let fault = receive(short, pieces: 1_000).fault
            // The socket type alone is enough; what is cut within a property is no READY.
            #expect(fault == (count == 28 ? nil : .brokenFrame), "\(count) bytes")
        }
    }
}

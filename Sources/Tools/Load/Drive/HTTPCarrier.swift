import CLinux
import Contracts
import Glibc
import Primitives

/// Requests over HTTP/1.1: one thread, many keep-alive connections, spread over the gateways, one request at a time on
/// each, watched by one epoll.
package final class HTTPCarrier: Carrier {
    private enum State { case closed, connecting, idle, busy }

    private struct Connection {
        var socket: Int32 = -1
        var state = State.closed
        var slot = -1
        /// What has been received of the answer.
        var received = 0
        var sent: UInt64 = 0
        /// When a closed connection is tried again.
        var retry: UInt64 = 0
        var pause: UInt64 = 0
    }

    private static let inputMax = 32 * 1024
    private static let pauseFirst: UInt64 = 10_000_000
    private static let pauseMax: UInt64 = 500_000_000

    private let scenarios: [any Scenario]
    private let stage: Stage
    private let logins: LogIns
    /// The connection with a number is one to the gateway with this number, modulo their count.
    private let gateways: [HTTPAddress]
    private let poll: Int32
    private let text = RequestText()
    private var connections: [Connection]
    private let inputs: UnsafeMutablePointer<UInt8>
    private var idle: [Int] = []
    private var nextSweep: UInt64 = 0
    private var events = [epoll_event](repeating: epoll_event(), count: 256)
    /// The first lines of requests behind their paths, by gateway.
    private let hostLines: [[UInt8]]

    package init(
        gateways: [HTTPAddress], connections count: Int, scenarios: [any Scenario], stage: Stage, logins: LogIns
    ) throws {
        self.gateways = gateways
        self.scenarios = scenarios
        self.stage = stage
        self.logins = logins
        poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard poll >= 0 else { throw LoadFailure("cannot make an epoll: \(lastError())") }
        connections = Array(repeating: Connection(), count: count)
        inputs = .allocate(capacity: count * Self.inputMax)
        hostLines = gateways.map { Array(" HTTP/1.1\r\nHost: \($0.text)\r\nAuthorization: Bearer ".utf8) }
    }

    deinit {
        for connection in connections where connection.socket >= 0 { close(connection.socket) }
        close(poll)
        inputs.deallocate()
    }

    package var hasRoom: Bool { !idle.isEmpty }

    package func send(_ operation: LoadOperation, slot: Int, now: UInt64) -> Bool {
        guard let index = idle.popLast() else { return false }
        let scenario = scenarios[operation.scenario]
        let step = scenario.steps[operation.step]
        text.clear()
        text.text(step.method)
        text.text(" ")
        scenario.writePath(operation.step, operation, stage, to: text)
        text.text(hostLines[index % hostLines.count])
        text.text(step.asker == .customer ? logins.customers[operation.customer] : logins.merchants[operation.merchant])
        if step.isKeyed {
            text.text("\r\nIdempotency-Key: ")
            stage.writeKey(operation.number, to: text)
        }
        scenario.writeFields(operation.step, operation, stage, to: text)
        text.text("\r\nContent-Type: application/json\r\nContent-Length: ")
        let lengthPlace = text.count
        text.text("0000\r\n\r\n")
        let bodyPlace = text.count
        scenario.writeBody(operation.step, operation, stage, to: text)
        text.patch(at: lengthPlace, fourDigits: text.count - bodyPlace)

        connections[index].state = .busy
        connections[index].slot = slot
        connections[index].sent = now
        connections[index].received = 0
        let count = Glibc.send(connections[index].socket, text.bytes, text.count, Int32(MSG_NOSIGNAL))
        if count != text.count {
            // A request that does not fit into an idle connection's buffer: the peer is in no state to take any. Half
            // of it may be there, so this connection ends; the sweep tells the operation.
            shutdown(connections[index].socket, Int32(SHUT_RDWR))
        }
        return true
    }

    package func receive(now: UInt64, _ handle: (Int, CarrierEvent) -> Void) -> Bool {
        if now >= nextSweep { sweep(now, handle) }
        let count = epoll_wait(poll, &events, Int32(events.count), 0)
        guard count > 0 else { return false }
        for event in events[..<Int(count)] {
            let index = Int(event.data.u32)
            switch connections[index].state {
            case .connecting: finishConnecting(index, now)
            case .idle, .busy: read(index, now, handle)
            case .closed: break
            }
        }
        return true
    }

    package func wait(nanoseconds: UInt64) {
        var item = pollfd(fd: poll, events: Int16(POLLIN), revents: 0)
        sleepOn(&item, nanoseconds)
    }

    // MARK: Answers

    private func read(_ index: Int, _ now: UInt64, _ handle: (Int, CarrierEvent) -> Void) {
        let input = inputs + index * Self.inputMax
        let room = Self.inputMax - connections[index].received
        let count = recv(connections[index].socket, input + connections[index].received, room, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { return lose(index, now, .connection, handle) }
        connections[index].received += count
        let bytes = UnsafeRawBufferPointer(start: input, count: connections[index].received)
        guard let answer = HTTPAnswer(bytes) else {
            if connections[index].received == Self.inputMax { lose(index, now, .answer, handle) }
            return
        }
        let slot = connections[index].slot
        guard connections[index].state == .busy else { return lose(index, now, .connection, handle) }
        if answer.closes {
            drop(index, now)
        } else {
            connections[index].state = .idle
            connections[index].slot = -1
            idle.append(index)
        }
        handle(slot, answer.status < 300 ? .reply(answer.body) : .refusal(answer.body))
    }

    private func lose(_ index: Int, _ now: UInt64, _ why: LostReason, _ handle: (Int, CarrierEvent) -> Void) {
        let slot = connections[index].slot
        drop(index, now)
        if slot >= 0 { handle(slot, .lost(why)) }
    }

    // MARK: Connections

    /// Time-outs, and connections to be made; twenty times a second.
    private func sweep(_ now: UInt64, _ handle: (Int, CarrierEvent) -> Void) {
        nextSweep = now + 5_000_000
        for index in connections.indices {
            switch connections[index].state {
            case .closed where connections[index].retry <= now: connect(index, now)
            case .busy where connections[index].sent + answerPatience < now: lose(index, now, .timeout, handle)
            default: break
            }
        }
    }

    private func connect(_ index: Int, _ now: UInt64) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { return drop(index, now) }
        connections[index].socket = descriptor
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var event = epoll_event(events: EPOLLIN.rawValue | EPOLLOUT.rawValue, data: epoll_data(u32: UInt32(index)))
        epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event)
        connections[index].state = .connecting
        if gateways[index % gateways.count].connect(descriptor) != 0, errno != EINPROGRESS { drop(index, now) }
    }

    private func finishConnecting(_ index: Int, _ now: UInt64) {
        var failure: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(connections[index].socket, SOL_SOCKET, SO_ERROR, &failure, &size)
        guard failure == 0 else { return drop(index, now) }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(u32: UInt32(index)))
        epoll_ctl(poll, EPOLL_CTL_MOD, connections[index].socket, &event)
        connections[index].state = .idle
        connections[index].pause = 0
        idle.append(index)
    }

    private func drop(_ index: Int, _ now: UInt64) {
        if connections[index].state == .idle { idle.removeAll { $0 == index } }
        if connections[index].socket >= 0 { close(connections[index].socket) }
        let pause = min(max(Self.pauseFirst, connections[index].pause * 2), Self.pauseMax)
        connections[index] = Connection()
        connections[index].pause = pause
        connections[index].retry = now + pause
    }
}

/// The first answer in what a connection has received, if it is whole. Bodies have a Content-Length here.
package struct HTTPAnswer {
    package let status: Int
    package let body: AnswerText
    /// Whether the connection ends with it.
    package let closes: Bool

    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 12, let base = bytes.baseAddress, let blank = memmem(base, bytes.count, "\r\n\r\n", 4)
        else { return nil }
        let head = UnsafeRawPointer(blank) - base
        let fields = AnswerText(UnsafeRawBufferPointer(start: base, count: head + 2))
        let digits = bytes[9..<12].map { Int($0) - 48 }
        status = digits[0] * 100 + digits[1] * 10 + digits[2]
        let length =
            fields.integer("Content-Length: ") ?? fields.integer("content-length: ")
            ?? fields.integer("Content-length: ") ?? 0
        guard bytes.count >= head + 4 + Int(length) else { return nil }
        body = AnswerText(UnsafeRawBufferPointer(rebasing: bytes[(head + 4)..<(head + 4 + Int(length))]))
        closes = fields.after("Connection: close\r") != nil || fields.after("connection: close\r") != nil
    }
}

/// The tokens of those who have logged in, by their number in the population.
package struct LogIns: Sendable {
    package var customers: [[UInt8]]
    package var merchants: [[UInt8]]
    /// The customers' sessions, in which PINs are entered.
    package var sessions: [Auth.SessionView]

    package init(customers: [[UInt8]] = [], merchants: [[UInt8]] = [], sessions: [Auth.SessionView] = []) {
        self.customers = customers
        self.merchants = merchants
        self.sessions = sessions
    }
}

/// Something that the run cannot go on without.
package struct LoadFailure: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

/// The set, its gateway or a service that the run needs does not answer: nothing was played.
package struct LoadUnreachable: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

func lastError() -> String { String(cString: strerror(errno)) }

import Bus
import BusZMQ
import CLinux
import Glibc
import Primitives
import Synchronization

/// The event streams of a run's apps: opens them, reads them on threads of its own, opens each again that breaks, and
/// keeps which requests for money each has told of.
package final class StreamWatch: Sendable {
    /// Streams of one account: as many as a gateway allows (`BILLFOLD_EVENT_STREAMS_PER_ACCOUNT`).
    package static let perCustomer = 8
    /// A customer's app goes on where its stream has broken off, this much later: nanoseconds.
    private static let pause: UInt64 = 200_000_000
    /// How long all streams may take to be open at the start.
    private static let patience = Duration.seconds(120)
    /// Streams of one source address on this machine: an address has fewer ports than a gateway has streams.
    private static let perAddress = 8192

    private struct State {
        var evidence: StreamEvidence
        var open = 0
        var lastEvent = monotonicNanoseconds()
        /// Why not all can be opened.
        var trouble: String?
        /// Processor time of each reading thread, by its first stream.
        var cpuMicros: [Int: Double] = [:]
    }

    /// Customers' tokens; the stream with a number is that of the customer with this number, modulo their count.
    private let tokens: [[UInt8]]
    /// By customer: the newest notice before the run.
    private let heads: [Int64]
    /// The stream with a number is open at the gateway with this number, modulo their count.
    private let gateways: [HTTPAddress]
    private let count: Int
    private let state: Mutex<State>
    private let stopping = Atomic(false)

    /// - Parameter heads: by customer, the newest notice in the inbox before the run: streams begin behind it.
    package init(gateways: [HTTPAddress], count: Int, logIns: LogIns, heads: [Int64]) {
        self.gateways = gateways
        self.count = count
        tokens = logIns.customers
        self.heads = heads
        state = Mutex(State(evidence: StreamEvidence(streams: count, customers: max(1, logIns.customers.count))))
    }

    /// Opens all streams.
    ///
    /// - Throws: `LoadFailure` where the gateway does not let them be opened.
    package func start(progress: (String, Int, Int) -> Void) async throws {
        guard count > 0 else { return }
        let most = Self.filesAllowed(count)
        for first in stride(from: 0, to: count, by: most) {
            OSThread { [self] in run(first..<min(first + most, count)) }.detach()
        }
        let end = ContinuousClock.now + Self.patience
        while true {
            let (open, trouble) = state.withLock { ($0.open, $0.trouble) }
            if let trouble { throw LoadFailure(trouble) }
            progress("event streams", open, count)
            if open == count { return }
            guard ContinuousClock.now < end else {
                throw LoadFailure(
                    "of \(count) event streams \(open) could be opened: see BILLFOLD_EVENT_STREAMS and "
                        + "BILLFOLD_HTTP_CONNECTIONS")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    package func stop() { stopping.store(true, ordering: .relaxed) }

    /// What the streams have told, once no more comes: each of these requests has arrived, or nothing has for three
    /// seconds.
    package func settled(expecting expected: Int) async -> StreamEvidence {
        while true {
            let (evidence, last) = state.withLock { ($0.evidence, $0.lastEvent) }
            if evidence.told.count >= expected || monotonicNanoseconds() - last > 3_000_000_000 { return evidence }
            // Cut short only when the whole command ends.
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Processor time of the reading threads so far.
    package var cpuMicros: Double { state.withLock { $0.cpuMicros.values.reduce(0, +) } }

    /// Raises the number of files that one table may have, as far as that is allowed: for the streams, and for the
    /// connections of the load, which are in the process's own table.
    ///
    /// - Returns: how many streams one thread may have open, beside its epoll and what every process has.
    private static func filesAllowed(_ wanted: Int) -> Int {
        let own = 8
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(max(limit.rlim_cur, rlim_t(wanted + 8192)), limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // A hard limit above the kernel's own cannot be set.
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return max(1, Int(clamping: limit.rlim_cur) - own)
    }

    // MARK: Its threads

    private struct Stream {
        let number: Int
        var socket: Int32 = -1
        var text = StreamText()
        var isOpen = false
        /// When it is to be opened.
        var due: UInt64 = 0
        /// What it goes on behind.
        var last: Int64
    }

    private func run(_ numbers: Range<Int>) {
        pthread_setname_np(pthread_self(), "streams")
        // Together the threads have more files open than one table of files may have.
        if billfold_leave_files() != 0, numbers.count < count {
            let why = "\(count) event streams need more open files than one process may have here: \(lastError())"
            return state.withLock { $0.trouble = why }
        }
        let poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        var streams = numbers.map { Stream(number: $0, last: heads[$0 % heads.count]) }
        var events = [epoll_event](repeating: epoll_event(), count: 512)
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        var nextSweep: UInt64 = 0
        defer {
            for stream in streams where stream.socket >= 0 { close(stream.socket) }
            close(poll)
        }
        while !stopping.load(ordering: .relaxed) {
            let now = monotonicNanoseconds()
            if now >= nextSweep {
                nextSweep = now + 50_000_000
                // A few at a time: a gateway takes so many connections at once.
                for index in streams.indices.filter({ streams[$0].socket < 0 && streams[$0].due <= now }).prefix(200) {
                    open(&streams[index], index, poll)
                }
                let cpu = ProcessWatch.threadMicros()
                state.withLock { $0.cpuMicros[numbers.lowerBound] = cpu }
            }
            let ready = epoll_wait(poll, &events, Int32(events.count), 50)
            for event in events[..<Int(max(0, ready))] {
                let index = Int(event.data.u32)
                let got = recv(streams[index].socket, &buffer, buffer.count, 0)
                if got < 0, errno == EAGAIN || errno == EINTR || errno == ENOTCONN { continue }
                guard got > 0, read(&streams[index], buffer[..<got]) else {
                    lose(&streams[index])
                    continue
                }
            }
        }
    }

    private func open(_ stream: inout Stream, _ index: Int, _ poll: Int32) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let address = gateways[stream.number % gateways.count]
        stream.socket = socket(AF_INET, kind, 0)
        // To this machine, or one nearby: it does not take long, and refuses at once where nobody listens.
        guard stream.socket >= 0, address.bind(stream.socket, toLoopback: stream.number / Self.perAddress),
            address.connect(stream.socket) == 0
        else { return lose(&stream) }
        var request = Array("GET /v1/notices/events HTTP/1.1\r\nHost: \(address.text)\r\nAuthorization: Bearer ".utf8)
        request += tokens[stream.number % tokens.count]
        request += Array("\r\nLast-Event-ID: \(stream.last)\r\n\r\n".utf8)
        guard Glibc.send(stream.socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            return lose(&stream)
        }
        _ = fcntl(stream.socket, F_SETFL, fcntl(stream.socket, F_GETFL) | O_NONBLOCK)
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(u32: UInt32(index)))
        epoll_ctl(poll, EPOLL_CTL_ADD, stream.socket, &event)
    }

    private func lose(_ stream: inout Stream) {
        if stream.socket >= 0 { close(stream.socket) }
        if stream.isOpen {
            state.withLock { state in
                state.open -= 1
                state.evidence.broken += 1
            }
        }
        stream = Stream(number: stream.number, due: monotonicNanoseconds() + Self.pause, last: stream.last)
    }

    /// - Returns: false where the stream was refused or has been closed.
    private func read(_ stream: inout Stream, _ bytes: ArraySlice<UInt8>) -> Bool {
        for event in stream.text.take(bytes) {
            switch event {
            case .opened:
                stream.isOpen = true
                state.withLock { $0.open += 1 }
            case .refused, .closed: return false
            case .notice(let number, let charge):
                stream.last = number
                let now = monotonicNanoseconds()
                state.withLock { state in
                    state.lastEvent = now
                    if let charge { state.evidence.tell(charge, on: stream.number, at: now) }
                }
            }
        }
        return true
    }
}

/// What arrives on one event stream, piece by piece: the head of the answer, then events.
package struct StreamText {
    package enum Event: Equatable {
        case opened
        case refused
        case closed
        /// A notice by its number; the charge of one that asks for money.
        case notice(Int64, ChargeID?)
    }

    private var rest: [UInt8] = []
    private var isHead = true
    private var number: Int64?

    package init() {}

    package mutating func take(_ bytes: ArraySlice<UInt8>) -> [Event] {
        rest += bytes
        var events: [Event] = []
        var start = rest.startIndex
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if let event = line(rest[start..<end]) { events.append(event) }
            start = end + 1
        }
        rest.removeSubrange(..<start)
        return events
    }

    /// Lines of the chunks that the answer comes in are no lines of events, and mean nothing.
    private mutating func line(_ line: ArraySlice<UInt8>) -> Event? {
        if isHead {
            if line.starts(with: Array("HTTP/1.1 ".utf8)), !line.starts(with: Array("HTTP/1.1 200".utf8)) {
                return .refused
            }
            guard line == [UInt8(ascii: "\r")] else { return nil }
            isHead = false
            return .opened
        }
        if line.starts(with: Array("event: closed".utf8)) { return .closed }
        if line.starts(with: Array("id: ".utf8)) {
            number = Int64(String(decoding: line.dropFirst(4), as: UTF8.self))
            return nil
        }
        guard line.starts(with: Array("data: ".utf8)), let number else { return nil }
        self.number = nil
        let charge: ChargeID? = line.withUnsafeBytes { bytes in
            let text = AnswerText(bytes)
            guard text.after("\"kind\":\"request\"") != nil else { return nil }
            return text.identifier("\"link\":\"/charges/")
        }
        return .notice(number, charge)
    }
}

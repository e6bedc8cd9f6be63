import Glibc
import ZMTP

/// A connection to a NATS cluster, made again whenever it is lost, by the one thread that owns it.
///
/// The thread polls ``descriptor`` for ``events``, calls ``receive(_:)`` and, at ``nextTurn`` at the latest,
/// ``turn(_:)``.
package final class NATSConnection {
    private enum Phase {
        /// Until `due`.
        case pausing
        case looking(NATSLookup)
        case connecting
        case talking
        /// For good.
        case closed
    }

    /// Bytes that may wait for a server that does not read.
    private static let unsentMax = 64 << 20
    /// Nanoseconds in which a server has to be found, connected to, and logged in to.
    private static let patience: UInt64 = 2_000_000_000
    /// Nanoseconds between two looks at a name that is looked up.
    private static let glance: UInt64 = 2_000_000
    /// Those that nobody has taken yet; the ones beyond are forgotten.
    private static let refusalsMax = 64

    private let access: NATSAccess
    private let name: String
    private let credentials: NATSAccess.Credentials?
    private let trust: NATSTrust?
    private var pool: NATSPool
    private var phase = Phase.pausing
    /// When a pause is over, or a server is given up that has not let us in.
    private var due: UInt64 = 0
    private var now: UInt64 = 0
    private var host = ""
    /// The host's addresses that were not tried yet.
    private var addresses: ArraySlice<NATSAddress> = []
    private var socket: NATSSocket?
    private var parser = NATSParser()
    private var session: NATSSession
    /// Why the connection is lost, until the next turn.
    private var fault: NATSFault?
    private var refusals: [NATSRefusal] = []

    private var subscriptions = NATSSubscriptions()

    /// What a message's body may have; larger ones are dropped.
    package private(set) var bodyBytesMax = NATSInfo().bodyBytesMax
    /// How often a connection was made.
    package private(set) var openings: UInt64 = 0
    /// Why the newest attempt to connect failed, or the newest connection was lost; nil while there has been none.
    package private(set) var trouble: String?
    /// Why the connection never comes back; nil while it may.
    package private(set) var end: NATSError?

    /// Begins to connect with the first turn. Servers that are away are tried until ``close(lingerMilliseconds:)``.
    ///
    /// - Parameter name: by which the servers list the connection.
    /// - Throws: ``NATSError`` for a file that cannot be used.
    package init(_ access: NATSAccess, name: String) throws(NATSError) {
        (self.access, self.name) = (access, name)
        credentials = try access.credentials()
        trust = access.servers.isEncrypted ? try NATSTrust(access) : nil
        pool = NATSPool(access.servers.hosts.shuffled())
        session = NATSSession(isEncrypted: access.servers.isEncrypted)
    }

    /// Whether what is sent now arrives, and so do the answers.
    package var isOpen: Bool { session.isOpen && fault == nil }

    /// Whether the process ends when the connection never comes back.
    package var refused: NATSAccess.Refused { access.refused }

    /// Whether another message may be sent.
    package var hasRoom: Bool { isOpen && (socket?.unsentBytes ?? 0) < Self.unsentMax }

    // MARK: Polling

    package var descriptor: Int32 { socket?.descriptor ?? -1 }

    package var events: Int16 {
        if case .connecting = phase { return Int16(POLLOUT) }
        return Int16(socket?.isFull == true ? POLLIN | POLLOUT : POLLIN)
    }

    /// Monotonic nanoseconds at which ``turn(_:)`` is due though nothing comes in.
    package var nextTurn: UInt64 {
        if fault != nil { return 0 }
        switch phase {
        case .looking: return now + Self.glance
        case .closed: return .max
        case .pausing, .connecting: return due
        case .talking: return session.isOpen ? session.nextPing : due
        }
    }

    // MARK: Turns

    /// Connects where that is due, and gives the kernel what was sent.
    ///
    /// - Parameter now: monotonic nanoseconds.
    package func turn(_ now: UInt64) {
        self.now = now
        do throws(NATSFault) {
            if let fault { throw fault }
            try step()
            try socket?.flush()
        } catch { lose(error) }
    }

    /// Gives the kernel what was sent, in the midst of a turn.
    package func flush() {
        do throws(NATSFault) { try socket?.flush() } catch { fault = fault ?? error }
    }

    private func step() throws(NATSFault) {
        switch phase {
        case .closed: return
        case .pausing: if now >= due { try begin() }
        case .looking(let lookup):
            if let found = try lookup.found() {
                addresses = found[...]
                return try connect()
            }
            try expectProgress()
        case .connecting:
            if now >= due, !addresses.isEmpty {
                due = now + Self.patience
                return try connect()
            }
            try expectProgress()
        case .talking:
            if !session.isOpen { try expectProgress() }
            if try session.isPingDue(now) { _ = ping() }
        }
    }

    private func expectProgress() throws(NATSFault) {
        if now >= due { throw .lost("\(host) does not answer") }
    }

    private func begin() throws(NATSFault) {
        let place = pool.take()
        due = now + Self.patience
        let colon = place.lastIndex(of: ":")!
        host = String(place[..<colon].drop { $0 == "[" }.prefix { $0 != "]" })
        phase = .looking(try NATSLookup(host, port: place[place.index(after: colon)...]))
    }

    private func connect() throws(NATSFault) {
        while let address = addresses.popFirst() {
            do throws(NATSFault) {
                socket = try NATSSocket(address)
                phase = .connecting
                return
            } catch  where !addresses.isEmpty {}
        }
        throw .lost("\(host) cannot be connected to")
    }

    /// Whether the socket is connected; tries another address when it cannot be.
    private func hasConnected(_ socket: NATSSocket) throws(NATSFault) -> Bool {
        do throws(NATSFault) {
            guard try socket.hasConnected() else { return false }
            phase = .talking
            return true
        } catch {
            self.socket = nil
            try connect()
            return false
        }
    }

    private func lose(_ fault: NATSFault) {
        trouble = session.complaint.map { "\(fault.reason): \($0)" } ?? fault.reason
        reset()
        if fault.isRefusal, access.refused != .triesAgain, pool.refuse() {
            end = NATSError("NATS at \(access.servers) closes the connection: \(fault.reason)")
            phase = .closed
        } else {
            phase = .pausing
            due = now + pool.pause()
        }
    }

    private func reset() {
        (socket, fault) = (nil, nil)
        parser = NATSParser()
        session = NATSSession(isEncrypted: access.servers.isEncrypted)
        subscriptions.endDrains { _ in true }
    }

    // MARK: Receiving

    /// Reads once what the socket has, and gives each message that is whole.
    ///
    /// - Returns: whether anything had come in.
    package func receive(_ take: (NATSMessage) -> Void) -> Bool {
        guard let socket, fault == nil else { return false }
        do throws(NATSFault) {
            if case .connecting = phase {
                guard try hasConnected(socket) else { return false }
            }
            let hasRead = try socket.read()
            while let (operation, count) = try parser.next(socket.input.bytes) {
                if case .message(let message) = operation {
                    take(message)
                    socket.input.removeFirst(count)
                } else {
                    let step = try session.take(operation, now: now)
                    if case .info = operation { learn(session.info) }
                    socket.input.removeFirst(count)
                    try perform(step, socket)
                }
            }
            if session.isOpen, session.info.isLeaving, pool.hosts.count > 1 {
                try socket.flush()
                throw .lost("the server is about to stop")
            }
            if session.stage == .securing, socket.isSecured {
                session.secured()
                try logIn(socket)
            }
            return hasRead
        } catch {
            fault = fault ?? error
            return true
        }
    }

    private func learn(_ info: NATSInfo) {
        pool.learn(info.servers)
        bodyBytesMax = info.bodyBytesMax
    }

    private func perform(_ step: NATSSession.Step, _ socket: NATSSocket) throws(NATSFault) {
        switch step {
        case .nothing: return
        case .secure: try secure(socket)
        case .answerPing: NATSOutput(socket.output).pong()
        case .logIn: try logIn(socket)
        case .note(let refusal): if refusals.count < Self.refusalsMax { refusals.append(refusal) }
        case .opened:
            openings += 1
            pool.accept()
        case .answered: subscriptions.endDrains(where: session.isAnswered)
        }
    }

    private func secure(_ socket: NATSSocket) throws(NATSFault) {
        // It would not be the server's that the certificate vouches for.
        guard let trust, socket.input.isEmpty else { throw .lost("the server speaks before it is known") }
        try socket.secure(trust, host: host)
    }

    /// Says who we are and what we subscribe to. The server takes it in this order.
    private func logIn(_ socket: NATSSocket) throws(NATSFault) {
        let output = NATSOutput(socket.output)
        try output.connect(name: name, as: credentials, nonce: session.info.nonce, isEncrypted: trust != nil)
        subscriptions.write(to: output)
        _ = ping()
    }

    private func ping() -> Int {
        if let socket { NATSOutput(socket.output).ping() }
        return session.ping()
    }

    /// The refusals by the account's rights since this was called last.
    package func takeRefusals() -> [NATSRefusal] {
        defer { refusals.removeAll() }
        return refusals
    }

    // MARK: Sending

    /// Sends a message with the next ``turn(_:)`` or ``flush()``. What is larger than the server takes, is sent while
    /// the connection is not open, or has a blank in a subject, is dropped.
    ///
    /// - Parameter reply: where answers go; nil: none is wanted.
    package func publish(
        _ subject: UnsafeRawBufferPointer, reply: UnsafeRawBufferPointer? = nil, _ body: UnsafeRawBufferPointer
    ) {
        guard let socket, hasRoom, body.count <= bodyBytesMax, Self.isSubject(subject),
            reply.map(Self.isSubject) ?? true
        else { return }
        NATSOutput(socket.output).publish(subject, reply: reply, body)
    }

    package func publish(
        to subject: String, reply: UnsafeRawBufferPointer? = nil, _ body: UnsafeRawBufferPointer
    ) {
        var subject = subject
        subject.withUTF8 { publish(UnsafeRawBufferPointer($0), reply: reply, body) }
    }

    /// What would be read as the end of a subject, or of the line.
    private static func isSubject(_ text: UnsafeRawBufferPointer) -> Bool {
        !text.isEmpty && text.allSatisfy { $0 > 32 }
    }

    // MARK: Subscriptions

    /// - Parameter queue: of those that share its messages: each gets a part.
    package func subscribe(to subject: String, queue: String? = nil) -> NATSSubscription {
        let subscription = subscriptions.add(subject, queue: queue)
        openOutput?.subscribe(subscription.id, to: subject, queue: queue)
        return subscription
    }

    /// Ends it: nothing is said of what is on its way.
    package func unsubscribe(_ subscription: NATSSubscription) {
        guard subscriptions.remove(subscription) else { return }
        openOutput?.unsubscribe(subscription.id)
    }

    /// Begins to end it: the server sends nothing more, and what is on its way still comes.
    package func drain(_ subscription: NATSSubscription) {
        unsubscribe(subscription)
        if openOutput != nil { subscriptions.drain(subscription, until: ping()) }
    }

    /// Whether nothing comes any more after ``drain(_:)``. A lost connection ends it, too.
    package func isDrained(_ subscription: NATSSubscription) -> Bool { !subscriptions.isDraining(subscription) }

    /// Where to say something to a server that knows who we are.
    private var openOutput: NATSOutput? {
        guard let socket, session.stage == .loggingIn || session.stage == .open else { return nil }
        return NATSOutput(socket.output)
    }

    // MARK: Ending

    /// Waits until what was sent is on its way, at most so long.
    package func close(lingerMilliseconds: Int32) {
        var tries = lingerMilliseconds
        flush()
        while let socket, isOpen, socket.unsentBytes > 0, tries > 0 {
            var item = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&item, 1, 1)
            flush()
            tries -= 1
        }
        reset()
        phase = .closed
    }
}

import CNATS
import Glibc

/// A connection to a NATS cluster for one thread, which reads and writes the socket itself. libnats's own threads only
/// make the connection again when it is lost; one that is encrypted they also read (``NATSSocket`` says why).
package final class NATSConnection {
    /// Bytes that may wait for a server that does not read.
    private static let unsentMax: Int32 = 64 << 20
    /// Milliseconds between two tries to connect, and how much is added at random.
    private static let pause: (least: Int64, jitter: Int64) = (50, 100)
    private static let connectMilliseconds: Int64 = 2_000
    /// A server that answers no PING for three of these is gone.
    private static let pingMilliseconds: Int64 = 2_000
    private static let readBytes: Int32 = 128 << 10
    /// Milliseconds after which a server is gone that does not read an encrypted connection.
    private static let writeMilliseconds: Int64 = 2_000

    private let servers: NATSServers
    private let socket: NATSSocket
    private var raw: OpaquePointer?
    /// The descriptor to poll; -1: nothing. These are this thread's own, as of the last ``look()``.
    package private(set) var descriptor: Int32 = -1
    package private(set) var isOpen = false
    /// Whether ``end`` says why it never comes back.
    package private(set) var isClosed = false
    package private(set) var openings: UInt64 = 0
    package private(set) var hasUnsent = false

    /// Begins to connect. Servers that are away are tried until ``close(lingerMilliseconds:)``.
    ///
    /// - Parameter name: by which the servers list the connection.
    /// - Throws: ``NATSError`` for what cannot be used: a file, or a server that refuses the credentials.
    package init(_ access: NATSAccess, name: String) throws(NATSError) {
        servers = access.servers
        socket = try NATSSocket(isEncrypted: access.servers.isEncrypted)
        var options: OpaquePointer?
        try check(natsOptions_Create(&options), "no memory for NATS")
        defer { natsOptions_Destroy(options) }
        try Self.set(options!, access, name: name)
        try check(socket.attach(to: options!), "NATS")
        let status = natsConnection_Connect(&raw, options)
        guard status == NATS_OK || status == NATS_NOT_YET_CONNECTED else {
            throw NATSError("NATS at \(access.servers) cannot be used", status)
        }
        if status == NATS_OK, socket.bell != nil { socket.opened() }
        look()
    }

    deinit { natsConnection_Destroy(raw) }

    private static func set(_ options: OpaquePointer, _ access: NATSAccess, name: String) throws(NATSError) {
        let urls = access.servers.urls.map { strdup($0) }
        defer { for url in urls { free(url) } }
        var pointers = urls.map { UnsafePointer($0) }
        try check(natsOptions_SetServers(options, &pointers, Int32(urls.count)), "\(access.servers)")
        natsOptions_SetName(options, name)
        natsOptions_SetTimeout(options, connectMilliseconds)
        natsOptions_SetMaxReconnect(options, -1)
        natsOptions_SetReconnectWait(options, pause.least)
        natsOptions_SetReconnectJitter(options, pause.jitter, pause.jitter)
        natsOptions_SetPingInterval(options, pingMilliseconds)
        natsOptions_SetMaxPingsOut(options, 3)
        natsOptions_SetIOBufSize(options, readBytes)
        // Else a thread of libnats's would say later that there is something to write.
        natsOptions_SetSendAsap(options, true)
        try setTLS(options, access)
        switch try access.credentials() {
        case .login(let login): natsOptions_SetUserInfo(options, login.user, login.password)
        case .file(let path):
            try check(natsOptions_SetUserCredentialsFromFiles(options, path, nil), "credentials in \(path)")
        case nil: break
        }
    }

    private static func setTLS(_ options: OpaquePointer, _ access: NATSAccess) throws(NATSError) {
        guard access.servers.isEncrypted else { return }
        try check(natsOptions_SetSecure(options, true), "TLS")
        natsOptions_SetWriteDeadline(options, writeMilliseconds)
        if let file = access.authorityFile {
            try check(natsOptions_LoadCATrustedCertificates(options, file), "certificates in \(file)")
        }
        if let certificate = access.certificateFile {
            let key = access.keyFile ?? certificate
            try check(
                natsOptions_LoadCertificatesChain(options, certificate, key), "certificate \(certificate), key \(key)")
        }
    }

    /// Why the connection never comes back: a log-in that was rejected twice, or a certificate that is not trusted. Nil
    /// while it may.
    package var end: NATSError? {
        natsConnection_IsClosed(raw) ? NATSError("NATS at \(servers) closes the connection: \(reason)") : nil
    }

    /// Takes over what libnats's threads have done.
    package func look() {
        let now = socket.now
        descriptor = socket.bell?.readEnd ?? now.descriptor
        (isOpen, isClosed) = (now.isOpen, now.isClosed)
        openings = now.openings
        hasUnsent = now.writes
    }

    /// The refusals by the account's rights since this was read last.
    package func takeRefusals() -> [NATSRefusal] { socket.takeRefusals() }

    /// Whether another message may be sent.
    package var hasRoom: Bool { isOpen && natsConnection_Buffered(raw) < Self.unsentMax }

    /// Sends a message with the next ``flush()`` at the latest.
    ///
    /// - Parameters:
    ///   - subject: ends with a zero.
    ///   - reply: where answers go; nil: none is wanted.
    package func publish(
        _ subject: UnsafePointer<CChar>, reply: UnsafePointer<CChar>? = nil, _ body: UnsafeRawBufferPointer
    ) {
        if let reply {
            natsConnection_PublishRequest(raw, subject, reply, body.baseAddress, Int32(body.count))
        } else {
            natsConnection_Publish(raw, subject, body.baseAddress, Int32(body.count))
        }
    }

    package func flush() {
        if hasUnsent { natsConnection_ProcessWriteEvent(raw) }
    }

    /// Reads once what the socket has. Before subscriptions are emptied: what comes later rings again.
    package func read() {
        if let bell = socket.bell { return bell.silence() }
        if isOpen { natsConnection_ProcessReadEvent(raw) }
    }

    /// libnats's words for what went wrong last.
    private var reason: String {
        var text: UnsafePointer<CChar>?
        natsConnection_GetLastError(raw, &text)
        return text.map { String(cString: $0) } ?? ""
    }

    /// A subscription whose messages a thread of libnats's leaves in the mailbox.
    func subscribe(
        to subject: String, queue: String? = nil, delivering mailbox: NATSMailbox
    ) throws(NATSError) -> OpaquePointer {
        var subscription: OpaquePointer?
        let status =
            queue.map {
                natsConnection_QueueSubscribe(
                    &subscription, raw, subject, $0, NATSMailbox.deliver, mailbox.closure)
            } ?? natsConnection_Subscribe(&subscription, raw, subject, NATSMailbox.deliver, mailbox.closure)
        try ready(subscription, status, subject)
        return subscription!
    }

    /// - Parameter queue: of those that share its messages: each gets a part.
    package func subscribe(to subject: String, queue: String? = nil) throws(NATSError) -> NATSSubscription {
        if let bell = socket.bell {
            let mailbox = NATSMailbox { bell.ring() }
            return NATSSubscription(try subscribe(to: subject, queue: queue, delivering: mailbox), mailbox: mailbox)
        }
        var subscription: OpaquePointer?
        let status =
            queue.map { natsConnection_QueueSubscribeSync(&subscription, raw, subject, $0) }
            ?? natsConnection_SubscribeSync(&subscription, raw, subject)
        try ready(subscription, status, subject)
        return NATSSubscription(subscription!, mailbox: nil)
    }

    /// Lets a new subscription grow without a limit of libnats's own.
    private func ready(
        _ subscription: OpaquePointer?, _ status: natsStatus, _ subject: String
    ) throws(NATSError) {
        // A wrong log-in or certificate may be known before the first subscription is made.
        if let end { throw end }
        try check(status, "cannot subscribe to \(subject)")
        natsSubscription_SetPendingLimits(subscription, -1, -1)
    }

    /// Waits until what was sent is on its way, at most so long.
    package func close(lingerMilliseconds: Int32) {
        var tries = lingerMilliseconds
        look()
        while isOpen, hasUnsent, tries > 0 {
            var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&item, 1, 1)
            natsConnection_ProcessWriteEvent(raw)
            look()
            tries -= 1
        }
        natsConnection_Close(raw)
        (descriptor, isOpen) = (-1, false)
    }
}

import CLinux
import Glibc
import ZMTP

/// A stream socket to a server that never blocks, encrypted or not, and what was read and is to be written.
final class NATSSocket {
    /// Read at a time.
    private static let chunkBytes = 128 << 10
    /// Ciphers that may wait for the kernel before more are made.
    private static let sealedBytesMax = 256 << 10

    let descriptor: Int32
    /// What has come and was not yet understood.
    let input = ByteQueue()
    /// What is to be sent; once the connection is encrypted, what is to be encrypted.
    let output = ByteQueue()
    private let sealed = ByteQueue()
    private var cipher: NATSCipher?
    /// Where ciphers are read to; empty for a connection without.
    private var chunk = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// Whether the kernel took less than there was: to be flushed again when the socket can be written.
    private(set) var isFull = false

    /// Begins to connect.
    init(_ address: NATSAddress) throws(NATSFault) {
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        descriptor = socket(address.family, Int32(kind), 0)
        guard descriptor >= 0 else { throw Self.failed(errno) }
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let result = address.bytes.withUnsafeBytes {
            connect(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        if result != 0, errno != EINPROGRESS {
            let code = errno
            close(descriptor)
            throw Self.failed(code)
        }
    }

    deinit {
        close(descriptor)
        chunk.deallocate()
    }

    /// Whether it is connected; false while it is not known.
    func hasConnected() throws(NATSFault) -> Bool {
        var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&item, 1, 0) > 0 else { return false }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        if code != 0 { throw Self.failed(code) }
        return true
    }

    // MARK: Encryption

    func secure(_ trust: NATSTrust, host: String) throws(NATSFault) {
        cipher = try NATSCipher(trust, host: host)
        chunk = .allocate(byteCount: Self.chunkBytes, alignment: 16)
    }

    var isSecured: Bool { cipher?.isReady ?? false }

    // MARK: Bytes

    /// Bytes that wait for the server.
    var unsentBytes: Int { output.count + sealed.count }

    /// Reads once.
    ///
    /// - Returns: false when there was nothing.
    func read() throws(NATSFault) -> Bool {
        guard let cipher else {
            let count = try receive(into: input.room(atLeast: Self.chunkBytes))
            input.extend(by: count)
            return count > 0
        }
        if cipher.isEnded { throw .lost("the server has ended it") }
        let count = try receive(into: chunk)
        try cipher.open(UnsafeRawBufferPointer(rebasing: chunk[..<count]), into: input)
        return count > 0
    }

    private func receive(into memory: UnsafeMutableRawBufferPointer) throws(NATSFault) -> Int {
        let count = recv(descriptor, memory.baseAddress, memory.count, 0)
        if count > 0 { return count }
        if count == 0 { throw .lost("the server has closed it") }
        if errno == EAGAIN || errno == EINTR { return 0 }
        throw Self.failed(errno)
    }

    /// Gives the kernel what there is; what it does not take waits.
    func flush() throws(NATSFault) {
        guard let cipher else { return try send(output) }
        repeat {
            if cipher.isReady, !output.isEmpty, sealed.count < Self.sealedBytesMax {
                let text = output.bytes.prefix(Self.sealedBytesMax)
                try cipher.seal(UnsafeRawBufferPointer(rebasing: text))
                output.removeFirst(text.count)
            }
            cipher.empty(into: sealed)
            try send(sealed)
        } while cipher.isReady && !output.isEmpty && !isFull
    }

    private func send(_ queue: ByteQueue) throws(NATSFault) {
        isFull = false
        while !queue.isEmpty {
            let bytes = queue.bytes
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 {
                queue.removeFirst(count)
            } else if errno == EAGAIN {
                isFull = true
                return
            } else if errno != EINTR {
                throw Self.failed(errno)
            }
        }
    }

    private static func failed(_ code: Int32) -> NATSFault { .lost(String(cString: strerror(code))) }
}

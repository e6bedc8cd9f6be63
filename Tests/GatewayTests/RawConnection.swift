import BusZMQ
import Glibc
import Synchronization

/// A TCP connection for tests of what goes over it byte by byte. Waits on threads of its own, never on those that tasks
/// share.
final class RawConnection: Sendable {
    struct Failure: Error { let what: String }

    /// Far above what anything here takes.
    private static let patienceSeconds = 120

    private let socket: Int32
    private let isClosed = Atomic(false)

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure(what: "cannot connect") }
    }

    deinit { closeOnce() }

    private func closeOnce() {
        // Another connection may have the number by the second time.
        if !isClosed.exchange(true, ordering: .relaxed) { close(socket) }
    }

    func send(_ text: String) async throws {
        try await onThread { [socket] in
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { throw Failure(what: "cannot send") }
                rest.removeFirst(count)
            }
        }
    }

    /// Says that no more will be sent; answers can still come.
    func finish() { shutdown(socket, Int32(SHUT_WR)) }

    /// Ends the connection at once, as a process does that dies (RST).
    func abort() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        closeOnce()
    }

    /// What comes until the last `ending` bytes read are these.
    func read(until ending: String) async throws -> String {
        try await onThread { [socket] in
            var got: [UInt8] = []
            var byte: UInt8 = 0
            while !got.ends(with: ending.utf8) {
                guard recv(socket, &byte, 1, 0) == 1 else {
                    throw Failure(what: "closed behind \(String(decoding: got, as: UTF8.self))")
                }
                got.append(byte)
            }
            return String(decoding: got, as: UTF8.self)
        }
    }

    /// What comes until the other side has ended the connection.
    func readToEnd() async throws -> String {
        try await onThread { [socket] in
            var got: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(socket, &part, part.count, 0)
                guard count >= 0 || errno == ECONNRESET else { throw Failure(what: "the end does not come") }
                guard count > 0 else { return String(decoding: got, as: UTF8.self) }
                got += part[..<count]
            }
        }
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            OSThread { continuation.resume(with: Result { try body() }) }.detach()
        }
    }
}

extension [UInt8] {
    fileprivate func ends(with ending: String.UTF8View) -> Bool { suffix(ending.count).elementsEqual(ending) }
}

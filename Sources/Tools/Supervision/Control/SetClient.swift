import Glibc
import Wire

/// Asks the supervisor of a running set.
package final class SetClient {
    /// Nobody supervises a set in this run directory.
    package struct NoSet: Error, CustomStringConvertible {
        package let description: String
    }

    /// Somebody supervises one there, and this user may not ask.
    package struct NotAllowed: Error, CustomStringConvertible {
        package let description: String
    }

    /// The connection ended before the answer.
    package struct Broken: Error, CustomStringConvertible {
        package let description: String
    }

    private let socket: UnixSocket
    private var received: [UInt8] = []

    package init(run: String) throws {
        do { socket = try UnixSocket.connected(to: "\(run)/\(SetControl.socketName)") } catch let error {
            if error.code == EACCES {
                throw NotAllowed(description: "\(run) may not be read by this user: the set there is somebody else's")
            }
            guard [ENOENT, ECONNREFUSED, ENOTDIR].contains(error.code) else { throw error }
            throw NoSet(
                description: "no set was started by 'billfold up' in \(run): --run or BILLFOLD_RUN says where one is")
        }
    }

    deinit { close(socket.descriptor) }

    package func list() throws -> SetControl.Listing {
        try send(.list)
        guard let line = try nextLine(), let listing = SetControl.Listing(line) else {
            throw Broken(description: "the set ended while it was asked")
        }
        return listing
    }

    /// Sends a request that is answered by reports; `show` gets its steps, the last report is returned.
    package func carryOut(
        _ request: SetControl.Request, show: (String) -> Void = { _ in }
    ) throws -> SetControl.Report {
        try send(request)
        while let line = try nextLine() {
            switch SetControl.Report(line) {
            case .step(let text)?: show(text)
            case let last?: return last
            case nil: throw Broken(description: "the answer cannot be read")
            }
        }
        throw Broken(description: "the set ended before it was done")
    }

    /// How long an answer may take; reports may take longer in all. Nil: as long as it takes.
    package func setPatience(_ patience: Duration) {
        var time = timeval()
        time.tv_sec = Int(patience.components.seconds)
        time.tv_usec = Int(patience.components.attoseconds / 1_000_000_000_000)
        setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Whether the set at the other end has ended, looked at without waiting.
    package var hasEnded: Bool {
        var byte: UInt8 = 0
        return recv(socket.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }

    private func send(_ request: SetControl.Request) throws {
        let bytes = Array((request.json.text + "\n").utf8)
        guard bytes.count <= SetControl.lineBytesMax else { throw Broken(description: "the request is too long") }
        guard Glibc.send(socket.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Broken(description: "the set cannot be asked: \(systemError())")
        }
    }

    private func nextLine() throws -> JSONValue? {
        while true {
            if let end = received.firstIndex(of: 10) {
                defer { received.removeFirst(end + 1) }
                return try JSONValue(parsing: received[..<end])
            }
            var buffer = [UInt8](repeating: 0, count: 16 * 1024)
            let count = recv(socket.descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { throw Broken(description: "no answer in time") }
            guard count > 0 else { return nil }
            received += buffer[..<count]
        }
    }
}

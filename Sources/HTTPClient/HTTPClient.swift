import Foundation
import Glibc
import Wire

/// One keep-alive HTTP/1.1 connection that waits for each answer: enough for a demonstration, and for a measurement
/// that spends little of the cores it shares with what it measures.
package final class HTTPClient {
    /// An answer that says no, or that cannot be read.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        package init(_ description: String) { self.description = description }
    }

    /// There is no connection, or it ended before the answer.
    package struct Unreachable: Error, CustomStringConvertible {
        package let description: String
    }

    package struct BadAddress: Error, CustomStringConvertible {
        package let description: String
    }

    package struct Response {
        package let status: Int
        package let body: [UInt8]
        fileprivate let head: [UInt8]

        /// The value of a field; nil where there is none.
        package func field(_ name: String) -> String? {
            for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n").dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
                return String(parts[1].drop { $0 == " " })
            }
            return nil
        }

        /// The JSON of the body, or null: a body without JSON has no fields.
        package var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    }

    private let host: String
    private let address: in_addr
    private let port: UInt16
    private let patience: Duration?
    private var socket: Int32 = -1
    private var received: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 16 * 1024)

    /// - Parameters:
    ///   - address: `host:port`, the host as an IPv4 address.
    ///   - patience: how long the other side may be silent; nil: for ever.
    package init(_ address: String, patience: Duration? = nil) throws {
        let parts = address.split(separator: ":")
        var host = in_addr()
        guard parts.count == 2, let port = UInt16(parts[1]), inet_pton(AF_INET, String(parts[0]), &host) == 1 else {
            throw BadAddress(description: "'\(address)' is not an IPv4 address and a port, as 127.0.0.1:8080")
        }
        (self.host, self.address, self.port, self.patience) = (String(parts[0]), host, port, patience)
    }

    deinit { if socket >= 0 { close(socket) } }

    package func request(
        _ method: String, _ path: String, token: String? = nil, key: String? = nil, body: JSONValue? = nil
    ) throws -> Response {
        if socket < 0 { try connect() }
        try send(Self.text(method, path, host: host, token: token, key: key, body: body?.text))
        return try receive()
    }

    package static func text(
        _ method: String, _ path: String, host: String, token: String?, key: String?, body: String?
    ) -> [UInt8] {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n"
        if let token { text += "Authorization: Bearer \(token)\r\n" }
        if let key { text += "Idempotency-Key: \(key)\r\n" }
        if let body {
            text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        } else {
            text += "\r\n"
        }
        return Array(text.utf8)
    }

    /// Sends what has been made by `text` before: for senders that count every microsecond.
    package func send(_ request: [UInt8]) throws {
        var sent = 0
        while sent < request.count {
            let count = request[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                throw Unreachable(description: "cannot send: \(String(cString: strerror(errno)))")
            }
            sent += count
        }
    }

    package var descriptor: Int32 { socket }

    package func connect() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if let patience {
            // For connect(2) too (socket(7)).
            var time = timeval(tv_sec: Int(patience / .seconds(1)), tv_usec: 0)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = self.address
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let reason = String(cString: strerror(errno))
            close(socket)
            socket = -1
            throw Unreachable(description: "cannot connect to \(host):\(port): \(reason)")
        }
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Waits for one whole response.
    package func receive() throws -> Response {
        while true {
            if let response = try receiveAvailable() { return response }
        }
    }

    /// Reads once and returns the response if it is whole now. Waits while nothing can be read.
    package func receiveAvailable() throws -> Response? {
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else {
            guard count == 0 || errno != EAGAIN else {
                throw Unreachable(description: "\(host):\(port) does not answer")
            }
            throw Unreachable(description: "the connection was closed before the answer")
        }
        received.append(contentsOf: buffer[..<count])
        guard let (response, length) = Self.parse(received) else { return nil }
        received.removeFirst(length)
        return response
    }

    /// The first response in the bytes and its length; nil while it is not complete. Bodies have a Content-Length here.
    private static func parse(_ bytes: [UInt8]) -> (Response, Int)? {
        guard let end = headEnd(bytes) else { return nil }
        // "HTTP/1.1 201 …"
        guard end > 12, let status = number(bytes[9..<12]) else { return nil }
        let length = contentLength(bytes[..<end]) ?? 0
        guard bytes.count >= end + length else { return nil }
        let body = Array(bytes[end..<(end + length)])
        return (Response(status: status, body: body, head: Array(bytes[..<end])), end + length)
    }

    /// Where the body begins: behind the first empty line.
    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            (3..<bytes.count).first { bytes[$0] == 10 && bytes[$0 - 1] == 13 && bytes[$0 - 2] == 10 }.map { $0 + 1 }
        }
    }

    private static let contentLengthName = Array("content-length:".utf8)

    private static func contentLength(_ head: ArraySlice<UInt8>) -> Int? {
        var line = head.startIndex
        while let end = head[line...].firstIndex(of: 13) {
            let field = head[line..<end]
            if field.starts(with: contentLengthName, by: { $0 | 0x20 == $1 | 0x20 }) {
                return number(field.dropFirst(contentLengthName.count).drop { $0 == 32 })
            }
            line = end + 2
            if line >= head.endIndex { break }
        }
        return nil
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? { Int(String(decoding: digits, as: UTF8.self)) }
}

import Foundation
import Glibc
import Primitives

/// Whether a server could listen on an address: looked at before anything is started.
package enum PortCheck {
    /// Nil when it could, and for what is no address. Otherwise why not, and who listens there.
    ///
    /// - Parameter address: `host:port`; the system chooses for port 0, so that nothing can be in the way.
    package static func obstacle(to address: String) -> String? {
        guard let colon = address.lastIndex(of: ":"), let port = UInt16(address[address.index(after: colon)...]),
            port > 0
        else { return nil }
        let host = address[..<colon].trimmingCharacters(in: ["[", "]"])
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host.isEmpty ? nil : host, "\(port)", &hints, &found) == 0, let first = found else {
            return nil
        }
        defer { freeaddrinfo(found) }
        let socket = Glibc.socket(
            first.pointee.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        // As servers do: connections that have ended a moment ago are in nobody's way.
        var one: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard bind(socket, first.pointee.ai_addr, first.pointee.ai_addrlen) != 0 else { return nil }
        let code = errno
        guard code == EADDRINUSE else { return "cannot listen on \(address): \(String(cString: strerror(code)))" }
        return "\(address) is taken" + (listener(on: port).map { " by \($0)" } ?? "")
    }

    /// The process that listens on a port; nil where that cannot be seen, as of other users' processes.
    private static func listener(on port: UInt16) -> String? {
        let sockets = Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap { listening(on: port, in: $0) })
        if sockets.isEmpty { return nil }
        for process in names(in: "/proc") where Int(process) != nil {
            let files = "/proc/\(process)/fd"
            let isIt = names(in: files).contains { name in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\(name)"))
                    .map(sockets.contains) ?? false
            }
            if isIt { return description(of: process) }
        }
        return nil
    }

    /// Empty for another user's, and for a process that has ended.
    private static func names(in directory: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    }

    /// `socket:[1234]` of each listener on a port. The fields of a line are in proc(5).
    private static func listening(on port: UInt16, in table: String) -> [String] {
        let text = String(decoding: ProcFile.read(table) ?? [], as: UTF8.self)  // empty without IPv6
        let hex = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - hex.count) + hex
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: " ")
            // 0A: LISTEN.
            guard fields.count > 9, fields[1].hasSuffix(suffix), fields[3] == "0A" else { return nil }
            return "socket:[\(fields[9])]"
        }
    }

    private static func description(of process: String) -> String {
        let words = strings(in: "/proc/\(process)/cmdline")
        let name = words.first?.split(separator: "/").last.map(String.init) ?? "unknown"
        guard name == "billfold-gateway" else { return "process \(process) (\(name))" }
        let run = strings(in: "/proc/\(process)/environ").first { $0.hasPrefix("BILLFOLD_RUN=") }?.dropFirst(13)
        return "the gateway \(process) of " + (run.map { "the set in \($0)" } ?? "another set")
    }

    /// What is between zero bytes.
    private static func strings(in file: String) -> [String] {
        (ProcFile.read(file) ?? []).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}

import Bus
import BusZMQ
import Foundation
import Glibc
import NATS
import Synchronization
import TestKit
import Testing

/// What carries asks and facts between processes: each has to do the same.
enum BusKind: String, CaseIterable, CustomTestStringConvertible {
    case broker, nats, encryptedNATS

    var testDescription: String { rawValue }
}

/// A real broker or a real nats-server, as a process of its own in a directory of its own. A test ends it: one that is
/// not mentioned any more may be gone.
final class BusServer {
    let kind: BusKind
    let address: BusAddress
    private let files: TemporaryDirectory
    private var directory: String { files.path }
    private let port: UInt16
    /// Of nats-server, beside what the kind needs.
    private let configuration: String
    private var process: ChildProcess?

    init(_ kind: BusKind, configuration: String = "") throws {
        self.kind = kind
        self.configuration = configuration
        files = try TemporaryDirectory()
        port = Self.freePort()
        switch kind {
        case .broker: address = .directory(files.path)
        case .nats: address = .nats(NATSAccess(servers: try NATSServers("nats://127.0.0.1:\(port)")))
        case .encryptedNATS:
            var access = NATSAccess(servers: try NATSServers("tls://localhost:\(port)"))
            access.authorityFile = files.file("certificate")
            address = .nats(access)
            try makeCertificate()
        }
        try start()
    }

    deinit { kill() }

    func start() throws {
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("BILLFOLD_") }
        switch kind {
        case .broker:
            let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            let broker = tests.deletingLastPathComponent().appendingPathComponent("billfold-broker")
            environment["BILLFOLD_RUN"] = directory
            process = try ChildProcess(broker.path, [], environment: environment)
        case .nats, .encryptedNATS:
            guard let server = Self.natsServer else { throw NotInstalled() }
            try configuration.write(toFile: "\(directory)/configuration", atomically: true, encoding: .utf8)
            var arguments = ["-a", "127.0.0.1", "-p", "\(port)", "-c", "\(directory)/configuration"]
            if kind == .encryptedNATS {
                arguments += ["--tls", "--tlscert", "\(directory)/certificate", "--tlskey", "\(directory)/key"]
            }
            process = try ChildProcess(server.path, arguments, environment: environment)
        }
    }

    /// A nats-server's, for a user.
    func address(as login: String) throws -> BusAddress {
        .nats(NATSAccess(servers: try NATSServers("nats://\(login)@127.0.0.1:\(port)")))
    }

    /// One that signs itself.
    private func makeCertificate() throws {
        let openssl = try ChildProcess(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "\(directory)/key",
                "-out", "\(directory)/certificate"
            ], environment: [:])
        try #require(openssl.wait())
    }

    /// Ends it as a crash does, and waits until it is gone.
    func kill() {
        guard let process else { return }
        process.kill()
        process.wait()
        self.process = nil
    }

    private struct NotInstalled: Error, CustomStringConvertible {
        let description = "nats-server is not installed: Debian's package is nats-server"
    }

    private static var natsServer: URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":") + ["/usr/sbin", "/usr/local/sbin"])
            .map { URL(fileURLWithPath: "\($0)/nats-server") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// The last port given. Below those that the kernel gives to a socket that asks for any port.
    private static let last = Mutex(UInt16(16_384 + getpid() % 8192))

    private static func freePort() -> UInt16 {
        while true {
            let port = last.withLock { last in
                last += 1
                return last
            }
            if isFree(port) { return port }
        }
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

import Foundation
import Glibc
import ServiceKit
import Supervision
import TestKit
import Testing

@Suite("Where a set is")
struct PlacesTests {
    private let home: TemporaryDirectory

    init() throws { home = try TemporaryDirectory() }

    private func project(_ text: String, env: String? = nil) throws -> Project {
        let directory = home.file(UUID().uuidString)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try text.write(toFile: "\(directory)/docker-compose.yml", atomically: true, encoding: .utf8)
        try env?.write(toFile: "\(directory)/.env", atomically: true, encoding: .utf8)
        return try Project(file: "\(directory)/docker-compose.yml")
    }

    @Test("sets with other data have other logs; the project's own are where they always are")
    func logs() throws {
        let project = try self.project("services: {a: {}}")
        let own = project.directory + "/.billfold"
        #expect(project.directories([:]) == ("\(own)/data", "\(own)/logs"))
        #expect(project.directories(["BILLFOLD_DATA": "\(own)/data"]) == ("\(own)/data", "\(own)/logs"))
        #expect(project.directories(["BILLFOLD_DATA": "/d"]) == ("/d", "/d/logs"))
        let named = ("\(project.directory)/d", "\(project.directory)/d/logs")
        #expect(project.directories(["BILLFOLD_DATA": "d"]) == named)
        let withFile = try self.project("services: {a: {}}", env: "BILLFOLD_DATA=/e\n")
        #expect(withFile.directories([:]).data == "/e")
        #expect(withFile.directories(["BILLFOLD_DATA": "/d"]).data == "/d")
    }

    @Test(
        "processes get what .env says, unless the shell says otherwise; names that hide the set are only for the shell")
    func environmentFile() throws {
        let project = try self.project(
            "services: {broker: {}, gateway: {ports: ['127.0.0.1:8080:8080'], environment: {BILLFOLD_HTTP: 0.0.0.0:8080}}}",
            env: "BILLFOLD_HTTP=127.0.0.1:9090\nBILLFOLD_GATEWAYS=2\nBILLFOLD_SMTP_USER=me\nBILLFOLD_BUS=nats://h\n")
        let places = LocalSet.Places(project: "/p", run: "/r", data: "/d", executables: "/x")
        #expect(project.misplacedSettings([:]) == ["BILLFOLD_BUS"])
        let shell = ["BILLFOLD_BUS": ""]
        #expect(project.misplacedSettings(shell) == [])
        let set = try project.set(at: places, profiles: [], shell: shell)
        #expect(set.processes.map(\.name) == ["broker", "gateway", "gateway-2"])
        #expect(set["gateway-2"]?.environment["BILLFOLD_HTTP"] == "127.0.0.1:9091")
        #expect(set["broker"]?.environment["BILLFOLD_SMTP_USER"] == "me")
        let other = try project.set(
            at: places, profiles: [], shell: shell.merging(["BILLFOLD_GATEWAYS": "1"]) { $1 })
        #expect(other.processes.map(\.name) == ["broker", "gateway"])
    }

    @Test("an address that is taken is said with the process that listens there; any other is free")
    func port() throws {
        // So many that the kernel does not give its table of them in one piece.
        let listeners = (0..<40).map { _ in listener() }
        defer { for listener in listeners { close(listener.socket) } }
        for (_, port) in [listeners[0], listeners[20], listeners[39]] { try check(port) }
    }

    private func listener() -> (socket: Int32, port: UInt16) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                #expect(bind(socket, $0, size) == 0 && listen(socket, 1) == 0 && getsockname(socket, $0, &size) == 0)
            }
            return (socket, UInt16(bigEndian: pointer.pointee.sin_port))
        }
    }

    private func check(_ port: UInt16) throws {
        for host in ["127.0.0.1", "0.0.0.0", "localhost"] {
            let obstacle = try #require(PortCheck.obstacle(to: "\(host):\(port)"))
            #expect(obstacle.hasPrefix("\(host):\(port) is taken by process \(getpid()) ("))
        }
        #expect(PortCheck.obstacle(to: "127.0.0.2:\(port)") == nil)
        #expect(PortCheck.obstacle(to: "127.0.0.1:0") == nil)
        #expect(PortCheck.obstacle(to: "192.0.2.1:8080")?.contains("cannot listen on 192.0.2.1:8080") == true)
        #expect(PortCheck.obstacle(to: "nowhere") == nil)
    }

    @Test("what a killed gateway has left is no gateway")
    func address() throws {
        let run = home.file("run")
        #expect(GatewayAddress.read(in: run) == .none)
        try Directories.make("\(run)/deep", mode: 0o700)
        let left = try #require(try GatewayAddress.leave("0.0.0.0:81", in: run))
        let file = "\(run)/gateway.address"
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "127.0.0.1:81\n0.0.0.0:81\n")
        left.remove()
        #expect(GatewayAddress.read(in: run) == .none)
        try "127.0.0.1:81\n127.0.0.1:81\n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(GatewayAddress.read(in: run) == .ended)
        #expect(throws: Directories.Failure.self) { try Directories.make("\(file)/x", mode: 0o700) }
        #expect(throws: Directories.Failure.self) { try Directories.make(file, mode: 0o700) }
    }

    @Test("settings that nobody reads are found in the shell, in .env, and in what the file gives to our processes")
    func unknownSettings() throws {
        let project = try self.project(
            """
            services:
              wallet: {environment: {BILLFOLD_WALET_CREDIT: 5, BILLFOLD_SCHED: batch}}
              other: {command: [./other], environment: {BILLFOLD_OF_OTHERS: 5}}
              third: {image: "${BILLFOLD_OWN_IMAGE:-x}"}
            """, env: "BILLFOLD_OWN_IMAGE=y\nBILLFOLD_QUEUE_SM=7\n")
        let shell = ["BILLFOLD_HTPP": "x", "BILLFOLD_OF_OTHERS": "x", "BILLFOLD_BIN": "x", "PATH": "/bin"]
        let unknown = try project.unknownSettings(shell)
        #expect(
            unknown.map(\.description) == [
                "BILLFOLD_HTPP is not a setting; did you mean BILLFOLD_HTTP?",
                "BILLFOLD_QUEUE_SM is not a setting; did you mean BILLFOLD_QUEUE_MS?",
                "BILLFOLD_WALET_CREDIT is not a setting; did you mean BILLFOLD_WALLET_CREDIT?"
            ])
        #expect(try self.project("services: {a: {}}").unknownSettings(["BILLFOLD_RUN": "/r"]) == [])
    }
}

@Suite("The names of settings")
struct SettingNamesTests {
    private static let root = #filePath.components(separatedBy: "/Tests/")[0]

    /// All names that the sources read, as keys of a configuration reader or from the environment.
    private static func read() throws -> Set<String> {
        var names: Set<String> = []
        let reading = /(?:forKey:|integer\(|path\(|text\(|needed\(|mailAddress\(|value\()\s*"(billfold\.[a-z0-9.]+)"/
        let direct = /environment\["(BILLFOLD_[A-Z0-9_]+)"/
        for folder in ["Sources", "Services"] {
            let files = try #require(FileManager.default.enumerator(atPath: "\(root)/\(folder)"))
            for case let file as String in files where file.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(root)/\(folder)/\(file)", encoding: .utf8)
                names.formUnion(
                    text.matches(of: reading).map {
                        $0.output.1.uppercased().replacing(".", with: "_")
                    })
                names.formUnion(text.matches(of: direct).map { String($0.output.1) })
            }
        }
        return names
    }

    @Test("are those that the sources read, and no others")
    func complete() throws {
        let read = try Self.read()
        #expect(read.count > 40)
        #expect(read.subtracting(SettingNames.settings).sorted() == [], "read, and not in SettingNames")
        #expect(Set(SettingNames.settings).subtracting(read).sorted() == [], "in SettingNames, and read by nobody")
    }

    @Test("are on the page of settings, each with its reader, values and effect")
    func described() throws {
        let page = try String(contentsOfFile: "\(Self.root)/docs/settings.md", encoding: .utf8)
        let row = /\| `(BILLFOLD_[A-Z0-9_]+)` \|[^|]+\|[^|]+\|[^|]+\|[^|]+\|/
        let described = page.split(separator: "\n").compactMap { $0.wholeMatch(of: row).map { String($0.output.1) } }
        #expect(Set(SettingNames.settings).subtracting(described).sorted() == [], "not on the page")
        #expect(Set(described).subtracting(SettingNames.settings).sorted() == [], "on the page, and no setting")
        #expect(described.count == Set(described).count, "described twice")
    }

    @Test("are suggested where one is near, and not where none is")
    func nearest() {
        #expect(SettingNames.unknown(among: ["BILLFOLD_LOGG"]).map(\.nearest) == ["BILLFOLD_LOG"])
        #expect(SettingNames.unknown(among: ["BILLFOLD_SOMETHING_ELSE"]).map(\.nearest) == [nil])
        #expect(NearestName.nearest(to: "ab", among: ["xyz", "cd"]) == nil)
    }
}

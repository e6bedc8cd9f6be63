import Bus
import Glibc
import Primitives

/// The set's processes as /proc shows them: found by their executable and by the run directory in their environment.
package struct ProcessTable: Sendable {
    package struct Entry: Sendable, Equatable {
        package let name: String
        package let id: Int32
    }

    /// The part of an executable's name before that of the process.
    private static let prefix = "billfold-"

    /// Resolved, as the set's own environment may spell it otherwise.
    private let runDirectory: String
    /// Given on the command line: these names are these processes, until they end.
    private let given: [String: Int32]
    /// The ports of the gateways, in the order of their names.
    private let ports: [Substring]

    /// - Parameter gateways: their addresses; what listens at the port of the second is called `gateway-2`.
    package init(runDirectory: String, given: [String: Int32] = [:], gateways: [String] = []) {
        self.runDirectory = Self.resolved(runDirectory)
        self.given = given
        ports = gateways.compactMap(Self.port)
    }

    /// Whether a process of this name is one of the gateways.
    static func isGateway(_ name: String) -> Bool { name == "gateway" || name.hasPrefix("gateway-") }

    /// Resident memory of all gateways that are named; nil unless each is a process of this machine.
    func gatewayBytes() -> Int64? {
        let gateways = find().filter { Self.isGateway($0.name) }
        guard gateways.count == ports.count, Set(gateways.map(\.name)).count == ports.count else { return nil }
        return gateways.compactMap { ProcFile.figures(of: $0.id)?.residentBytes }.reduce(0, +)
    }

    private static func port(_ address: String) -> Substring? { address.split(separator: ":").last }

    /// Reads `broker=123,wallet=456`.
    package static func parse(_ list: String) throws(LoadUsageError) -> [String: Int32] {
        var processes: [String: Int32] = [:]
        for item in list.split(separator: ",") {
            let parts = item.split(separator: "=")
            guard parts.count == 2, let id = Int32(parts[1]), id > 0 else {
                throw LoadUsageError("'\(item)' is not a process, as wallet=456")
            }
            processes[String(parts[0])] = id
        }
        return processes
    }

    /// All living processes of the set, by name.
    package func find() -> [Entry] {
        ProcFile.all.compactMap(look).sorted { $0.name < $1.name }
    }

    package func find(_ name: String) -> Entry? { find().first { $0.name == name } }

    /// Where the wallet's ledger is, if the wallet is found: the disk that matters.
    package var dataDirectory: String? {
        guard let wallet = find("wallet") else { return nil }
        let setting = ProcFile.environment(of: wallet.id).first { $0.hasPrefix("BILLFOLD_DATA=") }
        return setting.map { String($0.dropFirst(14)) }
    }

    private func look(_ id: Int32) -> Entry? {
        if let name = given.first(where: { $0.value == id })?.key {
            return ProcFile.isAlive(id) ? Entry(name: name, id: id) : nil
        }
        guard let executable = ProcFile.executable(of: id) else { return nil }
        let file = executable.split(separator: "/").last ?? ""
        guard file.hasPrefix(Self.prefix), file != "billfold-bench", ProcFile.isAlive(id) else { return nil }
        let settings = ProcFile.environment(of: id)
        func setting(_ name: String) -> String? {
            settings.first { $0.hasPrefix("\(name)=") && $0 != "\(name)=" }.map { String($0.dropFirst(name.count + 1)) }
        }
        guard Self.resolved(setting("BILLFOLD_RUN") ?? "/tmp/billfold-\(getuid())") == runDirectory else { return nil }
        let name = String(file.dropFirst(Self.prefix.count))
        let place = Self.port(setting("BILLFOLD_HTTP") ?? "127.0.0.1:8080").flatMap(ports.firstIndex) ?? 0
        return Entry(name: Self.isGateway(name) && place > 0 ? "\(name)-\(place + 1)" : name, id: id)
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

/// One process's files in /proc. A process that is gone has none.
extension ProcFile {
    /// The processes of this machine.
    static var all: [Int32] {
        var found: [Int32] = []
        guard let directory = opendir("/proc") else { return [] }
        defer { closedir(directory) }
        while let item = readdir(directory) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let id = Int32(name) { found.append(id) }
        }
        return found
    }

    static func children(of parent: Int32) -> [Int32] { all.filter { self.parent(of: $0) == parent && isAlive($0) } }

    static func link(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes {
            readlink(path, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// Without the mark of a file that was replaced while the process ran.
    static func executable(of id: Int32) -> String? {
        guard let path = link("/proc/\(id)/exe") else { return nil }
        return path.hasSuffix(" (deleted)") ? String(path.dropLast(10)) : path
    }

    static func list(_ id: Int32, _ file: String) -> [String] {
        (read("/proc/\(id)/\(file)") ?? []).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    static func environment(of id: Int32) -> [String] { list(id, "environ") }

    struct Figures {
        var state: UInt8
        /// User and system time so far, microseconds.
        var cpuMicros: Double
        var residentBytes: Int64
    }

    static func figures(of id: Int32) -> Figures? {
        guard let text = read("/proc/\(id)/stat"), let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text[(end + 2)...].split(separator: UInt8(ascii: " "))
        func number(_ place: Int) -> Double { Double(String(decoding: fields[place], as: UTF8.self)) ?? 0 }
        guard fields.count > 21, let state = fields[0].first else { return nil }
        let tick = 1_000_000 / Double(sysconf(Int32(_SC_CLK_TCK)))
        return Figures(
            state: state, cpuMicros: (number(11) + number(12)) * tick,
            residentBytes: Int64(number(21)) * Int64(sysconf(Int32(_SC_PAGESIZE))))
    }

    /// The process that started it, or has it since that one is gone.
    static func parent(of id: Int32) -> Int32? {
        guard let text = read("/proc/\(id)/stat"), let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text[(end + 2)...].split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? Int32(String(decoding: fields[1], as: UTF8.self)) : nil
    }

    /// When it was started, to a hundredth of a second, by the clock as it goes now.
    static func birth(of id: Int32) -> Timestamp? {
        guard let text = read("/proc/\(id)/stat"), let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text[(end + 2)...].split(separator: UInt8(ascii: " "))
        guard fields.count > 19, let ticks = Int64(String(decoding: fields[19], as: UTF8.self)) else { return nil }
        var sinceBoot = timespec()
        clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
        let age =
            Int64(sinceBoot.tv_sec) * 1000 + Int64(sinceBoot.tv_nsec) / 1_000_000
            - ticks * 1000 / Int64(sysconf(Int32(_SC_CLK_TCK)))
        return WallClock.system.now() - .milliseconds(age)
    }

    /// Neither gone nor an unreaped zombie. One whose first thread is a zombie already holds its files and
    /// their locks until the last one has ended, which may have to wait for a disk first.
    static func isAlive(_ id: Int32) -> Bool {
        guard let state = figures(of: id)?.state else { return false }
        return state != UInt8(ascii: "Z") && state != UInt8(ascii: "X") || threads(of: id) > 1
    }

    private static func threads(of id: Int32) -> Int {
        guard let directory = opendir("/proc/\(id)/task") else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while let item = readdir(directory) { if item.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 } }
        return count
    }
}

import ArgumentParser
import Foundation
import Supervision

/// Shows what the processes of a set have written.
struct LogsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Shows the logs of the set that 'billfold up' runs, or ran.",
        discussion: """
            Lines of several services are in the order of their times. Without a running set, the logs that it has left are \
            shown: those in .billfold/logs beside the compose file, or in BILLFOLD_DATA/logs where that is set.

            \(ExitStatus.help("lines were shown", unreachable: "no set runs, and none has left logs"))

            Examples:
              billfold logs
              billfold logs -f wallet payments
              billfold logs --tail 1000 --json wallet
            """)

    /// Between two looks at the files.
    private static let glance: useconds_t = 50_000
    /// Of each file, read to show its last lines.
    private static let tailBytesMax = 1 << 20

    @Argument(help: "The services. Default: all.")
    var services: [String] = []

    @Flag(name: .shortAndLong, help: "Goes on showing lines as they are written, until Ctrl-C or the end of the set.")
    var follow = false

    @Option(help: "How many lines of each service are shown at first.")
    var tail = 50

    @Flag(help: "Lines as they were written: JSON.")
    var json = false

    @Option(name: .long, help: "The compose file, where no set runs.")
    var file: String?

    @OptionGroup var place: SetPlace

    func validate() throws {
        guard (0...100_000).contains(tail) else { throw ValidationError("--tail can be 0 to 100000") }
    }

    func run() throws {
        let (directory, known) = try logs()
        for name in services where !known.contains(name) {
            throw CommandFailure.usage("there is no log of '\(name)'; there are \(known.joined(separator: ", "))")
        }
        let names = services.isEmpty ? known : services
        let layout = LogLayout(names, isColoured: LoadScreen.wantsColour(STDOUT_FILENO))
        var files = names.map { FollowedFile(name: $0, path: "\(directory)/\($0).log", tailMax: Self.tailBytesMax) }
        try show(files.indices.map { (files[$0].name, Array(files[$0].newLines().suffix(tail))) }, layout)
        guard follow, let set = try? SetClient(run: place.directory) else { return }  // without a set nothing follows
        while true {
            let isRunning = !set.hasEnded
            try show(files.indices.map { (files[$0].name, files[$0].newLines()) }, layout)
            guard isRunning else { return }
            usleep(Self.glance)
        }
    }

    private func logs() throws -> (directory: String, names: [String]) {
        if let listing = try? SetClient(run: place.directory).list() {
            return (listing.logs, listing.processes.map(\.name))
        }
        let directory = try Project(file: file).directories(ProcessInfo.processInfo.environment).logs
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []  // there are none then
        let known = names.filter { $0.hasSuffix(".log") && $0 != "up.log" }.map { String($0.dropLast(4)) }.sorted()
        guard !known.isEmpty else {
            throw CommandFailure.unreachable("no set runs, and none has left logs in \(directory)")
        }
        return (directory, known)
    }

    /// In the order of their times; a line without one stays behind the line before it.
    private func show(_ parts: [(name: String, lines: [String])], _ layout: LogLayout) throws {
        var all: [(time: String, place: Int, text: String)] = []
        for (name, lines) in parts {
            var last = ""
            for text in lines {
                let line = LogLine(text)
                last = line.time ?? last
                all.append((last, all.count, json ? text : layout.line(name, line)))
            }
        }
        let sorted = all.sorted { ($0.time, $0.place) < ($1.time, $1.place) }
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(sorted.map { $0.text + "\n" }.joined().utf8))
        } catch {
            throw CommandFailure.no("the output cannot be written: \(error.localizedDescription)")
        }
    }
}

/// A log file that grows, and becomes another when it is full.
private struct FollowedFile {
    let name: String
    private let path: String
    private var file: FileHandle?
    private var inode: UInt64 = 0
    private var rest = Data()

    init(name: String, path: String, tailMax: Int) {
        self.name = name
        self.path = path
        open()
        guard let file, let size = try? file.seekToEnd(), size > UInt64(tailMax) else {
            try? file?.seek(toOffset: 0)  // an empty file then
            return
        }
        try? file.seek(toOffset: size - UInt64(tailMax))  // from the start then
    }

    mutating func newLines() -> [String] {
        var lines = read()
        if inode != Self.inode(path) {
            // What was written between the last look and the change of files.
            lines += read()
            open()
            lines += read()
        }
        return lines
    }

    private mutating func read() -> [String] {
        rest += (try? file?.readToEnd()) ?? Data()  // gone: there is nothing new in it
        var lines: [String] = []
        while let end = rest.firstIndex(of: 10) {
            lines.append(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
            rest = rest[rest.index(after: end)...]
        }
        rest = Data(rest)
        return lines
    }

    private mutating func open() {
        file = FileHandle(forReadingAtPath: path)
        inode = Self.inode(path)
    }

    private static func inode(_ path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }
}

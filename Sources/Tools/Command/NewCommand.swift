import ArgumentParser
import Foundation
import Scaffold

/// Begins a new service in a checkout of this project.
struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Begins a service beside the others: its folder, contract, store and tests.",
        discussion: """
            In a checkout without uncommitted changes, writes Services/<Name> with a process that answers one keyed ask, \
            keeps it in a file of its own and publishes one fact; the contract, samples and golden files; a route of the \
            gateway; a specification for 'billfold check'; tests of it alone and of the real process; and the lines that \
            it needs in the manifest, the catalogue, the fault codes and the description of the set. Health, metrics, \
            verify, backup and restore know it from then on. What it wrote builds and passes; then it is yours to change. \
            Nothing is written unless all of it can be.

            \(ExitStatus.help(
                "the service is written", no: "the name is taken, or there are changes that are not committed"))

            Examples:
              billfold new vouchers
              billfold new vouchers --dry-run
              billfold new vouchers --in ~/src/billfold
            """)

    @Argument(help: "2 to 24 letters from a to z: the service's name on the bus.")
    var name: String

    @Option(name: .customLong("in"), help: "The checkout, or a directory in it. Default: where you are.")
    var directory = "."

    @Flag(help: "Says what would be written, and writes nothing.")
    var dryRun = false

    func validate() throws {
        do { _ = try ServiceName(name) } catch { throw ValidationError("\(error)") }
    }

    func run() throws {
        let name = try ServiceName(name)
        let checkout = try Checkout(from: directory)
        let service = try NewService(name, paths: checkout.paths, read: checkout.read)
        if !dryRun {
            try checkout.requireClean()
            for file in service.made + service.changed { try checkout.write(file.text, to: file.path) }
        }
        report(service, in: checkout)
    }

    private func report(_ service: NewService, in checkout: Checkout) {
        let verb = dryRun ? "would be " : ""
        print("\(verb)written in \(checkout.root):")
        for file in service.made { print("  \(file.path)") }
        print("\(verb)changed:")
        for file in service.changed { print("  \(file.path)") }
        for path in service.missing { print("not there, and left out: \(path)") }
        guard !dryRun else { return }
        let name = service.name
        print(
            """

            next:
              swift build -c release --product billfold-\(name.text)
              deploy/test unit
              deploy/test process -k test_\(name.text)
            then say in docs/messages.md and docs/architecture.md what \(name.text) is for.
            To undo: git checkout -- . && git clean -fd Services Sources Tests deploy
            """)
    }
}

/// A working copy of this project under git.
private struct Checkout {
    let root: String
    /// Of every file that git knows.
    let paths: [String]

    init(from directory: String) throws {
        guard let top = try Self.git(["rev-parse", "--show-toplevel"], in: directory)?.first else {
            throw CommandFailure.usage("\(directory) is not in a git checkout")
        }
        root = top
        guard let manifest = try? String(contentsOfFile: top + "/Package.swift", encoding: .utf8),
            manifest.contains("name: \"billfold\"")
        else { throw CommandFailure.usage("\(top) is not a checkout of billfold") }
        paths = try Self.git(["ls-files"], in: top) ?? []
    }

    func read(_ path: String) throws -> String { try String(contentsOfFile: root + "/" + path, encoding: .utf8) }

    func requireClean() throws {
        guard let changes = try Self.git(["status", "--porcelain"], in: root), changes.isEmpty else {
            throw CommandFailure.no(
                "\(root) has changes that are not committed: commit or stash them, so that this can be undone")
        }
    }

    func write(_ text: String, to path: String) throws {
        let file = URL(fileURLWithPath: root).appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// The lines that git prints; nil where it fails.
    private static func git(_ arguments: [String], in directory: String) throws -> [String]? {
        let git = Process()
        git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        git.arguments = ["git", "-C", directory] + arguments
        let output = Pipe()
        git.standardOutput = output
        git.standardError = FileHandle.nullDevice
        try git.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        git.waitUntilExit()
        guard git.terminationStatus == 0 else { return nil }
        return text.split(separator: "\n").map(String.init)
    }
}

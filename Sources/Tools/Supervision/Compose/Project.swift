import Foundation
import ServiceKit

/// A directory with a compose file: where a set is described.
package struct Project: Sendable {
    /// In this order, as others look for them too.
    private static let fileNames = ["compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"]

    package let file: String
    package let directory: String

    /// The settings of `.env` beside the file.
    private let settings: [String: String]

    /// - Parameter path: nil: the nearest one, from the working directory up.
    package init(file path: String?) throws(ComposeError) {
        let here = FileManager.default.currentDirectoryPath
        guard let file = path.map({ Self.absolute($0, in: here) }) ?? Self.nearest(to: here) else {
            throw ComposeError("there is no docker-compose.yml in \(here) or above it; --file names one")
        }
        try self.init(at: file)
    }

    /// The nearest one, from the working directory up; nil where there is none.
    package static func nearest() throws(ComposeError) -> Project? {
        guard let file = nearest(to: FileManager.default.currentDirectoryPath) else { return nil }
        return try Project(at: file)
    }

    private init(at file: String) throws(ComposeError) {
        guard FileManager.default.isReadableFile(atPath: file) else { throw ComposeError("\(file) cannot be read") }
        self.file = file
        directory = String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
        settings = try DotEnv.read("\(directory)/.env")
    }

    private static func nearest(to here: String) -> String? {
        var directory = here[...]
        while true {
            let files = fileNames.map { "\(directory)/\($0)" }
            if let file = files.first(where: FileManager.default.isReadableFile) { return file }
            guard let slash = directory.lastIndex(of: "/") else { return nil }
            directory = directory[..<slash]
        }
    }

    /// The shell's environment, and under it what `.env` beside the file says: the file's names stand for it, and its
    /// processes get it.
    package func environment(_ shell: [String: String]) -> [String: String] { settings.merging(shell) { $1 } }

    /// Where a set keeps its data and its logs. Sets with other data have other logs: no two write into the same files.
    ///
    /// `BILLFOLD_DATA` in the shell or in `.env` says where; without it, it is the project's own directory.
    package func directories(_ shell: [String: String]) -> (data: String, logs: String) {
        let data = environment(shell)["BILLFOLD_DATA"]
        let own = "\(directory)/.billfold/data"
        guard let data, !data.isEmpty else { return (own, "\(directory)/.billfold/logs") }
        let path = absolute(data)
        return (path, path == own ? "\(directory)/.billfold/logs" : "\(path)/logs")
    }

    /// A path of the file or of a setting: a relative one begins at the file.
    package func absolute(_ path: String) -> String { Self.absolute(path, in: directory) }

    static func absolute(_ path: String, in directory: String) -> String {
        path.hasPrefix("/") ? path : "\(directory)/\(path.hasPrefix("./") ? String(path.dropFirst(2)) : path)"
    }

    /// Settings by which commands find the running set. Those commands do not read `.env`.
    private static let ofTheShell: Set = [
        "BILLFOLD_RUN", "BILLFOLD_BUS", "BILLFOLD_KEYS", "BILLFOLD_NATS_CREDENTIALS", "BILLFOLD_NATS_CA_FILE",
        "BILLFOLD_NATS_CERT_FILE", "BILLFOLD_NATS_KEY_FILE"
    ]

    /// Settings that `.env` has and only the shell can have; a setting that the shell has, too, is none of them.
    package func misplacedSettings(_ shell: [String: String]) -> [String] {
        environment(shell).keys.filter { Self.ofTheShell.contains($0) && shell[$0] == nil }.sorted()
    }

    /// Settings that nothing reads: in the shell and in `.env` those that neither our processes nor the file use; in
    /// the file those that it gives to our processes.
    ///
    /// - Throws: `ComposeError`, with the file's name in front.
    package func unknownSettings(_ shell: [String: String]) throws(ComposeError) -> [SettingNames.Unknown] {
        let environment = environment(shell)
        let (text, description) = try read(environment)
        let mentioned = Set(text.matches(of: /BILLFOLD_[A-Z0-9_]+/).map { String($0.output) })
        var unknown = SettingNames.unknown(among: environment.keys, besides: mentioned)
        for service in description.services {
            let executable = (service.localCommand ?? service.command).first?.split(separator: "/").last
            guard executable?.hasPrefix("billfold") ?? true else { continue }
            unknown += SettingNames.unknown(among: Set(service.environment.keys).union(service.localEnvironment.keys))
        }
        return unknown.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private func read(_ environment: [String: String]) throws(ComposeError) -> (text: String, file: ComposeFile) {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw ComposeError("\(file): it cannot be read")
        }
        do throws(ComposeError) { return (text, try ComposeReader.read(text, environment: environment)) } catch {
            throw ComposeError("\(file): \(error)")
        }
    }

    /// - Throws: `ComposeError`, with the file's name in front.
    package func set(
        at places: LocalSet.Places, profiles: Set<String>, shell: [String: String]
    ) throws(ComposeError) -> LocalSet {
        let environment = environment(shell)
        let description = try read(environment).file
        do throws(ComposeError) {
            return try LocalSet(description, at: places, profiles: profiles, environment: environment)
        } catch { throw ComposeError("\(file): \(error)") }
    }
}

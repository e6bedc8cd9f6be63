import ArgumentParser
import Contracts
import Foundation
import ServiceKit
import Sodium
import Storage
import Supervision

/// Carries a stopped set's data from its files into PostgreSQL.
struct MoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Copies a stopped set's data into PostgreSQL.",
        discussion: """
            Copies each service's file into a schema of its own, in one transaction for each service, and reads every row \
            back before it is committed. No service can start on the files or the schemas meanwhile. A file that a service \
            uses and a schema with other data are refused; after a failure the command can be run again, and finds what it \
            has moved. The files stay as they are. Start the set with BILLFOLD_STORE set to the same address then; 'billfold \
            verify' checks it.

            Going back: 'billfold backup' writes files of the running set, 'billfold down' stops it, 'billfold restore' puts them \
            in place once BILLFOLD_STORE is unset, and 'billfold up' starts the set on them.

            The address may hold a password: give it by BILLFOLD_STORE where others can see the processes' arguments.

            \(ExitStatus.help("all data is in PostgreSQL", no: "a service runs, a schema has other data, or a copy failed"))

            Examples:
              billfold move --to postgres://billfold@db1,db2,db3/billfold
              BILLFOLD_STORE=postgres://billfold@localhost/billfold billfold move
            """)

    @Option(
        help: ArgumentHelp("The PostgreSQL database (BILLFOLD_STORE).", valueName: "address"))
    var to: String?

    @OptionGroup var place: DataPlace

    @Option(help: ArgumentHelp("One service only; can be given several times.", valueName: "service"))
    var only: [String] = []

    func run() async throws {
        let config = try HostConfig.fromEnvironment()
        guard let address = try Self.address(to) ?? place.store() else {
            throw CommandFailure.usage("say where the data is to go: --to postgres://USER@HOST/DATABASE")
        }
        let data = try place.directory(config)
        let services = Catalogue.dataOwners.map { $0.service }.filter { only.isEmpty || only.contains($0) }
        if let unknown = only.first(where: { !services.contains($0) }) {
            throw CommandFailure.usage("there is no service '\(unknown)' with data")
        }
        let successors = try Successors(in: data).programs
        if let service = services.first(where: { successors[$0] != nil }) {
            throw CommandFailure.no(
                "another program has taken the state of \(service) over, so nothing was moved: "
                    + "'billfold swap \(service) --back --take-over' brings it back")
        }
        let files = services.compactMap { service in Self.file(of: service, in: data).map { (service, $0) } }
        guard !files.isEmpty else {
            throw CommandFailure.no(
                "no service has a file in \(data), so nothing was moved: --data says where they are")
        }
        // All of them first: a set that starts while its files are read would go on in some of them.
        let moves = try files.map { service, file in
            try Self.explained(service) {
                let keys = try Self.keys(of: service, in: data)
                return (service, try PostgresMove(file, to: address, schema: service, keys: keys))
            }
        }
        for (service, move) in moves {
            let moved = try Self.explained(service, "what was moved before it stays; move it again to go on") {
                try move.run()
            }
            let what = "\(moved.rows) rows of \(moved.tables) tables"
            print(
                "\(service): \(what) \(moved.wasThere ? "were in PostgreSQL already" : "are in PostgreSQL, as they were")"
            )
        }
        withExtendedLifetime(moves) {}
    }

    private static func address(_ to: String?) throws -> String? {
        do { return try HostConfig.storeAddress(to, named: "--to") } catch let error as ConfigError {
            throw CommandFailure.usage(error.description)
        }
    }

    private static func explained<Value>(
        _ service: String, _ next: String = "nothing was moved", _ body: () throws -> Value
    ) throws -> Value {
        do { return try body() } catch PostgresDatabase.OpenError.address {
            throw CommandFailure.usage("\(PostgresDatabase.OpenError.address) (nothing was moved)")
        } catch {
            throw CommandFailure.no("\(service) was not moved: \(error) (\(next))")
        }
    }

    /// Digests of the keys that a service's data was written with, which stand beside it.
    private static func keys(of service: String, in data: String) throws -> [String: [UInt8]] {
        guard let key = Catalogue.dataOwners.first(where: { $0.service == service })?.key else { return [:] }
        let path = KeyFile.digestFile(of: "\(data)/\(service)/\(key.file)")
        guard let digest = FileManager.default.contents(atPath: path) else {
            throw CommandFailure.no("\(path) is missing: start the service on its file once, which writes it")
        }
        return [key.file: Array(digest)]
    }

    /// The one database in a service's directory.
    private static func file(of service: String, in data: String) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(data)/\(service)")) ?? []
        return names.first { $0.hasSuffix(".sqlite") }.map { "\(data)/\(service)/\($0)" }
    }
}

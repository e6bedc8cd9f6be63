import ArgumentParser
import Bus
import Contracts
import Foundation
import Watch
import Wire

/// Moves the cursor of a reader that does not go on by itself.
struct CureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cure",
        abstract: "Moves the cursor of a service that no longer reads another one's facts.",
        discussion: """
            A service stops reading when the source's log is another one than it has read (an old copy was restored, or the \
            data replaced), or when it does not get past a fact. 'billfold status', 'ps', 'verify' and the gateway's /health \
            say so. Restoring the right data is the better cure: it loses nothing, and the reader goes on by itself.

            Without --yes this command only says what it would do: from which fact to which the cursor moves, which facts are \
            left out or applied again, and what that means. The cursor of another log moves to its newest fact, that of a \
            reader which does not get past a fact moves behind this one; --to says otherwise, 0 reads everything from the \
            beginning. A reader that goes on by itself is not moved.

            \(ExitStatus.help(
                "the cursor was moved, or without --yes: it can be", no: "there is nothing to cure, or the service refused",
                unreachable: "no set runs, or the service or the source does not answer"))

            Examples:
              billfold cure notifications
              billfold cure notifications --source routines --yes
              billfold cure payments --source wallet --to 0 --yes
            """)

    @Argument(help: "The service that reads.")
    var service: String

    @Option(help: "The service whose facts it reads; needed where several are not read.")
    var source: String?

    @Option(help: "The last fact that counts as applied afterwards.")
    var to: Int64?

    @Flag(help: "Moves the cursor.")
    var yes = false

    @OptionGroup var connection: BusOptions

    func validate() throws {
        guard to ?? 0 >= 0 else { throw ValidationError("--to is 0 or the number of a fact") }
    }

    func run() async throws {
        guard let consumer = Catalogue.service(service) as? any FactConsumer.Type else {
            let readers = Catalogue.services.filter { $0 is any FactConsumer.Type }.map { $0.service }
            throw CommandFailure.usage(
                "'\(service)' is no service that reads facts; these do: \(readers.joined(separator: ", "))")
        }
        if let source, !consumer.consumes.contains(where: { $0.service == source }) {
            let sources = consumer.consumes.map { $0.service }.joined(separator: ", ")
            throw CommandFailure.usage("\(service) does not read the facts of '\(source)', but those of \(sources)")
        }
        let (reactor, bus) = try connection.open()
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await cure(bus)) } catch { outcome = .failure(error) }
        await reactor.stop()
        try outcome.get()
    }

    private func cure(_ bus: Bus) async throws {
        let stats = try await read(
            bus, service, "stats.read.v1", [:], or: "start it: a reader that does not run cannot be moved")
        let reader = try chosen(ReaderState.readers(in: try ServiceStats(json: Array(stats.text.utf8))))
        let page = try await read(
            bus, reader.source, "facts.read.v1", ["after": .integer(.max - 1), "limit": 1],
            or: "start it: the reader may go on by itself then")
        guard case .integer(let head)? = page["head"], let plan = CurePlan(reader, head: head, to: to) else {
            throw CommandFailure.no("\(service) reads all facts: there is nothing to cure, and nothing was changed")
        }
        guard plan.to <= head else {
            throw CommandFailure.usage("--to is at most \(head), where \(reader.source)'s log ends")
        }
        print(plan.text)
        guard yes else { return print("nothing was changed: --yes moves the cursor, --to chooses another fact") }
        let ask: JSONValue = [
            "source": .string(reader.source), "from": .integer(reader.position), "to": .integer(plan.to)
        ]
        if let fault = await move(bus, ask) {
            guard fault.code.status < 500 else { throw fault }
            throw CommandFailure.no("\(service) refused, and nothing was changed: \(fault.words)")
        }
        print("the cursor is at \(plan.to), and \(service) reads on; 'billfold verify' checks the whole set")
    }

    /// The reader to cure: the one that was named, or the only one in trouble.
    private func chosen(_ readers: [ReaderState]) throws -> ReaderState {
        let troubled = readers.filter { $0.trouble != nil && (source == nil || $0.source == source) }
        guard let first = troubled.first else {
            throw CommandFailure.no(
                "\(service) reads the facts of \(source ?? "all its sources"): there is nothing to cure, and nothing was "
                    + "changed")
        }
        guard troubled.count == 1 else {
            let sources = troubled.map(\.source).joined(separator: ", ")
            throw CommandFailure.usage("\(service) does not read the facts of \(sources): name one with --source")
        }
        return first
    }

    /// - Returns: the refusal.
    private func move(_ bus: Bus, _ ask: JSONValue) async -> Fault? {
        let outcome = await answer(bus, service, "cursor.move.v1", ask, .once)
        if case .failure(let fault) = outcome { return fault }
        return nil
    }

    /// What a service answers to a read.
    private func read(
        _ bus: Bus, _ service: String, _ name: String, _ ask: JSONValue, or advice: String
    ) async throws -> JSONValue {
        switch await answer(bus, service, name, ask, .idempotent) {
        case .success(let data): return try JSONValue(parsing: data)
        case .failure(let fault):
            throw CommandFailure.unreachable("\(service) does not answer (\(fault.words)); \(advice)")
        }
    }

    private func answer(
        _ bus: Bus, _ service: String, _ name: String, _ ask: JSONValue, _ retry: RetryClass
    ) async -> Result<ArraySlice<UInt8>, Fault> {
        do throws(Fault) {
            return .success(
                try await bus.ask(
                    MessageType("\(service).\(name)"), data: Array(ask.text.utf8), retry: retry, of: service,
                    in: connection.context(bus)))
        } catch {
            return .failure(error)
        }
    }
}

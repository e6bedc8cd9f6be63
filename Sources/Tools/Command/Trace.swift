import ArgumentParser
import Bus
import Contracts
import Foundation
import Primitives
import Schemas
import Watch
import Wire

/// What a request has led to.
struct Trace: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what an HTTP request, a touch or an ask has led to, down to ledger entries and notices.",
        discussion: """
            The id is one of: the X-Correlation-Id of an HTTP answer; its traceresponse, whole or the 32 digits of its trace \
            alone; the id of a message; a charge's. With --foreign it is any text: an id that a till or another system has \
            chosen for its asks. Each line tells what was done, how long after the beginning, how long \
            it took, and what became of it; a fact (with its number) tells what is durable: an entry of the ledger, a \
            charge, a notice, a delivery.

            Requests and asks are remembered in the processes' memory, the last 8,192 of each; facts last. So of a trace of \
            last week, or from before a restart, the facts are shown. They are found by the time that our ids begin with; of \
            an id from elsewhere the newest 5,000 facts of each service are looked through, unless --around tells when it was.

            \(ExitStatus.help(
                "something is known of the id", no: "nothing is known of it",
                unreachable: "no set runs, or its broker does not answer"))

            Examples:
              billfold trace 019a9c3d2c40a1a1a1a1a1a1a1a1a1a1
              billfold trace 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
              billfold trace 4bf92f3577b34da6a3ce929d0e0e4736 \\
                --around 2026-11-21T09:30:00Z
              billfold trace --foreign 'till 7, receipt 42'
              billfold trace 019a9c3d2c400005cececececececece --json
            """)

    @Argument(help: "A trace's, correlation's, message's or charge's id.")
    var id: String

    @Flag(
        help: "The id is another system's: any text of 1 to 255 bytes. The ledger keeps ids of at most 128 bytes.")
    var foreign = false

    @Option(help: "When it was, RFC 3339, where its id does not tell.")
    var around: String?

    @Option(help: "Seconds after its beginning in which facts are looked for, 1 to 86400.")
    var window = 30

    @Flag(help: "Show identifiers with all their digits.")
    var full = false

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var connection: BusOptions

    func validate() throws {
        guard !id.isEmpty, id.utf8.count <= 255 else { throw ValidationError("An id has 1 to 255 bytes.") }
        guard foreign || Identifier<Never>(id) != nil || TraceID(traceparent: id) != nil else {
            throw ValidationError(
                "'\(id)' is malformed: an id has 32 hex digits, or is a whole traceresponse. For an id that another system "
                    + "has chosen, add --foreign.")
        }
        guard (1...86_400).contains(window) else { throw ValidationError("--window is 1 to 86400 seconds.") }
        if let around, Timestamp(rfc3339: Array(around.utf8)) == nil {
            throw ValidationError("--around is a time such as 2026-11-21T09:30:00Z.")
        }
    }

    func run() async throws {
        let wanted = TraceID(traceparent: id)?.reinterpreted() ?? MessageID(standingFor: id)
        let (reactor, bus) = try connection.open()
        // A set without a broker knows of no id.
        _ = try await bus.queues()
        let search = TraceSearch(
            bus: bus, around: around.flatMap { Timestamp(rfc3339: Array($0.utf8)) }, window: .seconds(window))
        let found = await search.find(wanted)
        await reactor.stop()
        let trees = TraceTree.trees(of: found.points)
        if json {
            print(JSONValue.object([.init("traces", .array(trees.map(\.json)))]).indented)
        } else {
            let colour = LoadScreen.wantsColour(STDOUT_FILENO)
            for tree in trees { print(tree.text(colour: colour, isWhole: full)) }
        }
        for remark in found.remarks { complain(remark) }
        guard trees.isEmpty else { return }
        guard found.isWhole else { throw CommandFailure.unreachable("what could be read knows nothing of \(id)") }
        throw CommandFailure.no(
            "nothing is known of \(id); if it is old and not one of ours, --around tells when it was")
    }
}

import ArgumentParser
import Bus
import Contracts
import Foundation
import Primitives
import Schemas
import Sodium
import Watch
import Wire

/// Asks one thing on the bus.
struct Call: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sends an ask to a service and prints the reply.",
        discussion: """
            The message is JSON, `{}` where there is none, and read from standard input where it is `-`: that is the way for \
            one with a password in it, as commands can be seen by others. The reply's data is shown; a refusal goes to \
            standard error. If nobody serves the type, nothing is asked. Secrets and positions in a reply are masked \
            unless --unmasked is given.

            Whoever may use the bus acts for themselves and may ask anything; with --actor the services treat the ask as \
            made for that account, as they do what comes through the gateway. `billfold trace` shows what an ask has led to: \
            its trace id is told on standard error with --trace.

            `billfold contracts` lists the types. To have them completed by Tab:
              source <(billfold --generate-completion-script bash)

            \(ExitStatus.help(
                "the service replied", no: "the service refused",
                unreachable: "no set runs, or the service did not answer: the outcome may be unknown"))

            Examples:
              billfold call broker.queues.read.v1
              billfold call wallet.cards.read.v1 \\
                '{"customer":"019a9c3d2c400001c0c0c0c0c0c0c0c0"}'
              billfold call payments.charge.read.v1 --example
              billfold call rates.table.read.v1 '{"base":"EUR"}' --retry idempotent
            """)

    @Argument(help: "The ask's type.", completion: .custom { _, _, _ in CatalogueTypes.asks })
    var type: String

    @Argument(help: "The message, JSON; - reads it from standard input.")
    var message: String?

    @Flag(help: "Show a message of the type instead of asking.")
    var example = false

    @Option(help: "Ask for an account: customer:ID, merchant:ID or administrator:ID.")
    var actor: String?

    @Option(help: "Who is asked, where that is not the type's own service.")
    var service: String?

    @Option(help: "Seconds that the answer may take, 0.1 to 300.")
    var deadline = 10.0

    @Option(help: "Of a type that is not in the list: once, keyed or idempotent.")
    var retry: String?

    @Flag(help: "Show secrets and positions in the reply too.")
    var unmasked = false

    @Flag(help: "Print the ask's trace id on standard error.")
    var trace = false

    @Flag(help: "Print JSON on one line; a refusal as the problem that it is.")
    var json = false

    @OptionGroup var connection: BusOptions

    func validate() throws {
        guard (0.1...300).contains(deadline) else { throw ValidationError("--deadline is 0.1 to 300 seconds.") }
        if let actor, Actor(actor) == nil {
            throw ValidationError("--actor is a role and an account's id of 32 hex digits, such as customer:019a….")
        }
        if let retry, CatalogueTypes.retry(named: retry) == nil {
            throw ValidationError("--retry is once, keyed or idempotent.")
        }
    }

    func run() async throws {
        if example {
            guard let known = Catalogue.asks.first(where: { $0.type.name == type }) else {
                throw ValidationError("'\(type)' is not in the list; nobody here knows how it looks.")
            }
            return print(MessageSchemas.example(of: known).indented)
        }
        let retryClass = try retryClass(of: type)
        let data = try readMessage()
        let (reactor, bus) = try connection.open()
        let correlation = (Randomness.shared.identifier(at: bus.clock.now()) as MessageID).hex
        let context = AskContext(
            deadline: bus.clock.now() + .seconds(deadline), correlationID: correlation,
            actor: actor.flatMap { Actor($0) })
        let outcome: Result<JSONValue, Fault>
        do throws(Fault) {
            try await refuseUnserved(bus)
            let reply = try await bus.ask(MessageType(type), data: data, retry: retryClass, of: service, in: context)
            do throws(WireError) { outcome = .success(try JSONValue(parsing: reply)) } catch {
                outcome = .failure(Fault(.unavailable, "the reply cannot be read: \(error)"))
            }
        } catch {
            outcome = .failure(error)
        }
        await reactor.stop()
        if trace { complain("trace \(correlation)") }
        switch outcome {
        case .success(let reply):
            let shown = unmasked ? reply : Redaction.masked(reply)
            print(json ? shown.text : shown.indented)
            if shown != reply { complain("\(Redaction.mask) stands for what is not shown without --unmasked") }
        case .failure(let fault):
            if json {
                FileHandle.standardError.write(Data(fault.json + [UInt8(ascii: "\n")]))
            } else {
                complain(fault.words)
            }
            throw ExitStatus(of: fault).code
        }
    }

    /// An ask without a worker would wait until its deadline. A paused service is waited for: it is being swapped.
    private func refuseUnserved(_ bus: Bus) async throws(Fault) {
        let asked = service ?? MessageType(type).service
        let name = asked.hasPrefix(TrialName.prefix) ? String(asked.dropFirst(TrialName.prefix.count)) : asked
        let services = try await bus.queues().services
        guard !services.contains(where: { $0.service == name && ($0.workers > 0 || $0.paused) }) else { return }
        throw Fault(.noWorker, "nobody serves '\(name)'; nothing was asked. 'billfold status' shows who is there")
    }

    /// - Throws: when it cannot be asked, or its retry class is unknown.
    private func retryClass(of type: String) throws -> RetryClass {
        if let known = Catalogue.asks.first(where: { $0.type.name == type }) { return known.retry }
        guard !Catalogue.facts.contains(where: { $0.type.name == type }) else {
            throw ValidationError("'\(type)' is a fact: it is listened for, not asked. Try: billfold listen \(type)")
        }
        guard type.wholeMatch(of: /[a-z0-9_\-]+\.[a-z0-9_\-.]+/) != nil else {
            throw ValidationError("'\(type)' is no type: they look like wallet.card.read.v1.")
        }
        guard let given = retry.flatMap(CatalogueTypes.retry) else {
            let near = CatalogueTypes.nearest(to: type).map { " Did you mean \($0)?" } ?? ""
            throw ValidationError(
                "'\(type)' is in no contract; to ask it all the same, add --retry once, keyed or idempotent.\(near)")
        }
        return given
    }

    private func readMessage() throws -> [UInt8] {
        var text = message ?? "{}"
        if text == "-" {
            text = String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
        }
        do throws(WireError) {
            let value = try JSONValue(parsing: Array(text.utf8))
            guard case .object = value else { throw WireError(.invalidValue(why: "must be an object, in braces")) }
        } catch {
            throw ValidationError("The message cannot be read: \(error)")
        }
        return Array(text.utf8)
    }
}

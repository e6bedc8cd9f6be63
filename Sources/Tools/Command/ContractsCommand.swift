import ArgumentParser
import Contracts
import Foundation
import Schemas
import Wire

/// Prints what the bus understands, without a set.
struct ContractsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contracts", abstract: "Lists the messages of the bus, or prints their documents.",
        discussion: """
            Without an option: one line a message, with what asking again does. The documents are those that a gateway serves \
            at /asyncapi.json and /zeromq.md; no set has to run. With a service's name, --asyncapi prints only what that \
            service answers and publishes; --markdown prints a page for people about it.

            \(ExitStatus.help("the list or document was printed", no: "no message's type begins like this"))

            Examples:
              billfold contracts wallet
              billfold contracts --asyncapi > asyncapi.json
              billfold contracts --asyncapi location > location.json
              billfold contracts --markdown location | less
              billfold contracts --schema wallet.card.read.v1.reply
              billfold contracts --binding | less
            """)

    @Argument(help: "Only messages whose type begins like this; with --asyncapi and --markdown, one service.")
    var prefix = ""

    @Flag(help: "Prints the AsyncAPI 3.0 document.")
    var asyncapi = false

    @Flag(help: "Prints a page in Markdown about the messages of one service.")
    var markdown = false

    @Flag(help: "Prints the page about ZeroMQ frames and sockets.")
    var binding = false

    @Option(help: "Prints the JSON Schema of one event, by its type.")
    var schema: String?

    @Flag(help: "The list as JSON.")
    var json = false

    func validate() throws {
        let documents = [asyncapi, markdown, binding, schema != nil].count { $0 }
        guard documents <= 1 else {
            throw ValidationError("Choose one of --asyncapi, --markdown, --binding and --schema.")
        }
        guard documents == 0 || !json, !binding && schema == nil || prefix.isEmpty else {
            throw ValidationError("A document is printed whole: leave out the prefix and --json.")
        }
        let services = AsyncAPIDocument.services
        let isOfService = asyncapi && !prefix.isEmpty || markdown
        guard !isOfService || services.contains(prefix) else {
            throw ValidationError(
                "\(prefix.isEmpty ? "--markdown needs a service" : "No service has the name \(prefix)"). "
                    + "There are \(services.joined(separator: ", ")).")
        }
    }

    func run() throws {
        if asyncapi {
            print(AsyncAPIDocument(of: prefix.isEmpty ? nil : prefix).value.indented)
        } else if markdown {
            print(ServicePage(of: prefix).markdown, terminator: "")
        } else if binding {
            print(ZeroMQBinding.page, terminator: "")
        } else if let schema {
            guard let found = MessageSchemas().schema(of: schema) else {
                throw CommandFailure.usage("no message has the type '\(schema)'; 'billfold contracts' lists them")
            }
            print(found.indented)
        } else {
            try list()
        }
    }

    private func list() throws {
        let lines = MessageLine.all.filter { $0.type.hasPrefix(prefix) }
        guard !lines.isEmpty else {
            throw CommandFailure.no("no message's type begins with '\(prefix)'; 'billfold contracts' lists them")
        }
        if json {
            print(JSONValue.array(lines.map(\.json)).indented)
        } else {
            let width = lines.map(\.type.count).max() ?? 0
            for line in lines {
                print(line.type.padding(toLength: width + 2, withPad: " ", startingAt: 0) + line.words)
            }
        }
    }
}

/// One message of the list.
private struct MessageLine {
    let type: String
    /// Nil: a fact.
    let retry: RetryClass?

    static var all: [MessageLine] {
        let asks = Catalogue.asks.map { MessageLine(type: $0.type.name, retry: $0.retry) }
        let facts = Catalogue.facts.map { MessageLine(type: $0.type.name, retry: nil) }
        return (asks + facts).sorted { $0.type < $1.type }
    }

    private var key: [String] { Catalogue.ask(type)?.key ?? [] }

    var words: String {
        guard let retry else { return "fact" }
        return "ask, \(retry)" + (key.isEmpty ? "" : " on " + key.joined(separator: " and "))
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("type", .string(type)), .init("kind", .string(retry == nil ? "fact" : "ask"))
        ]
        if let retry { members.append(.init("retry", .string("\(retry)"))) }
        if !key.isEmpty { members.append(.init("key", .array(key.map(JSONValue.string)))) }
        return .object(members)
    }
}

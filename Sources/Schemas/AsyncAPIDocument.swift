import Contracts
import Primitives
import Wire

/// The AsyncAPI 3.0 document of the catalogue, or of one service: every ask with its reply and refusals, and every
/// fact.
///
/// It and the page about ZeroMQ are enough to write a client, a service or a subscriber in any language. It is the same
/// wherever it is made: all that it lists is sorted.
package struct AsyncAPIDocument: Sendable {
    package let value: JSONValue

    package var json: [UInt8] {
        var writer = JSONWriter(capacity: 512 * 1024)
        value.write(to: &writer)
        return writer.bytes
    }

    /// Every service that answers asks.
    package static var services: [String] { Catalogue.services.map { $0.service }.sorted() }

    /// - Parameter service: only what this one answers and publishes; nil for all services.
    package init(of service: String? = nil) {
        func isWanted(_ type: MessageType) -> Bool { service == nil || type.service == service }
        let asks = (Catalogue.asks + Catalogue.takeOvers).filter { isWanted($0.type) }.sorted {
            $0.type.name < $1.type.name
        }
        let facts = Catalogue.facts.filter { isWanted($0.type) }.sorted { $0.type.name < $1.type.name }
        let named = ["fault"] + asks.flatMap { [$0.type.name, $0.type.reply] } + facts.map { $0.type.name }
        let all = MessageSchemas()
        let messages = all.messages.filter { named.contains($0.key) }
        value = [
            "asyncapi": "3.0.0",
            "info": [
                "title": .string(["Billfold", service].compactMap(\.self).joined(separator: ": ")),
                "version": .string(Release.version), "description": .string(Self.introduction),
                "license": ["name": "Apache License 2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"],
                "x-zeromq-binding": .string(ZeroMQBinding.path)
            ],
            "defaultContentType": "application/cloudevents+json",
            "servers": Self.servers,
            "channels": .object(
                Dictionary(grouping: asks, by: Self.channel).sorted { $0.key < $1.key }.flatMap(Self.channels)
                    + facts.map(Self.factChannel)),
            "operations": .object(asks.map(Self.askOperation) + facts.map(Self.factOperation)),
            "components": [
                "schemas": .object(all.schemas(referredToBy: .object(messages))),
                "messages": .object(messages),
                "correlationIds": [
                    "ask": [
                        "description": "An answer's is the `id` of its ask.",
                        "location": "$message.payload#/causationid"
                    ]
                ],
                "x-billfold-faults": Self.faults(of: asks)
            ]
        ]
    }

    private static let introduction = """
        Billfold's processes share nothing but a bus over ZeroMQ, which anyone may join. **Asks** go to one of the \
        workers of a service and are answered; **facts** are published by their source. How frames and sockets are \
        used is on one page, [the ZeroMQ binding](\(ZeroMQBinding.path)), which belongs to this document.

        Operations are named from the services' side: a service *receives* an ask and replies, and *sends* facts. A \
        client does the opposite. A service is replaced by a program that registers under its channel's address and \
        answers each ask of that channel with the reply, or with a refusal whose `code` is one of the operation's \
        `x-billfold-faults` or of the bus.

        Each payload is one CloudEvents 1.0 event in its structured form, at most 64 KiB, in one frame. `data` is read \
        strictly: unknown, repeated and missing fields, fractions and exponents are refused with `bus.malformed`. An \
        optional field may be absent or `null`. Schemas are those of this version; a later one may add optional \
        fields, so readers of replies and facts do well to pass over what they do not know.

        What breaks the form is refused with `bus.malformed`: `type`, `required`, `enum`, `format`, \
        `additionalProperties`, the `pattern` of an identifier or a currency, a number beyond 64 bits. What breaks a \
        limit (`minimum`, `maximum`, `minLength`, `maxLength`, `minItems`, `maxItems`, any other `pattern`) is refused \
        with the one of the operation's `x-billfold-faults` that is about this field, such as \
        `location.coordinate_invalid`, and with `bus.malformed` where there is none.

        `x-billfold-retry` says what asking again does: `idempotent` is harmless; `keyed` has no second effect with \
        the same `x-billfold-key` fields and content, and gets the first outcome with `replayed`; `once` is a new act.

        `x-billfold-actors` says who may be the `actor` of an ask: by role, the field that has to name the actor's \
        account, or `*` where any account of the role may ask. Who has a role that is missing gets `bus.forbidden`. \
        Without an `actor` a service asks for itself and may ask anything.

        `x-billfold-tables` of a `state.follow` are the tables that are the service's state. A program that takes the \
        state over answers `takeover.advance` under the name `next.` and the service's, until it serves.
        """

    // MARK: Where

    private static var servers: JSONValue {
        let run: JSONValue = [
            "default": "/tmp/billfold-1000",
            "description": "The run directory: `BILLFOLD_RUN`, or `/tmp/billfold-` and the user's number."
        ]
        func server(_ socket: String, _ broker: String, _ yours: String, _ summary: String) -> JSONValue {
            [
                "host": "localhost", "pathname": .string("{run}/\(socket)"), "protocol": "zmq",
                "protocolVersion": "3.1", "description": .string(summary), "variables": ["run": run],
                "bindings": [
                    "x-zeromq": [
                        "endpoint": .string("ipc://{run}/\(socket)"), "socket": .string(broker),
                        "connect": .string(yours)
                    ]
                ]
            ]
        }
        return [
            "asks": server("asks.sock", "ROUTER", "DEALER", "The broker's socket for asks and their answers."),
            "facts": server("facts-out.sock", "XPUB", "SUB", "The broker's socket for facts that one hears."),
            "facts-in": server("facts-in.sock", "XSUB", "PUB", "The broker's socket for facts that one publishes.")
        ]
    }

    /// The name that an ask goes to.
    private static func channel(of ask: any Ask.Type) -> String {
        let isTakeOver = Catalogue.takeOvers.contains { $0.type == ask.type }
        return isTakeOver ? "next.\(ask.type.service)" : ask.type.service
    }

    private static func description(ofChannel name: String) -> String {
        if let service = Catalogue.service(name) { return service.summary }
        return "A program that takes the state of \(name.dropFirst("next.".count)) over, until it serves."
    }

    /// A service's asks, and where their answers arrive.
    private static func channels(_ service: String, _ asks: [any Ask.Type]) -> [JSONValue.Member] {
        [
            .init(
                service,
                [
                    "address": .string(service), "title": .string("Asks to \(service)"),
                    "description": .string(description(ofChannel: service)),
                    "servers": [reference("servers", "asks")],
                    "messages": .object(asks.map { .init($0.type.name, message($0.type.name)) }),
                    "bindings": [
                        "x-zeromq": [
                            "service": .string(service), "client": "DEALER", "worker": "DEALER",
                            "dialects": ["MDP/0.1", "MDP/0.2", "majortomo", "billfold"]
                        ]
                    ]
                ]),
            .init(
                service + ".answers",
                [
                    "address": .null, "title": .string("Answers of \(service)"),
                    "description": "Come to the socket that asked.", "servers": [reference("servers", "asks")],
                    "messages": .object(
                        asks.map { .init($0.type.reply, message($0.type.reply)) } + [.init("fault", message("fault"))])
                ])
        ]
    }

    private static func factChannel(_ fact: any Fact.Type) -> JSONValue.Member {
        let name = fact.type.name
        return .init(
            name,
            [
                "address": .string(name), "title": .string("Facts \(name)"),
                "servers": [reference("servers", "facts")],
                "messages": .object([.init(name, message(name))]),
                "bindings": [
                    "x-zeromq": [
                        "source": .string(fact.type.service), "topic": .string(name + "\u{0}"),
                        "topicHex": .string((Array(name.utf8) + [0]).map(hexadecimal).joined())
                    ]
                ]
            ])
    }

    // MARK: What

    private static func askOperation(_ ask: any Ask.Type) -> JSONValue.Member {
        let (name, service) = (ask.type.name, channel(of: ask))
        var members: [JSONValue.Member] = [
            .init("action", "receive"), .init("channel", reference("channels", service)),
            .init("messages", [inChannel(service, name)]),
            .init(
                "reply",
                [
                    "channel": reference("channels", service + ".answers"),
                    "messages": [
                        inChannel(service + ".answers", ask.type.reply), inChannel(service + ".answers", "fault")
                    ]
                ]),
            .init("x-billfold-retry", .string("\(ask.retry)"))
        ]
        if !ask.key.isEmpty { members.append(.init("x-billfold-key", .array(ask.key.map(JSONValue.string)))) }
        members.append(
            .init("x-billfold-actors", .object(ask.actors.map { .init($0.role.rawValue, .string($0.field)) })))
        members.append(.init("x-billfold-faults", .array(ask.faults.map { .string($0.code) })))
        if name.hasSuffix(".state.follow.v1"), let owner = Catalogue.service(service) as? any StateOwner.Type {
            members.append(.init("x-billfold-tables", .array(owner.stateTables.map(table))))
        }
        return .init(name, .object(members))
    }

    /// A table as `state.follow` names it.
    private static func table(_ table: StateTable) -> JSONValue {
        [
            "name": .string(table.name),
            "columns": .array(
                table.columns.map { column in
                    ["name": .string(column.name), "kind": .string(column.kind), "isKey": .bool(column.isKey)]
                })
        ]
    }

    private static func factOperation(_ fact: any Fact.Type) -> JSONValue.Member {
        let name = fact.type.name
        return .init(
            name,
            [
                "action": "send", "channel": reference("channels", name), "messages": [inChannel(name, name)]
            ])
    }

    /// Every refusal that an answer to these asks may hold, by its code.
    private static func faults(of asks: [any Ask.Type]) -> JSONValue {
        let codes = Set(FaultCode.common + asks.flatMap { $0.faults })
        return .object(
            codes.sorted { $0.code < $1.code }.map { code in
                .init(
                    code.code,
                    [
                        "status": .integer(Int64(code.status)), "retry": .string(code.retry.rawValue),
                        "title": .string(code.title), "anyAsk": .bool(FaultCode.common.contains(code))
                    ])
            })
    }

    // MARK: References

    private static func reference(_ section: String, _ name: String) -> JSONValue {
        ["$ref": .string("#/\(section)/\(name)")]
    }

    private static func message(_ name: String) -> JSONValue { reference("components/messages", name) }

    private static func inChannel(_ channel: String, _ name: String) -> JSONValue {
        reference("channels/\(channel)/messages", name)
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
}

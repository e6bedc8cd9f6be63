import Contracts
import Primitives
import Wire

/// The AsyncAPI 3.0 document of the catalogue: every ask, its reply and its refusals, and every fact.
///
/// Whoever has it and the page about ZeroMQ that it refers to can write a client, a service or a subscriber in any
/// language. It is the same wherever it is made: all that it lists is sorted.
package struct AsyncAPIDocument: Sendable {
    package let value: JSONValue

    package var json: [UInt8] {
        var writer = JSONWriter(capacity: 512 * 1024)
        value.write(to: &writer)
        return writer.bytes
    }

    /// - Parameter comments: what is said of messages and fields.
    package init(comments: Comments = .own) {
        let messages = MessageSchemas(comments: comments)
        let services = Set(Catalogue.asks.map { $0.type.service }).sorted()
        value = [
            "asyncapi": "3.0.0",
            "info": [
                "title": "Billfold", "version": "1.0.0", "description": .string(Self.introduction),
                "license": ["name": "Apache License 2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"],
                "x-zeromq-binding": .string(ZeroMQBinding.path)
            ],
            "defaultContentType": "application/cloudevents+json",
            "servers": Self.servers,
            "channels": .object(services.flatMap(Self.channels) + Self.factChannels),
            "operations": .object(Self.askOperations + Self.factOperations),
            "components": [
                "schemas": .object(messages.schemas),
                "messages": .object(messages.messages),
                "correlationIds": [
                    "ask": [
                        "description": "An answer's is the `id` of its ask.",
                        "location": "$message.payload#/causationid"
                    ]
                ],
                "x-billfold-faults": Self.faults
            ]
        ]
    }

    private static let introduction = """
        Billfold's processes share nothing but a bus over ZeroMQ, which anyone may join. **Asks** go to one of the \
        workers of a service and are answered; **facts** are told by their source to whoever listens. How frames and \
        sockets are used is on one page, [the ZeroMQ binding](\(ZeroMQBinding.path)), which belongs to this document.

        Operations are named from the services' side: a service *receives* an ask and replies, and *sends* facts. A \
        client does the opposite. A service is replaced by a program that registers under its channel's address and \
        answers each ask of that channel with the reply, or with a refusal whose `code` is one of the operation's \
        `x-billfold-faults` or of the bus.

        Each payload is one CloudEvents 1.0 event in its structured form, at most 64 KiB, in one frame. `data` is read \
        strictly: unknown, repeated and missing fields, fractions and exponents are refused with `bus.malformed`. An \
        optional field may be absent or `null`. Schemas are those of this version; a later one may add optional \
        fields, so readers of replies and facts do well to pass over what they do not know.

        `x-billfold-retry` says what asking again does: `idempotent` is harmless; `keyed` has no second effect with \
        the same `x-billfold-key` fields and content, and gets the first outcome with `replayed`; `once` is a new act.
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

    /// A service's asks, and where their answers arrive.
    private static func channels(_ service: String) -> [JSONValue.Member] {
        let asks = asks(of: service)
        return [
            .init(
                service,
                [
                    "address": .string(service), "title": .string("Asks to \(service)"),
                    "description": .string(ServiceAccounts.text[service] ?? ""),
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

    private static var factChannels: [JSONValue.Member] {
        facts.map { fact in
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
    }

    // MARK: What

    private static var askOperations: [JSONValue.Member] {
        asks.map { ask in
            let (name, service) = (ask.type.name, ask.type.service)
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
            if let key = Catalogue.keys[name] {
                members.append(.init("x-billfold-key", .array(key.map(JSONValue.string))))
            }
            members.append(.init("x-billfold-faults", .array(ask.faults.map { .string($0.code) })))
            return .init(name, .object(members))
        }
    }

    private static var factOperations: [JSONValue.Member] {
        facts.map { fact in
            let name = fact.type.name
            return .init(
                name,
                [
                    "action": "send", "channel": reference("channels", name), "messages": [inChannel(name, name)]
                ])
        }
    }

    /// Every refusal that an answer may hold, by its code.
    private static var faults: JSONValue {
        let codes = Set(FaultCode.common + Catalogue.asks.flatMap { $0.faults })
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

    // MARK: Lists and references

    private static var asks: [any Ask.Type] { Catalogue.asks.sorted { $0.type.name < $1.type.name } }
    private static var facts: [any Fact.Type] { Catalogue.facts.sorted { $0.type.name < $1.type.name } }
    private static func asks(of service: String) -> [any Ask.Type] { asks.filter { $0.type.service == service } }

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

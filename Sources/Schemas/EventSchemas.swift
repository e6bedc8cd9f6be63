import Contracts
import Primitives
import Wire

/// What is around each message: the envelope, and a refusal's problem.
enum EventSchemas {
    /// What an event is for: each has attributes of its own.
    enum Part {
        case ask, reply, fact, head
    }

    /// A whole event, as the message of a document.
    static func message(
        _ type: String, _ part: Part, _ data: SchemaSet.Description, _ summary: String?
    ) -> JSONValue {
        var members: [JSONValue.Member] = [.init("name", .string(type))]
        if let summary { members.append(.init("description", .string(summary))) }
        if part == .reply { members.append(.init("correlationId", ["$ref": "#/components/correlationIds/ask"])) }
        var required: [JSONValue] = ["data"]
        if part == .fact { required.append("sequence") }
        members.append(
            .init(
                "payload",
                event(["type": ["const": .string(type)], "data": data.schema], required: required)))
        members.append(.init("examples", [["payload": example(type, part, data.example)]]))
        return .object(members)
    }

    static let fault: JSONValue = [
        "name": "fault", "description": "A refusal, of the service or of the broker, in the place of a reply.",
        "correlationId": ["$ref": "#/components/correlationIds/ask"],
        "payload": event(
            [
                "type": ["type": "string", "pattern": #"(\.fault|^bus\.fault\.v1)$"#],
                "data": ["$ref": .string(SchemaSet.reference("Problem"))]
            ], required: ["data"]),
        "examples": [
            ["payload": example("wallet.card.read.v1.fault", .reply, .encoding(Fault(.cardNotFound)))]
        ]
    ]

    private static func event(_ properties: JSONValue, required: [JSONValue]) -> JSONValue {
        [
            "allOf": [
                ["$ref": .string(SchemaSet.reference("Envelope"))],
                ["type": "object", "required": .array(required), "properties": properties]
            ]
        ]
    }

    private static func example(_ type: String, _ part: Part, _ data: JSONValue) -> JSONValue {
        let id: JSONValue = "0193f5c2a1b04e6d8c7f3a2b1d0e9f8a"
        let ask: JSONValue = "0193f5c2a1b04e6d8c7f3a2b1d0e9f89"
        let isAsk = part == .ask
        var members: [JSONValue.Member] = [
            .init("specversion", "1.0"), .init("id", isAsk ? ask : id),
            .init("source", isAsk ? "till" : .string(String(type.prefix { $0 != "." }))), .init("type", .string(type)),
            .init("time", "2026-11-21T09:30:00.000Z")
        ]
        switch part {
        case .ask: members.append(.init("expirytime", "2026-11-21T09:30:05.000Z"))
        case .reply: members += [.init("correlationid", ask), .init("causationid", ask)]
        case .fact: members.append(.init("sequence", "00000000000000000042"))
        case .head: break
        }
        return .object(members + [.init("data", data)])
    }

    private static func text(_ summary: String, _ more: [JSONValue.Member] = []) -> JSONValue {
        .object([.init("type", "string")] + more + [.init("description", .string(summary))])
    }

    /// CloudEvents 1.0 in its structured form, with the extensions that the bus knows.
    static let envelope: JSONValue = [
        "type": "object",
        "description": """
        A CloudEvents 1.0 event in its structured JSON form, at most 64 KiB. Other attributes are passed over.
        """,
        "required": ["specversion", "id", "source", "type"],
        "properties": [
            "specversion": ["const": "1.0"],
            "id": text("New for each message. A repeat of an ask may have the same.", [.init("minLength", 1)]),
            "source": text(
                "Who made it: a service's name, or what you call yourself. The source of a fact is its service.",
                [.init("minLength", 1)]),
            "type": text("`service.noun.verb.vN`; of an answer, with `.reply` or `.fault`.", [.init("minLength", 1)]),
            "time": text("When it was made.", [.init("format", "date-time")]),
            "datacontenttype": text("May be absent: JSON."),
            "correlationid": text(
                "The first message of all that this belongs to. An answer has the ask's, or the ask's `id`."),
            "causationid": text("The message that led to this one. An answer has the ask's `id`."),
            "traceparent": text(
                "W3C Trace Context. An answer has the ask's.",
                [.init("pattern", "^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")]),
            "expirytime": text(
                """
                Of an ask: when it is no longer worth doing. Past it, refuse with `bus.deadline_exceeded` and do nothing.
                """, [.init("format", "date-time")]),
            "idempotencykey": text("Carried and never used: keys are in `data`."),
            "sequence": text(
                "Of a fact: its place among those of its source, from 1 without a gap.",
                [.init("pattern", "^[0-9]{20}$")]),
            "actor": text(
                "Of an ask: for whom it is made. Absent: the asker acts for itself and may ask anything.",
                [.init("pattern", "^(customer|merchant|administrator):[0-9a-f]{32}$")]),
            "data": ["description": "The message. Absent counts as `{}`."]
        ]
    ]

    /// RFC 9457, with the members that the bus knows.
    static let problem: JSONValue = [
        "type": "object",
        "description": "Why an ask was refused (RFC 9457). Decide by `code`; pass over other members.",
        "required": ["type", "title", "status", "code", "retry"],
        "properties": [
            "type": text("`urn:billfold:fault:` and the code.", [.init("format", "uri")]),
            "title": text("For people; may be reworded."),
            "status": [
                "type": "integer", "minimum": 400, "maximum": 599, "description": "The HTTP status that it has outside."
            ],
            "detail": text("For people, of this occurrence."),
            "code": text(
                "Stable. All of them, with their status and advice, are in `components/x-billfold-faults`.",
                [.init("pattern", #"^[a-z]+\.[a-z_]+$"#)]),
            "retry": text(
                """
                `never`: the same ask will be refused again. `later`: nothing has happened. `same_key`: the outcome is \
                unknown; ask again with the same key.
                """, [.init("enum", ["never", "later", "same_key"])]),
            "retryAfterSeconds": [
                "type": "integer", "minimum": 0, "description": "How long to wait, where that is known."
            ],
            "replayed": [
                "type": "boolean", "description": "The recorded outcome of an earlier ask with the same key."
            ]
        ]
    ]
}

import Contracts
import Hummingbird
import Schemas
import Wire

extension RouteTable {
    /// What is about the gateway itself.
    static let service = [
        other("/health", "readHealth", "Whether the services answer, and which do not", .json, healthSchema, [200, 503])
        {
            call in
            let services = await call.edge.health()
            let well = services.values.allSatisfy { $0 }
            let health: JSONValue = [
                "status": well ? "ok" : "missing",
                "services": .object(services.sorted { $0.key < $1.key }.map { .init($0.key, .bool($0.value)) })
            ]
            return Answer(status: well ? 200 : 503, content: .json, body: ByteBuffer(string: health.text))
        },
        other(
            "/metrics", "readMetrics",
            "Figures in the Prometheus text format: without a token on the gateway's own machine only", .metrics,
            ["type": "string"], operators: true
        ) { call in await call.edge.figuresAnswer() },
        other("/openapi.json", "readDocument", "This document", .json, ["type": "object"]) { call in
            await Documents.http.value.answer(call.fields)
        },
        other(
            "/asyncapi.json", "readBusDocument", "The bus: every message, for AsyncAPI 3.0", .json, ["type": "object"]
        ) {
            call in await Documents.bus.value.answer(call.fields)
        },
        other("/zeromq.md", "readBusBinding", "The bus: frames and sockets, on one page", .markdown, ["type": "string"])
        {
            _ in
            Answer(status: 200, content: .markdown, body: ByteBuffer(string: ZeroMQBinding.page))
        }
    ]

    private static func other(
        _ path: RoutePath, _ name: String, _ summary: String, _ content: Answer.Content, _ schema: JSONValue,
        _ statuses: [Int] = [200], operators: Bool = false, _ handle: @escaping @Sendable (Call) async -> Answer
    ) -> Route {
        Route(
            .get, path, name, summary, for: .everyone, key: .none, pin: false, rate: nil, query: [], body: .none,
            status: 200, reply: .other(content, schema: schema, statuses: statuses), asks: [], operators: operators
        ) { (call: Call) async throws(Fault) -> Answer in await handle(call) }
    }

    private static let healthSchema: JSONValue = [
        "type": "object", "required": ["status", "services"],
        "properties": [
            "status": ["type": "string", "enum": ["ok", "missing"]],
            "services": ["type": "object", "additionalProperties": ["type": "boolean"]]
        ]
    ]
}

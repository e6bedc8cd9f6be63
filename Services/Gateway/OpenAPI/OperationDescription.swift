import Contracts
import Primitives
import Schemas
import Wire

/// One route as an OpenAPI operation.
enum OperationDescription {
    static func tags(_ routes: [Route]) -> [String] { Set(routes.map(tag)).sorted() }

    static func operation(_ route: Route, _ schemas: inout SchemaSet) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("operationId", .string(route.name)), .init("summary", .string(route.summary)),
            .init("description", .string(conditions(route))), .init("tags", [.string(tag(route))])
        ]
        let security: JSONValue =
            switch route.access {
            case .everyone: []
            case .roles(let roles): .array([["bearer": []]] + cookies(roles))
            // An empty requirement: without any, too.
            case .open(let roles): .array([[:], ["bearer": []]] + cookies(roles))
            }
        members.append(.init("security", security))
        let parameters = parameters(route)
        if !parameters.isEmpty { members.append(.init("parameters", .array(parameters))) }
        if let body = body(route, &schemas) { members.append(.init("requestBody", body)) }
        members.append(.init("responses", responses(route, &schemas)))
        return .object(members)
    }

    /// The first word behind the version: `/v1/cards/{card}` belongs to cards.
    private static func tag(_ route: Route) -> String {
        let words = route.path.text.split(separator: "/")
        return words.count > 1 ? String(words[1]) : "gateway"
    }

    private static func conditions(_ route: Route) -> String {
        var sentences: [String] = []
        switch route.access {
        case .everyone: sentences.append("For everyone.")
        case .roles(let roles): sentences.append("For the role \(names(roles)).")
        case .open(let roles):
            sentences.append("For everyone; of those who are logged in, for the role \(names(roles)).")
        }
        if route.needsPIN { sentences.append("The PIN must have been entered in this session.") }
        if route.key != .none { sentences.append("Safe to repeat with the same key.") }
        if route.rate != nil { sentences.append("Limited per client address and per name.") }
        return sentences.joined(separator: " ")
    }

    private static func cookies(_ roles: Set<Auth.Role>) -> [JSONValue] {
        roles.map(\.rawValue).sorted().map { .object([.init($0, [])]) }
    }

    private static func names(_ roles: Set<Auth.Role>) -> String {
        roles.map(\.rawValue).sorted().joined(separator: " or ")
    }

    // MARK: What is sent

    private static func parameters(_ route: Route) -> [JSONValue] {
        var parameters: [JSONValue] = []
        if let name = route.path.parameter {
            parameters.append([
                "name": .string(name), "in": "path", "required": true, "schema": PartyID.schema,
                "example": PartyID.example
            ])
        }
        for parameter in route.query {
            parameters.append([
                "name": .string(parameter.name), "in": "query", "required": .bool(parameter.isRequired),
                "description": .string(parameter.summary), "schema": parameter.schema, "example": parameter.example
            ])
        }
        if route.key != .none {
            parameters.append([
                "name": "Idempotency-Key", "in": "header", "required": .bool(route.key == .required),
                "description": """
                1 to 255 visible ASCII characters, bare or as a string of RFC 8941. Choose one for each thing to be \
                done, and keep it when repeating.
                """,
                "schema": [
                    "type": "string",
                    "pattern": #"^("([!#-\[\]-~]|\\["\\]){1,255}"|[!#-~][!-~]{0,254})$"#
                ],
                "example": "9f1c6c0e-6f0e-4c3a-a9b7-1d5f0a3b2c4d"
            ])
        }
        if route.isForWebsites {
            parameters.append([
                "name": "Billfold-Client", "in": "header", "required": false,
                "description": "What the client is, where it says so. The merchant's apps are refused (001-18).",
                "schema": ["type": "string", "enum": ["website", "ios", "android"], "default": "website"],
                "example": "website"
            ])
        }
        return parameters
    }

    private static func body(_ route: Route, _ schemas: inout SchemaSet) -> JSONValue? {
        switch route.body {
        case .none: return nil
        case .required(let type): return body(type, isRequired: true, &schemas)
        case .optional(let type): return body(type, isRequired: false, &schemas)
        }
    }

    private static func body(
        _ type: any WireMessage.Type, isRequired: Bool, _ schemas: inout SchemaSet
    ) -> JSONValue {
        ["required": .bool(isRequired), "content": .object([json(schemas.describe(type))])]
    }

    private static func json(_ description: SchemaSet.Description) -> JSONValue.Member {
        .init("application/json", ["schema": description.schema, "example": description.example])
    }

    // MARK: What is answered

    private static func responses(_ route: Route, _ schemas: inout SchemaSet) -> JSONValue {
        var responses: [Int: JSONValue] = [:]
        let byStatus = Dictionary(grouping: route.faults.map { Fault($0).atTheEdge.code }, by: \.status)
        for (status, codes) in byStatus { responses[status] = problem(status, codes) }
        switch route.reply {
        case .nothing:
            responses[route.status] = ["description": "Done.", "headers": headers(route.status, replayed: false)]
        case .json(let type), .jsonOrText(let type):
            let text: [JSONValue.Member] =
                if case .jsonOrText = route.reply { [.init("text/plain", ["schema": ["type": "string"]])] } else { [] }
            responses[route.status] = [
                "description": .string(route.summary + "."),
                "headers": headers(route.status, replayed: route.method != .get),
                "content": .object([json(schemas.describe(type))] + text)
            ]
        case .other(let type, let schema, let statuses):
            // Parameters of the type are no part of its name in the document.
            let name = String(type.rawValue.prefix { $0 != ";" })
            for status in statuses {
                responses[status] = [
                    "description": .string(route.summary + "."), "headers": headers(status, replayed: false),
                    "content": .object([.init(name, ["schema": schema])])
                ]
            }
        }
        return .object(responses.sorted { $0.key < $1.key }.map { .init("\($0.key)", $0.value) })
    }

    private static func problem(_ status: Int, _ codes: [FaultCode]) -> JSONValue {
        let list = codes.map { "`\($0.code)`: \($0.title)." }.joined(separator: "\n")
        return [
            "description": .string(list), "headers": headers(status, replayed: true),
            "content": [
                "application/problem+json": [
                    "schema": [
                        "allOf": [
                            ["$ref": .string(SchemaSet.reference("Problem"))],
                            [
                                "type": "object",
                                "properties": ["code": ["enum": .array(codes.map { .string($0.code) })]]
                            ]
                        ]
                    ],
                    "example": .encoding(Fault(codes[0]))
                ]
            ]
        ]
    }

    private static func headers(_ status: Int, replayed: Bool) -> JSONValue {
        var names = [("X-Correlation-Id", "Correlation"), ("traceresponse", "Trace")]
        if replayed { names.append(("Idempotency-Replayed", "Replayed")) }
        switch status {
        case 401: names.append(("WWW-Authenticate", "Authenticate"))
        case 405: names.append(("Allow", "Allow"))
        case 409, 503, 504: names.append(("Retry-After", "RetryAfter"))
        case 429:
            names += [
                ("Retry-After", "RetryAfter"), ("RateLimit", "RateLimit"), ("RateLimit-Policy", "RateLimitPolicy")
            ]
        default: break
        }
        return .object(names.map { .init($0.0, ["$ref": .string("#/components/headers/" + $0.1)]) })
    }
}

import Contracts
import Primitives
import Schemas
import Wire

/// The OpenAPI 3.1 document of a route table.
package struct OpenAPIDocument: Sendable {
    package let value: JSONValue

    package let json: [UInt8]

    package init(_ routes: [Route]) {
        var schemas = SchemaSet(.http)
        var paths: [JSONValue.Member] = []
        for route in routes {
            let operation = JSONValue.Member(
                route.method.rawValue.lowercased(), OperationDescription.operation(route, &schemas))
            if let at = paths.firstIndex(where: { $0.key == route.path.text }) {
                guard case .object(let operations) = paths[at].value else { continue }
                paths[at] = .init(route.path.text, .object(operations + [operation]))
            } else {
                paths.append(.init(route.path.text, .object([operation])))
            }
        }
        var components = schemas.components
        components["Problem"] = Self.problem
        let value: JSONValue = [
            "openapi": "3.1.0",
            "info": [
                "title": "Billfold", "version": .string(Release.version),
                "summary": "Payments between customers and merchants.",
                "description": .string(Self.introduction),
                "license": ["name": "Apache License 2.0", "identifier": "Apache-2.0"]
            ],
            "servers": [["url": "/"]],
            "tags": .array(OperationDescription.tags(routes).map { ["name": .string($0)] }),
            "paths": .object(paths),
            "components": [
                "schemas": .object(components.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) }),
                "headers": Self.headers,
                "securitySchemes": .object(Self.securitySchemes)
            ]
        ]
        var writer = JSONWriter(capacity: 512 * 1024)
        value.write(to: &writer)
        self.value = value
        json = writer.bytes
    }

    private static let securitySchemes: [JSONValue.Member] =
        [
            .init(
                "bearer",
                [
                    "type": "http", "scheme": "bearer",
                    "description": "The `token` that `POST /v1/sessions` answered."
                ])
        ]
        + Auth.Role.allCases.map { role in
            .init(
                role.rawValue,
                [
                    "type": "apiKey", "in": "cookie", "name": .string(SessionCookie.name(role)),
                    "description": """
                    Of pages of this gateway: set by `POST /v1/sessions` with `"cookie": true`. With cookies of several \
                    roles, the field `Billfold-Role` says which is meant. `Billfold-Account` names the account that it \
                    has to be of.
                    """
                ])
        }

    private static let introduction = """
        Bodies are JSON and read strictly: unknown and repeated fields, fractions and exponents are refused. Money is \
        in minor units. Every refusal is a problem (RFC 9457) with a stable `code` and advice on trying again: \
        `never`, `later`, or `same_key` when the outcome is unknown and the request is to be sent again with the same \
        `Idempotency-Key`. A repeated request gets the first one's answer and `Idempotency-Replayed: true`. W3C \
        `traceparent` is taken and passed on.
        """

    /// RFC 9457, with this service's members.
    private static let problem: JSONValue = [
        "type": "object", "required": ["type", "title", "status", "code", "retry"],
        "properties": [
            "type": ["type": "string", "format": "uri"],
            "title": ["type": "string"],
            "status": ["type": "integer", "minimum": 400, "maximum": 599],
            "detail": ["type": "string"],
            "code": ["type": "string", "description": "Stable; titles may be reworded."],
            "retry": ["type": "string", "enum": ["never", "later", "same_key"]],
            "retryAfterSeconds": ["type": "integer", "minimum": 0],
            "replayed": ["type": "boolean", "description": "The recorded outcome of an earlier request."]
        ]
    ]

    private static let headers: JSONValue = [
        "Correlation": [
            "description": "The id of this request in all logs.", "schema": PartyID.schema, "required": true
        ],
        "Trace": [
            "description": "The request's place in its W3C trace.", "required": true,
            "schema": ["type": "string", "pattern": "^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$"]
        ],
        "Replayed": [
            "description": "`true` when this is the recorded answer to an earlier request.",
            "schema": ["type": "string", "enum": ["true"]]
        ],
        "RetryAfter": [
            "description": "Seconds to wait before the next try.", "schema": ["type": "integer", "minimum": 0]
        ],
        "Authenticate": ["description": "RFC 6750.", "schema": ["type": "string"]],
        "Allow": ["description": "The methods that the path takes.", "schema": ["type": "string"]],
        "RateLimit": ["description": "What is left, and when more comes.", "schema": ["type": "string"]],
        "RateLimitPolicy": ["description": "How many calls are taken in how long a time.", "schema": ["type": "string"]]
    ]
}

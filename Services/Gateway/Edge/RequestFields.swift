import HTTPTypes
import Hummingbird

/// The header fields of a request that the gateway looks at, found in one pass: asking for each by its name costs more
/// than reading the body.
struct RequestFields: Sendable {
    private(set) var authorization: String?
    private(set) var contentLength: String?
    private(set) var contentType: String?
    private(set) var idempotencyKey: String?
    private(set) var traceparent: String?

    init(_ fields: HTTPFields) {
        for field in fields {
            switch field.name {
            case .authorization: Self.add(field, to: &authorization)
            case .contentLength: Self.add(field, to: &contentLength)
            case .contentType: Self.add(field, to: &contentType)
            case .idempotencyKey: Self.add(field, to: &idempotencyKey)
            case .traceparent: Self.add(field, to: &traceparent)
            default: continue
            }
        }
    }

    /// A field that came twice is one list (RFC 9110 section 5.3), which none of these may be.
    private static func add(_ field: HTTPField, to value: inout String?) {
        value = value.map { "\($0), \(field.value)" } ?? field.value
    }
}

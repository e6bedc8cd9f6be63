import HTTPTypes
import Hummingbird

/// The header fields of a request that the gateway looks at, found in one pass: asking for each by its name costs more
/// than reading the body.
struct RequestFields: Sendable {
    private(set) var accept: String?
    private(set) var authorization: String?
    private(set) var contentLength: String?
    private(set) var contentType: String?
    private(set) var idempotencyKey: String?
    private(set) var ifNoneMatch: String?
    private(set) var traceparent: String?

    init(_ fields: HTTPFields) {
        for field in fields {
            switch field.name {
            case .accept: Self.add(field, to: &accept)
            case .authorization: Self.add(field, to: &authorization)
            case .contentLength: Self.add(field, to: &contentLength)
            case .contentType: Self.add(field, to: &contentType)
            case .idempotencyKey: Self.add(field, to: &idempotencyKey)
            case .ifNoneMatch: Self.add(field, to: &ifNoneMatch)
            case .traceparent: Self.add(field, to: &traceparent)
            default: continue
            }
        }
    }

    /// A field that came twice is one list (RFC 9110 section 5.3), which of these only `Accept` and `If-None-Match` may be.
    private static func add(_ field: HTTPField, to value: inout String?) {
        value = value.map { "\($0), \(field.value)" } ?? field.value
    }

    /// Whether text is wanted rather than JSON: the first of the two that `Accept` names. Weights are not looked at.
    var wantsText: Bool {
        guard let accept = accept?.lowercased(), let text = accept.firstRange(of: "text/plain") else { return false }
        guard let json = accept.firstRange(of: "application/json") else { return true }
        return text.lowerBound < json.lowerBound
    }
}

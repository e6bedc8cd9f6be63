import HTTPTypes
import Hummingbird

extension HTTPField.Name {
    package static let traceparent = name("traceparent")
    package static let traceresponse = name("traceresponse")
    package static let correlationID = name("X-Correlation-Id")
    package static let idempotencyKey = name("Idempotency-Key")
    package static let idempotencyReplayed = name("Idempotency-Replayed")
    package static let rateLimit = name("RateLimit")
    package static let rateLimitPolicy = name("RateLimit-Policy")

    private static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is not a field name") }
        return name
    }
}

/// What goes with every answer: balances and tokens stay out of caches, and nobody guesses at types.
private let commonFields: HTTPFields = [.cacheControl: "no-store", .xContentTypeOptions: "nosniff"]
private let jsonFields = commonFields.with(.contentType, Answer.Content.json.rawValue)

extension HTTPFields {
    fileprivate func with(_ name: HTTPField.Name, _ value: String) -> HTTPFields {
        var fields = self
        fields[name] = value
        return fields
    }
}

extension Response {
    init(_ answer: Answer, correlationID: String, traceresponse: String, date: String) {
        var fields: HTTPFields
        switch answer.content {
        case .json: fields = jsonFields
        case .none: fields = commonFields
        case .problem, .metrics: fields = commonFields.with(.contentType, answer.content.rawValue)
        }
        fields.append(HTTPField(name: .correlationID, value: correlationID))
        fields.append(HTTPField(name: .traceresponse, value: traceresponse))
        fields.append(HTTPField(name: .date, value: date))
        if answer.replayed { fields[.idempotencyReplayed] = "true" }
        if answer.status == 401 { fields[.wwwAuthenticate] = "Bearer realm=\"billfold\"" }
        if let seconds = answer.retryAfterSeconds { fields[.retryAfter] = "\(seconds)" }
        if let allow = answer.allow { fields[.allow] = allow }
        if let rate = answer.rate {
            fields[.rateLimit] = rate.limit
            fields[.rateLimitPolicy] = rate.policy
        }
        let status = HTTPResponse.Status(code: answer.status)
        if answer.status == 204 {
            // No Content-Length either (RFC 9110 section 8.6).
            self.init(status: status, headers: fields)
            headers[.contentLength] = nil
        } else {
            fields.append(HTTPField(name: .contentLength, value: "\(answer.body.readableBytes)"))
            self.init(status: status, headers: fields, body: ResponseBody(byteBuffer: answer.body))
        }
    }
}

import HTTPTypes
import Hummingbird

extension HTTPField.Name {
    package static let touchEffect = name("Touch-Effect")
    package static let traceparent = name("traceparent")
    package static let traceresponse = name("traceresponse")
    package static let correlationID = name("X-Correlation-Id")
    package static let displayVersion = name("Display-Version")
    package static let idempotencyKey = name("Idempotency-Key")
    package static let idempotencyReplayed = name("Idempotency-Replayed")
    package static let referrerPolicy = name("Referrer-Policy")
    package static let rateLimit = name("RateLimit")
    package static let rateLimitPolicy = name("RateLimit-Policy")

    private static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is not a field name") }
        return name
    }
}

/// What goes with every answer: balances and tokens stay out of caches, and nobody guesses at types.
let commonFields: HTTPFields = [.cacheControl: "no-store", .xContentTypeOptions: "nosniff"]
private let pageFields: HTTPFields = [
    .cacheControl: "no-cache", .xContentTypeOptions: "nosniff", .contentSecurityPolicy: pagePolicy(),
    .referrerPolicy: "no-referrer"
]
private let jsonFields = commonFields.with(.contentType, Answer.Content.json.rawValue)

/// Pages run their own scripts and nothing else, talk to this gateway only, and stand in no frame.
private func pagePolicy(picturesFrom origin: String? = nil) -> String {
    """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:\(origin.map { " " + $0 } ?? ""); \
    connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """
}

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
        case .html, .css, .script, .manifest:
            fields = pageFields.with(.contentType, answer.content.rawValue)
            if let origin = answer.picturesFrom {
                fields[.contentSecurityPolicy] = pagePolicy(picturesFrom: origin)
                // Tile servers want to know which site shows their tiles.
                fields[.referrerPolicy] = "strict-origin"
            }
        case .problem, .metrics, .text, .svg, .events, .markdown, .csv:
            fields = commonFields.with(.contentType, answer.content.rawValue)
        }
        fields.append(HTTPField(name: .correlationID, value: correlationID))
        fields.append(HTTPField(name: .traceresponse, value: traceresponse))
        fields.append(HTTPField(name: .date, value: date))
        if let version = answer.displayVersion { fields[.displayVersion] = "\(version)" }
        if let effect = answer.touchEffect { fields[.touchEffect] = effect }
        if answer.replayed { fields[.idempotencyReplayed] = "true" }
        if answer.status == 401 { fields[.wwwAuthenticate] = "Bearer realm=\"billfold\"" }
        if let seconds = answer.retryAfterSeconds { fields[.retryAfter] = "\(seconds)" }
        if let allow = answer.allow { fields[.allow] = allow }
        if let rate = answer.rate {
            fields[.rateLimit] = rate.limit
            fields[.rateLimitPolicy] = rate.policy
        }
        if let cookie = answer.cookie { fields[.setCookie] = cookie }
        if let etag = answer.etag { fields[.eTag] = etag }
        let status = HTTPResponse.Status(code: answer.status)
        if let writing = answer.writing {
            self.init(
                status: status, headers: fields,
                body: ResponseBody { writer in
                    var open: any ResponseBodyWriter = writer
                    try await writing(&open)
                    try await writer.finish(nil)
                })
        } else if answer.events != nil {
            // The feed writes the body, whose length nobody knows.
            self.init(status: status, headers: fields, body: ResponseBody { _ in })
        } else if answer.status == 204 || answer.status == 304 {
            // No Content-Length either (RFC 9110 section 8.6).
            self.init(status: status, headers: fields)
            headers[.contentLength] = nil
        } else {
            fields.append(HTTPField(name: .contentLength, value: "\(answer.body.readableBytes)"))
            self.init(status: status, headers: fields, body: ResponseBody(byteBuffer: answer.body))
        }
    }
}

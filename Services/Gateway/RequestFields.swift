import NIOHTTP1

/// The header fields of a request that the gateway looks at, found in one pass: asking for each by its name costs more
/// than reading the body.
struct RequestFields: Sendable {
    private(set) var accept: String?
    /// `Billfold-Account`: as whom the client believes to be logged in.
    private(set) var account: String?
    /// `Billfold-Client`: what the client says that it is.
    private(set) var client: String?
    private(set) var authorization: String?
    private(set) var contentLength: String?
    private(set) var contentType: String?
    private(set) var cookie: String?
    /// `Sec-Fetch-Site`: from where the browser says that the request comes.
    private(set) var fetchSite: String?
    private(set) var host: String?
    private(set) var idempotencyKey: String?
    private(set) var ifNoneMatch: String?
    private(set) var lastEventID: String?
    private(set) var origin: String?
    /// `Billfold-Role`: which of a browser's sessions is meant.
    private(set) var role: String?
    private(set) var traceparent: String?
    private(set) var userAgent: String?
    /// Whether the request came through a proxy, as the proxy says.
    private(set) var isForwarded = false
    /// `X-Forwarded-Proto`: how the client reached the proxy.
    private(set) var forwardedScheme: String?

    init(_ fields: HTTPHeaders) {
        for (name, value) in fields {
            switch name.utf8.count {
            case 3 where isName(name, "via"): isForwarded = true
            case 4 where isName(name, "host"): Self.add(value, to: &host)
            case 6 where isName(name, "accept"): Self.add(value, to: &accept)
            case 6 where isName(name, "cookie"): Self.add(value, to: &cookie)
            case 6 where isName(name, "origin"): Self.add(value, to: &origin)
            case 9 where isName(name, "forwarded"): isForwarded = true
            case 10 where isName(name, "user-agent"): Self.add(value, to: &userAgent)
            case 11 where isName(name, "traceparent"): Self.add(value, to: &traceparent)
            case 12 where isName(name, "content-type"): Self.add(value, to: &contentType)
            case 13 where isName(name, "billfold-role"): Self.add(value, to: &role)
            case 13 where isName(name, "authorization"): Self.add(value, to: &authorization)
            case 13 where isName(name, "last-event-id"): Self.add(value, to: &lastEventID)
            case 13 where isName(name, "if-none-match"): Self.add(value, to: &ifNoneMatch)
            case 14 where isName(name, "sec-fetch-site"): Self.add(value, to: &fetchSite)
            case 14 where isName(name, "content-length"): Self.add(value, to: &contentLength)
            case 15 where isName(name, "x-forwarded-for"): isForwarded = true
            case 15 where isName(name, "billfold-client"): Self.add(value, to: &client)
            case 15 where isName(name, "idempotency-key"): Self.add(value, to: &idempotencyKey)
            case 16 where isName(name, "billfold-account"): Self.add(value, to: &account)
            case 17 where isName(name, "x-forwarded-proto"): Self.add(value, to: &forwardedScheme)
            default: continue
            }
        }
    }

    /// A field that came twice is one list (RFC 9110 section 5.3), which of these only `Accept` and
    /// `If-None-Match` may be.
    private static func add(_ text: String, to value: inout String?) {
        let text = withoutTrailingSpace(text)
        value = value.map { "\($0), \(text)" } ?? text
    }

    /// Whether text is wanted rather than JSON: the first of the two that `Accept` names. Weights are not looked at.
    var wantsText: Bool {
        guard let accept = accept?.lowercased(), let text = accept.firstRange(of: "text/plain") else { return false }
        guard let json = accept.firstRange(of: "application/json") else { return true }
        return text.lowerBound < json.lowerBound
    }
}

/// Names of fields are compared without regard to case (RFC 9110 section 5.1). Both have the same length.
private func isName(_ name: String, _ lowercase: StaticString) -> Bool {
    var at = lowercase.utf8Start
    for byte in name.utf8 {
        guard byte | 0x20 == at.pointee else { return false }
        at += 1
    }
    return true
}

/// White space around a value is not of it (RFC 9110 section 5.5). What leads it, the parser has left out.
func withoutTrailingSpace(_ text: String) -> String {
    guard let last = text.utf8.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") else { return text }
    let end = text.utf8.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return end.map { String(text[...$0]) } ?? ""
}

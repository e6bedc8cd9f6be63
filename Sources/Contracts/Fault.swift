import Wire

/// What the asker should do about a refusal.
package enum RetryAdvice: String, Codable, Sendable {
    /// The same ask will be refused again.
    case never
    /// Nothing has happened; the same ask may succeed later.
    case later
    /// The outcome is unknown; ask again with the same key.
    case sameKey = "same_key"
}

/// The stable name of a refusal. The code is API; titles may be reworded.
@usableFromInline
package struct FaultCode: Hashable, Sendable, CustomStringConvertible {
    package let code: String
    /// The HTTP status that the gateway gives it.
    package let status: Int
    package let retry: RetryAdvice
    package let title: String

    package init(_ code: String, _ status: Int, _ retry: RetryAdvice, _ title: String) {
        self.code = code
        self.status = status
        self.retry = retry
        self.title = title
    }

    @usableFromInline
    package static func == (left: FaultCode, right: FaultCode) -> Bool { left.code == right.code }
    @usableFromInline
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
    @usableFromInline
    package var description: String { code }
}

/// A refusal: an RFC 9457 problem with a stable `code` and advice on retrying. Never holds internal text.
@usableFromInline
package struct Fault: Error, Equatable, Sendable {
    package let code: FaultCode
    /// One sentence for people about this occurrence.
    package var detail: String?
    /// How long to wait before the next try, in seconds.
    package var retryAfterSeconds: Int?
    /// Whether this is the recorded outcome of an earlier ask with the same key.
    package var replayed: Bool

    package init(_ code: FaultCode, _ detail: String? = nil, retryAfterSeconds: Int? = nil, replayed: Bool = false) {
        self.code = code
        self.detail = detail
        self.retryAfterSeconds = retryAfterSeconds
        self.replayed = replayed
    }

    /// The refusal of a text that shows nothing, or that has characters that nobody sees.
    package init(_ code: FaultCode, notShown field: String) {
        self.init(code, "'\(field)' must have a visible character, and no hidden ones")
    }

    @usableFromInline
    package init(_ error: WireError) { self.init(.malformed, error.description) }
}

extension Fault: CustomStringConvertible {
    /// One sentence for people, as logs and commands show it.
    @usableFromInline
    package var description: String { "\(code.title) (\(code))" + (detail.map { ": \($0)" } ?? "") }
}

extension Fault: WireMessage {
    private enum Field: String, CodingKey {
        case type, title, status, detail, code, retry, retryAfterSeconds, replayed
    }

    @usableFromInline
    package func encode(to encoder: any Encoder) throws {
        var problem = encoder.container(keyedBy: Field.self)
        try problem.encode("urn:billfold:fault:" + code.code, forKey: .type)
        try problem.encode(code.title, forKey: .title)
        try problem.encode(code.status, forKey: .status)
        try problem.encodeIfPresent(detail, forKey: .detail)
        try problem.encode(code.code, forKey: .code)
        try problem.encode(code.retry, forKey: .retry)
        try problem.encodeIfPresent(retryAfterSeconds, forKey: .retryAfterSeconds)
        if replayed { try problem.encode(true, forKey: .replayed) }
    }

    @usableFromInline
    package init(from decoder: any Decoder) throws {
        let problem = try decoder.container(keyedBy: Field.self)
        _ = problem.allKeys  // RFC 9457 section 3.2: members that one does not know are to be ignored.
        code = FaultCode(
            try problem.decode(String.self, forKey: .code),
            try problem.decodeIfPresent(Int.self, forKey: .status) ?? 500,
            try problem.decodeIfPresent(RetryAdvice.self, forKey: .retry) ?? .never,
            try problem.decodeIfPresent(String.self, forKey: .title) ?? "")
        detail = try problem.decodeIfPresent(String.self, forKey: .detail)
        retryAfterSeconds = try problem.decodeIfPresent(Int.self, forKey: .retryAfterSeconds)
        replayed = try problem.decodeIfPresent(Bool.self, forKey: .replayed) ?? false
    }
}

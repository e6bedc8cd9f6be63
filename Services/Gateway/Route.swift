import Contracts
import Wire

/// One method of one path: all that the router, the guards before the handler and the OpenAPI document know about it.
/// Made once; a class, so that requests do not copy it.
package final class Route: Sendable {
    package enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// Who may call it.
    package enum Access: Equatable, Sendable {
        case everyone
        case roles(Set<Auth.Role>)

        /// Whoever is logged in has to have one of these; who is not may come too.
        case open(Set<Auth.Role>)

        /// With a session or without one.
        static let anyone = Access.open(Set(Auth.Role.allCases))
        static let customer = Access.roles([.customer])
        static let merchant = Access.roles([.merchant])
        static let administrator = Access.roles([.administrator])
        /// Whoever has money.
        static let holders = Access.roles([.customer, .merchant])
        static let loggedIn = Access.roles(Set(Auth.Role.allCases))
    }

    /// Whether an `Idempotency-Key` is wanted.
    package enum KeyRule: Sendable { case none, optional, required }

    package enum BodyRule: Sendable {
        case none
        case required(any WireMessage.Type)
        /// No body at all counts as `{}`.
        case optional(any WireMessage.Type)
    }

    package enum ReplyRule: Sendable {
        case nothing
        case json(any WireMessage.Type)
        /// The same as text for people, where the request's `Accept` prefers that.
        case jsonOrText(any WireMessage.Type)
        /// Content that no message type describes.
        case other(Answer.Content, schema: JSONValue, statuses: [Int])
    }

    package typealias Handler = nonisolated(nonsending) @Sendable (Call) async throws(Fault) -> Answer
    package typealias TypedHandler<Body, Reply: WireMessage> =
        nonisolated(nonsending) @Sendable (
            Call, Body
        ) async throws(Fault) -> Given<Reply>

    package let method: Method
    package let path: RoutePath
    /// `POST /v1/payments`: what a trace shows.
    let line: String
    /// The operation's id in the document, and the part of an idempotent operation's id that keeps routes apart.
    package let name: String
    package let summary: String
    package let access: Access
    package let key: KeyRule
    package let needsPIN: Bool
    /// Whether the merchant's apps are refused.
    package let isForWebsites: Bool
    /// Whether it is for the set's own machine, and for those who have the token of its metrics.
    package let isForOperators: Bool
    /// What is counted against the caller, where calls are limited.
    package let rate: RateLimiter.Purpose?
    /// Whether a request may enter a PIN, which is counted when it does.
    let entersPIN: Bool
    package let query: [QueryParameter]
    package let body: BodyRule
    package let status: Int
    package let reply: ReplyRule
    /// What the handler may ask of services; their refusals are the route's.
    package let asks: [any Ask.Type]
    /// Refusals of its own.
    package let ownFaults: [FaultCode]
    /// Refusals of its asks that its callers never see.
    private let unseenFaults: Set<FaultCode>
    let handle: Handler

    /// A route whose body and answer are messages. Both types come from the handler, so the document cannot differ.
    convenience init<Body: WireMessage, Reply: WireMessage>(
        _ method: Method, _ path: RoutePath, _ name: String, _ summary: String, for access: Access,
        key: KeyRule = .none, pin: Bool = false, website: Bool = false, rate: RateLimiter.Purpose? = nil,
        query: [QueryParameter] = [], bodyIsOptional: Bool = false, status: Int = 200, asks: [any Ask.Type],
        faults: [FaultCode] = [], unseen: Set<FaultCode> = [],
        _ handle: @escaping TypedHandler<Body, Reply>
    ) {
        let body: BodyRule =
            Body.self == Nothing.self ? .none : bodyIsOptional ? .optional(Body.self) : .required(Body.self)
        self.init(
            method, path, name, summary, for: access, key: key, pin: pin, rate: rate, query: query, body: body,
            status: status, reply: Reply.self == Nothing.self ? .nothing : .json(Reply.self), asks: asks,
            faults: faults, unseen: unseen, website: website
        ) { (call: Call) async throws(Fault) -> Answer in
            Answer(try await handle(call, try call.read(Body.self)), status: status)
        }
    }

    init(
        _ method: Method, _ path: RoutePath, _ name: String, _ summary: String, for access: Access, key: KeyRule,
        pin: Bool, rate: RateLimiter.Purpose?, query: [QueryParameter], body: BodyRule, status: Int, reply: ReplyRule,
        asks: [any Ask.Type], faults: [FaultCode] = [], unseen: Set<FaultCode> = [], website: Bool = false,
        operators: Bool = false, entersPIN: Bool = false,
        _ handle: @escaping Handler
    ) {
        self.method = method
        self.path = path
        line = "\(method.rawValue) \(path.text)"
        self.name = name
        self.summary = summary
        self.access = access
        self.key = key
        needsPIN = pin
        isForWebsites = website
        isForOperators = operators
        self.rate = rate
        self.entersPIN = entersPIN
        self.query = query
        self.body = body
        self.status = status
        self.reply = reply
        self.asks = asks
        ownFaults = faults
        unseenFaults = unseen
        self.handle = handle
    }
}

extension Route {
    /// Whoever is logged in has to have one of these; nil where nobody looks.
    var roles: Set<Auth.Role>? {
        switch access {
        case .everyone: nil
        case .roles(let roles), .open(let roles): roles
        }
    }

    /// Whether one may be logged in, but need not.
    var isOpen: Bool { if case .open = access { true } else { false } }

    package var takesBody: Bool { if case .none = body { false } else { true } }

    /// Every refusal that a caller of this route may meet, by the rules above and by what it asks.
    package var faults: [FaultCode] {
        var codes: [FaultCode] = [.notFound, .methodNotAllowed]
        if path.parameter != nil || !query.isEmpty || takesBody { codes.append(.malformed) }
        if takesBody { codes += [.tooLarge, .mediaTypeUnsupported] }
        switch access {
        case .everyone: break
        case .roles: codes += [.tokenMissing, .forbidden] + Auth.ReadSession.faults
        case .open: codes += [.forbidden] + Auth.ReadSession.faults
        }
        if access != .everyone { codes.append(.accountBusy) }
        if access != .everyone, method != .get { codes.append(.crossSite) }
        if isForOperators { codes += [.tokenMissing, .forbidden] }
        if isForWebsites { codes += [.malformed, .websiteOnly] }
        if needsPIN { codes.append(.pinRequired) }
        if rate != nil { codes.append(.rateLimited) }
        switch key {
        case .none: break
        case .optional: codes += [.keyInvalid, .keyInFlight]
        case .required: codes += [.keyMissing, .keyInvalid, .keyInFlight]
        }
        codes += ownFaults
        for ask in asks { codes += ask.faults.filter { !unseenFaults.contains($0) } }
        if !asks.isEmpty || access != .everyone { codes += FaultCode.throughBus }
        var seen: Set<FaultCode> = []
        return codes.filter { seen.insert($0).inserted }
    }
}

/// A path, of which at most one part is an identifier: `/v1/cards/{card}/entries`.
package struct RoutePath: Hashable, Sendable, ExpressibleByStringLiteral {
    package let text: String
    package let prefix: String
    /// The name of the identifier in the path.
    package let parameter: String?
    package let suffix: String

    package init(stringLiteral text: String) {
        self.text = text
        guard let open = text.firstIndex(of: "{"), let close = text.firstIndex(of: "}") else {
            (prefix, parameter, suffix) = (text, nil, "")
            return
        }
        prefix = String(text[..<open])
        parameter = String(text[text.index(after: open)..<close])
        suffix = String(text[text.index(after: close)...])
        precondition(!suffix.contains("{"), "a path holds one identifier at most")
    }
}

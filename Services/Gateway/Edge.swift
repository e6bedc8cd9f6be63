import Bus
import Contracts
import Hummingbird
import NIOCore
import Primitives
import Sodium
import Wire

/// The gateway's HTTP side: takes a request past the guards to its handler and makes a response of what that says.
///
/// Knows no service and no socket: it asks through `Asking` and is called by whatever speaks HTTP. On the way of every
/// request its functions are `nonisolated(nonsending)`: they stay where they are called instead of looking for their
/// executor at each turn.
package final class Edge: Sendable {
    package struct Configuration: Sendable {
        /// How long a request may take with all that it asks. Below the payer's own patience, above that of payments.
        package var deadline: Duration
        /// Sessions remembered; about 300 bytes each.
        package var sessionsMax: Int
        /// How long a session is believed without asking auth again. Bounds the harm when word of a log-out is lost.
        package var sessionLifetime: Duration
        /// Keyed requests at once.
        package var keysInFlightMax: Int
        package var rates: RateLimiter.Policies
        package var devices: DeviceRules
        /// Of each kind of news.
        package var streams: StreamRules
        /// Event streams of all kinds together.
        package var streamsOfAllMax: Int
        /// Requests of one account at once: a merchant's tills have one account.
        package var requestsPerAccountMax: Int
        /// What opens `/metrics` to clients that are not on this machine; nobody else can read it where there is none.
        package var metricsToken: TokenDigest?

        package init(
            deadline: Duration = .seconds(10), sessionsMax: Int = 100_000, sessionLifetime: Duration = .seconds(5),
            keysInFlightMax: Int = 65_536, rates: RateLimiter.Policies = RateLimiter.Policies(),
            devices: DeviceRules = DeviceRules(), streams: StreamRules = StreamRules(),
            streamsOfAllMax: Int = 1_000_000, requestsPerAccountMax: Int = 256, metricsToken: TokenDigest? = nil
        ) {
            self.deadline = deadline
            self.sessionsMax = sessionsMax
            self.sessionLifetime = sessionLifetime
            self.keysInFlightMax = keysInFlightMax
            self.rates = rates
            self.devices = devices
            self.streams = streams
            self.streamsOfAllMax = streamsOfAllMax
            self.requestsPerAccountMax = requestsPerAccountMax
            self.metricsToken = metricsToken
        }
    }

    /// Bytes of a request's body: the largest is a few hundred.
    package static let bodyBytesMax = 16 * 1024

    private static let keyNotLookedUp =
        "An earlier request with this key may have succeeded: enter the PIN and send it again with the key"

    let asking: any Asking
    let health: @Sendable () async -> [String: Bool]
    let metrics: @Sendable () async -> String
    let ops: @Sendable () async -> OpsView
    let limiter: RateLimiter
    package let sessions: Sessions
    /// Ends event streams with their sessions.
    package let watch: SessionWatch
    package let devices: DeviceTable
    /// Merchants who want to know who is near.
    package let nearby: AccountStreams
    /// Who wants to know what comes to an inbox.
    package let notices: AccountStreams
    /// Tables of sales that are being written.
    let exports: AccountStreams
    let inboxPages = InboxPages()
    package let figures: RequestFigures
    /// Remembers each request, as the process does the asks that it answers.
    let spans: SpanRing
    let pages: Pages
    let clock: WallClock
    let configuration: Configuration
    private let tree: RouteTree
    private let running: KeysInFlight
    private let load: AccountLoad
    private let streamPlaces: StreamPlaces
    private let date = HTTPDate()

    /// - Parameters:
    ///   - health: whether each service that is needed answers, by its name.
    ///   - metrics: the figures of all services in the Prometheus text format.
    ///   - ops: the running set, for the operator's page.
    package init(
        asking: any Asking, clock: WallClock = .system, configuration: Configuration = Configuration(),
        pages: Pages = Pages([:]), health: @escaping @Sendable () async -> [String: Bool],
        metrics: @escaping @Sendable () async -> String, ops: @escaping @Sendable () async -> OpsView,
        spans: SpanRing = SpanRing()
    ) {
        self.asking = asking
        self.clock = clock
        self.configuration = configuration
        self.health = health
        self.metrics = metrics
        self.ops = ops
        limiter = RateLimiter(configuration.rates)
        sessions = Sessions(countMax: configuration.sessionsMax, lifetime: configuration.sessionLifetime)
        watch = SessionWatch(sessions, asking: asking, clock: clock, patience: configuration.deadline)
        devices = DeviceTable(
            configuration.devices, asking: asking, sessions: sessions, clock: clock, patience: configuration.deadline)
        nearby = AccountStreams(configuration.streams, watch: watch, clock: clock)
        notices = AccountStreams(configuration.streams, watch: watch, clock: clock)
        exports = AccountStreams(configuration.streams, watch: watch, clock: clock)
        self.pages = pages
        running = KeysInFlight(countMax: configuration.keysInFlightMax)
        load = AccountLoad(perAccountMax: configuration.requestsPerAccountMax)
        streamPlaces = StreamPlaces(countMax: configuration.streamsOfAllMax)
        tree = RouteTree(RouteTable.all)
        figures = RequestFigures(RouteTable.all)
        self.spans = spans
    }

    /// Call it for each `auth.session.closed.v1`.
    package func sessionEnded(_ session: SessionID, of account: PartyID) {
        sessions.forget(session)
        devices.sessionEnded(session, of: account)
        watch.sessionEnded(session)
    }

    /// Call it for each `auth.session.changed.v1`.
    package func sessionChanged(_ session: SessionID) { sessions.forget(session) }

    /// A device for the customer who sent a request, whose touches pay a merchant.
    func device(
        _ id: DeviceID, for request: RequestContext, paying merchant: Auth.AccountView, isDemo: Bool, at now: Timestamp
    ) -> Device {
        let bus = DeviceBus(
            customer: request.session.view.account, merchant: merchant.account, isDemo: isDemo, asking: asking,
            sessions: sessions, limiter: limiter, clock: clock)
        return Device(id, on: bus, paying: merchant.name, for: request, rules: configuration.devices, at: now)
    }

    // MARK: One request

    /// Answers one request. Throws only when the connection broke while its body was read.
    ///
    /// - Parameter address: the client's, asked for only where calls are counted.
    package nonisolated(nonsending) func respond(
        to request: IncomingRequest, from address: () -> IPAddress?
    ) async throws -> EdgeResponse {
        let started = monotonicNanoseconds()
        let now = clock.now()
        let correlation: MessageID = Randomness.shared.identifier(at: now)
        let fields = RequestFields(request.headers)
        let trace = TraceContext(continuing: fields.traceparent, orBeginning: correlation.reinterpreted())
        let traceparent = trace.traceparent(span: Randomness.shared.pair().0)
        let correlationID = correlation.hex
        let context = AskContext(
            deadline: now + configuration.deadline, correlationID: correlationID, traceparent: traceparent)

        let path = Self.originForm(request.target)
        let queryStart = path.utf8.firstIndex(of: UInt8(ascii: "?"))
        let found = tree.find(queryStart.map { String(path[..<$0]) } ?? path)
        let match = found?.place.route(request.method.rawValue)

        let answer: Answer
        if let found, let match {
            do {
                answer = try await self.answer(
                    request, fields, match.route, parameter: found.parameter,
                    query: queryStart.map { path[path.utf8.index(after: $0)...] }, now: now, context: context,
                    address: address)
            } catch let fault as Fault {
                answer = refusal(fault)
            }
        } else if let found {
            var refusal = Answer(Fault(.methodNotAllowed))
            refusal.allow = found.place.allow
            answer = refusal
        } else {
            answer = pages.answer(path, method: request.method, fields) ?? pages.missing(fields)
        }
        let nanoseconds = monotonicNanoseconds() - started
        figures.count(match?.index, status: answer.status, nanoseconds: nanoseconds)
        // What is not in the table is a page, or nobody's business.
        if let route = match?.route {
            spans.record(
                request: route.line, id: correlation, trace: trace.trace, microseconds: Int64(nanoseconds / 1000),
                status: answer.status, fault: answer.fault)
        }
        let response = Response(
            answer, correlationID: correlationID, traceresponse: traceparent, date: date.text(at: now))
        // The answer to HEAD has no body (RFC 9110 section 9.3.2), not even one about HEAD being refused.
        if request.method == .head { return EdgeResponse(response.createHeadResponse()) }
        return EdgeResponse(response, events: answer.events)
    }

    /// The guards in their order, then the handler. Throws `Fault`, or what broke the connection.
    private nonisolated(nonsending) func answer(
        _ request: IncomingRequest, _ fields: RequestFields, _ route: Route, parameter: Substring?, query: Substring?,
        now: Timestamp, context: AskContext, address: () -> IPAddress?
    ) async throws -> Answer {
        let named: Auth.Role? =
            if let query, route.query.contains(where: { $0.name == QueryParameter.role.name }) {
                try Query(query, of: route).role()
            } else {
                nil
            }
        let credential = try Credential(fields, route, named: named)
        let digest = credential?.digest
        if credential?.cookie != nil, request.method != .get { try requireOwnPage(fields) }
        let client = route.rate == nil && !route.entersPIN ? nil : address()
        // A request without a name is counted here, all others when their name has been read.
        if let purpose = route.rate, route.isOpen, digest == nil { try limiter.spend(purpose, from: client, at: now) }
        if route.isForOperators { try requireOperator(fields, digest, address()) }
        var context = context
        var session: LiveSession?
        if let roles = route.roles, digest != nil || !route.isOpen {
            guard let digest else { throw Fault(.tokenMissing) }
            let login: LiveSession
            do throws(Fault) {
                login = try await sessions.session(
                    of: digest, needsPIN: route.needsPIN, at: now, asking: asking, in: context)
            } catch {
                guard error.code == .sessionNotFound, let role = credential?.cookie else { throw error }
                var refusal = refusal(error)
                refusal.cookie = SessionCookie.ending(role)
                return refusal
            }
            // Somebody else has logged in beside the page that asks, and its cookie is theirs.
            guard fields.account == nil || fields.account == login.view.account.hex else {
                throw Fault(.sessionNotFound, "Another account is logged in here than 'Billfold-Account' names")
            }
            guard roles.contains(login.view.role) else { throw Fault(.forbidden) }
            guard !route.needsPIN || login.hasPIN(at: now) else {
                throw Fault(.pinRequired, fields.idempotencyKey == nil ? nil : Self.keyNotLookedUp)
            }
            context.actor = Actor(role: login.view.role, party: login.view.account)
            session = login
        }
        if route.isForWebsites { try requireWebsite(fields) }
        var pathID: Identifier<Never>?
        if let parameter, let name = route.path.parameter {
            guard let id = Identifier<Never>(hex: parameter.utf8) else {
                throw Fault(WireError(.invalidValue(why: "must be 32 lowercase hexadecimal digits"), path: name))
            }
            pathID = id
        }
        let key = try self.key(in: fields, route)
        let operation = key?.operation(of: route, account: session?.view.account)
        let call = Call(
            edge: self, route: route, pathID: pathID, query: try query.map { try Query($0, of: route) } ?? .empty,
            body: try await body(of: request, fields, route), now: now, context: context, session: session, key: key,
            fields: fields, keyed: operation, client: client)
        // Without a session the same key may be another person's.
        let running = session == nil ? nil : operation
        if let running { try self.running.begin(running) }
        defer { if let running { self.running.end(running) } }
        if let account = session?.view.account { try load.begin(account) }
        defer { if let account = session?.view.account { load.end(account) } }
        let answer = try await route.handle(call)
        if let tried = call.tried { limiter.succeeded(tried, at: now) }
        return try streamPlaces.hold(answer)
    }

    /// Figures tell about the set's business: they are for clients on this machine and for bearers of the token. A
    /// client behind a proxy is not on this machine, whatever the connection's address.
    private func requireOperator(_ fields: RequestFields, _ token: TokenDigest?, _ client: IPAddress?) throws(Fault) {
        if client?.isLoopback == true, !fields.isForwarded { return }
        guard let token else { throw Fault(.tokenMissing) }
        guard token == configuration.metricsToken else {
            throw Fault(.forbidden, "Figures are for the set's own machine, and for the bearer of its metrics token")
        }
    }

    /// Answers on a listener that has figures only, to whoever can reach that.
    package func respondToOperator(_ request: IncomingRequest) async -> Response {
        let path = request.target.prefix { $0 != "?" }
        let isRead = request.method == .get || request.method == .head
        let answer =
            path != "/metrics"
            ? Answer(Fault(.notFound)) : !isRead ? Answer(Fault(.methodNotAllowed)) : await figuresAnswer()
        let now = clock.now()
        let correlation: MessageID = Randomness.shared.identifier(at: now)
        let trace = TraceContext(continuing: nil, orBeginning: correlation.reinterpreted())
        let response = Response(
            answer, correlationID: correlation.hex, traceresponse: trace.traceparent(span: Randomness.shared.pair().0),
            date: date.text(at: now))
        return request.method == .head ? response.createHeadResponse() : response
    }

    func figuresAnswer() async -> Answer {
        Answer(status: 200, content: .metrics, body: ByteBuffer(string: await metrics()))
    }

    /// What a client says of itself is no proof: it keeps the merchant's apps to what they are for.
    private func requireWebsite(_ fields: RequestFields) throws(Fault) {
        switch fields.client {
        case nil, "website": break
        case "ios", "android": throw Fault(.websiteOnly)
        default: throw Fault(.malformed, "'Billfold-Client' is website, ios or android")
        }
    }

    /// A cookie goes with every request of a browser: another site must not make it pay.
    func requireOwnPage(_ fields: RequestFields) throws(Fault) {
        guard fields.isFromOwnPage else { throw Fault(.crossSite) }
    }

    private func key(in fields: RequestFields, _ route: Route) throws(Fault) -> IdempotencyKey? {
        if route.key == .none { return nil }
        guard let field = fields.idempotencyKey else {
            if route.key == .required { throw Fault(.keyMissing) }
            return nil
        }
        guard let key = IdempotencyKey(field) else {
            throw Fault(.keyInvalid, "an Idempotency-Key is 1 to \(IdempotencyKey.bytesMax) visible ASCII characters")
        }
        return key
    }

    private nonisolated(nonsending) func body(
        of request: IncomingRequest, _ fields: RequestFields, _ route: Route
    ) async throws -> ByteBuffer {
        guard route.takesBody else { return ByteBuffer() }
        if let length = fields.contentLength.flatMap({ Int($0) }), length > Self.bodyBytesMax {
            throw Self.bodyTooLarge
        }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.bodyBytesMax)
        } catch is NIOTooManyBytesError {
            throw Self.bodyTooLarge
        }
        if body.readableBytes == 0, case .optional = route.body { return body }
        guard let type = fields.contentType, isJSON(type) else { throw Fault(.mediaTypeUnsupported) }
        return body
    }

    /// The target without scheme and authority, which any client may send (RFC 9112, section 3.2.2).
    private static func originForm(_ target: String) -> String {
        guard target.utf8.first != UInt8(ascii: "/"),
            let scheme = ["http://", "https://"].first(where: target.hasPrefix)
        else { return target }
        let rest = target.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
        return rest.first == "/" ? String(rest) : "/" + rest
    }

    private static var bodyTooLarge: Fault {
        Fault(.tooLarge, "a body has at most \(bodyBytesMax) bytes; nothing was done")
    }

    private func refusal(_ fault: Fault) -> Answer {
        var answer = Answer(fault)
        if fault.code == .rateLimited { answer.rate = limiter.fields(refusedFor: fault.retryAfterSeconds ?? 1) }
        return answer
    }
}

/// What a request is answered with.
package struct EdgeResponse: Sendable {
    package let response: Response
    /// Writes the body instead of the response.
    package let events: (any EventFeed)?

    package init(_ response: Response, events: (any EventFeed)? = nil) {
        self.response = response
        self.events = events
    }
}

/// `application/json`, whatever its parameters: JSON has none that change what it means (RFC 8259 section 11).
private func isJSON(_ type: String) -> Bool {
    if type == "application/json" { return true }
    let essence = type.prefix { $0 != ";" }.lowercased()
    return essence.prefix { $0 != " " && $0 != "\t" } == "application/json"
}

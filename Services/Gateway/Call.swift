import Bus
import Contracts
import Hummingbird
import Primitives
import Sodium
import Synchronization
import Wire

/// One request that has passed the guards, as its handler sees it. A class, as a handler's steps would copy some thirty
/// references of a struct each time.
package final class Call: Sendable {
    let edge: Edge
    let route: Route
    /// The identifier in the path.
    let pathID: Identifier<Never>?
    let query: Query
    let body: ByteBuffer
    let now: Timestamp
    /// For everything that is asked on behalf of this request.
    let context: AskContext
    let session: LiveSession?
    /// The request's `Idempotency-Key`.
    let key: IdempotencyKey?
    let fields: RequestFields
    /// What the key makes of this account's request.
    let keyed: OperationID?
    /// The client's address, where calls are limited.
    let client: IPAddress?
    private let spent = Mutex<RateLimiter.Try?>(nil)
    /// The end of the time of `askForExtra`; nil before the first one.
    private let extrasEnd = Mutex<Timestamp?>(nil)

    init(
        edge: Edge, route: Route, pathID: Identifier<Never>?, query: Query, body: ByteBuffer, now: Timestamp,
        context: AskContext, session: LiveSession?, key: IdempotencyKey?, fields: RequestFields, keyed: OperationID?,
        client: IPAddress?
    ) {
        self.edge = edge
        self.route = route
        self.pathID = pathID
        self.query = query
        self.body = body
        self.now = now
        self.context = context
        self.session = session
        self.key = key
        self.fields = fields
        self.keyed = keyed
        self.client = client
    }

    func read<Body: WireMessage>(_ type: Body.Type) throws(Fault) -> Body {
        if Body.self == Nothing.self { return Nothing() as! Body }
        do throws(WireError) {
            if body.readableBytes == 0, case .optional = route.body { return try Body(json: emptyObject) }
            return try Body(json: body.readableBytesView)
        } catch {
            throw Fault(error)
        }
    }

    nonisolated(nonsending) func ask<A: Ask>(_ ask: A) async throws(Fault) -> A.Reply {
        try await edge.asking.ask(ask, in: context)
    }

    /// The same, on behalf of someone who is only now known; nil is the gateway itself.
    func ask<A: Ask>(_ ask: A, as actor: Actor?) async throws(Fault) -> A.Reply {
        var context = context
        context.actor = actor
        return try await edge.asking.ask(ask, in: context)
    }

    /// The time for all answers of a request together that its response is of use without.
    private static let extraPatience = Duration.seconds(2)

    /// An answer that the response is of use without; nil where it does not come soon.
    func askForExtra<A: Ask>(_ ask: A) async -> A.Reply? { await askForExtra(ask, as: context.actor) }

    /// The same, on behalf of another; nil is the gateway itself.
    func askForExtra<A: Ask>(_ ask: A, as actor: Actor?) async -> A.Reply? {
        let now = edge.clock.now()
        let end = extrasEnd.withLock { end in
            let known = end ?? min(self.context.deadline, now + Self.extraPatience)
            end = known
            return known
        }
        guard now < end else { return nil }
        var context = context
        context.actor = actor
        context.deadline = end
        // The response goes without it, whatever the reason is.
        return try? await edge.asking.ask(ask, in: context)
    }

    /// Who is logged in. Only handlers of routes that are not for everyone may ask.
    var account: PartyID { login.view.account }

    var login: LiveSession {
        guard let session else { preconditionFailure("\(route.name) is open to everyone and has no account") }
        return session
    }

    /// For routes of which a part only needs the PIN.
    func requirePIN() async throws(Fault) {
        let session = try await edge.sessions.session(
            of: login.digest, needsPIN: true, at: now, asking: edge.asking, in: context)
        guard session.hasPIN(at: now) else { throw Fault(.pinRequired) }
    }

    func id<Subject>(_ subject: Identifier<Subject>.Type = Identifier<Subject>.self) -> Identifier<Subject> {
        guard let pathID else { preconditionFailure("\(route.name) has no identifier in its path") }
        return pathID.reinterpreted()
    }

    /// The identifier under which services record what this request does: the same for the same account, route and
    /// key, so that a repeated request finds what the first one did. Random where the client sent no key.
    func operation<Subject>(
        _ subject: Identifier<Subject>.Type = Identifier<Subject>.self
    ) -> Identifier<Subject> {
        guard let keyed else { return Randomness.shared.identifier(at: now) }
        return keyed.reinterpreted()
    }

    /// Counts this request against a username or an account, and against the client's address.
    func spend(_ subject: String) throws(Fault) {
        guard let purpose = route.rate else { preconditionFailure("\(route.name) is not limited") }
        let tried = RateLimiter.Try(purpose: purpose, subject: subject, client: client, hasSession: session != nil)
        try edge.limiter.spend(tried, at: now)
        spent.withLock { $0 = tried }
    }

    /// What was counted.
    var tried: RateLimiter.Try? { route.rate == nil ? nil : spent.withLock { $0 } }
}

private let emptyObject = Array("{}".utf8)

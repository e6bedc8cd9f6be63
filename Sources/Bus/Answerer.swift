import Contracts
import Primitives
import Sodium
import Wire

/// Reads the asks of one service, gives each to what answers it and sends what comes back.
package final class Answerer: Sendable {
    /// For asks that carry no deadline of their own.
    package static let deadlineDefault = Duration.seconds(10)

    fileprivate typealias Body = nonisolated(nonsending) @Sendable (Envelope, AskContext) async -> Outcome

    fileprivate enum Route: Sendable {
        /// Runs in a task of its own and gives the reply's `data`.
        case single(Body)
        /// Is forwarded without a task, or else answered as one that is not.
        case forwarded(any Forwarding, Body)
        /// Is answered together with the waiting asks of its type, by the batch answerer at this index.
        case batch(Int)
    }

    private let bus: Bus
    private let routes: [String: Route]
    private let answerers: [any BatchAnswering]
    private let otherwise: Fault
    private let observe: Observe

    package struct Builder: Sendable {
        fileprivate var routes: [String: Route] = [:]
        fileprivate var answerers: [any BatchAnswering] = []
        /// The refusal of every other type; nil is `bus.unknown_type`.
        package var otherwise: Fault?

        package init() {}

        package mutating func answer<A: Answering>(with handler: A) {
            let body = Self.body(of: handler)
            let forwarding = handler as? any Forwarding
            insert(A.Question.type, forwarding.map { .forwarded($0, body) } ?? .single(body))
        }

        private static func body<A: Answering>(of handler: A) -> Body {
            { envelope, context in
                do throws(Fault) {
                    let ask = try A.Question(admitting: envelope.data, of: envelope.actor)
                    return .reply(try await handler.answer(ask, in: context).json)
                } catch {
                    return .fault(error)
                }
            }
        }

        /// For an ask without fields whose type is known at run time only.
        package mutating func answer(_ type: MessageType, with body: @escaping @Sendable (AskContext) async -> Outcome)
        {
            add(type) { envelope, context in
                do throws(WireError) { _ = try NoFields(json: envelope.data) } catch {
                    return .fault(Fault(error.inside("data")))
                }
                return await body(context)
            }
        }

        /// The same for a type whose name is known only when the program runs: `body` reads the ask's `data` itself.
        package mutating func answer(
            _ type: MessageType, reading body: @escaping @Sendable (Envelope, AskContext) async -> Outcome
        ) {
            add(type) { envelope, context in await body(envelope, context) }
        }

        package mutating func answer(inBatches answerer: any BatchAnswering) {
            for type in answerer.types { insert(type, .batch(answerers.count)) }
            answerers.append(answerer)
        }

        private mutating func add(
            _ type: MessageType, _ body: @escaping Body
        ) {
            insert(type, .single(body))
        }

        private mutating func insert(_ type: MessageType, _ route: Route) {
            precondition(routes.updateValue(route, forKey: type.name) == nil, "\(type) is answered twice")
        }
    }

    /// Told of each ask that was answered: how long that took, and the refusal where it was one.
    package typealias Observe = @Sendable (_ ask: Envelope, _ microseconds: Int64, _ fault: FaultCode?) -> Void

    package init(_ builder: Builder, on bus: Bus, observe: @escaping Observe = { _, _, _ in }) {
        routes = builder.routes
        answerers = builder.answerers
        otherwise = builder.otherwise ?? Fault(.unknownType, "\(bus.name) does not answer this type")
        self.bus = bus
        self.observe = observe
    }

    /// Begins to take the service's asks.
    package func start(service: String, credit: Int) {
        bus.transport.serve(service, credit: credit) { [self] asks in receive(asks) }
    }

    private struct Taken: Sendable {
        let token: ReplyToken
        let ask: Envelope
        let deadline: Timestamp?
    }

    /// On the transport's thread: all that came at once.
    private func receive(_ asks: [TransportAsk]) {
        var batches = [[Taken]](repeating: [], count: answerers.count)
        // Most asks are of the same type as the one before, which is found out sooner than its route.
        var (type, route) = ("", nil as Route?)
        for ask in asks {
            let received: Envelope
            do throws(WireError) {
                guard let body = ask.body else { throw WireError(.outOfRange, path: "envelope") }
                received = try Envelope(json: body)
                guard received.canBeHandedOn else {
                    throw WireError(
                        .invalidValue(why: "must have at most \(EnvelopeAttributes.textBytesMax) bytes each"),
                        path: "id, source, type, correlationid, causationid and traceparent")
                }
            } catch {
                let code: FaultCode = error == WireError(.outOfRange, path: "envelope") ? .tooLarge : .malformed
                refuse(Fault(code, error.description), nil, ask.token)
                continue
            }
            let taken = Taken(
                token: ask.token, ask: received, deadline: earlier(ask.deadline, received.expiryTime))
            if type != received.type { (type, route) = (received.type, routes[received.type]) }
            switch route {
            case .single(let body): answerAlone(taken, body)
            case .forwarded(let handler, let body): forward(taken, by: handler, otherwise: body)
            case .batch(let index): batches[index].append(taken)
            case nil: refuse(otherwise, received, ask.token)
            }
        }
        for (answerer, taken) in zip(answerers, batches) where !taken.isEmpty { answerTogether(taken, answerer) }
    }

    /// The deadline of an ask that is worth doing; nil, and refused, when it has passed.
    private func deadline(of taken: Taken, _ doubt: Doubt) -> Timestamp? {
        let now = bus.clock.now()
        let deadline = taken.deadline ?? now + Self.deadlineDefault
        if now < deadline { return deadline }
        refuse(doubt.fault(after: Fault(.deadlineExceeded)), taken.ask, taken.token)
        return nil
    }

    /// The context of an ask that is worth doing; nil, and refused, when its deadline has passed.
    private func context(of taken: Taken, _ doubt: Doubt = Doubt()) -> AskContext? {
        let envelope = taken.ask
        return deadline(of: taken, doubt).map {
            AskContext(
                deadline: $0, correlationID: envelope.correlationID ?? envelope.id, causationID: envelope.id,
                traceparent: envelope.traceparent, idempotencyKey: envelope.idempotencyKey, actor: envelope.actor)
        }
    }

    private func answerAlone(_ taken: Taken, _ body: @escaping Body, _ doubt: Doubt = Doubt()) {
        let start = monotonicNanoseconds()
        guard let context = context(of: taken, doubt) else { return }
        Task(executorPreference: bus.transport.executor) { [self] in
            end(taken, since: start, doubt.outcome(after: await body(taken.ask, context)))
        }
    }

    private func forward(_ taken: Taken, by handler: any Forwarding, otherwise body: @escaping Body) {
        let start = monotonicNanoseconds()
        guard let context = context(of: taken) else { return }
        do throws(Fault) {
            let isForwarded = try handler.forward(taken.ask, in: context, on: bus) { [self] forwarded in
                switch forwarded {
                case .done(let outcome): end(taken, since: start, outcome)
                case .again(let doubt): answerAlone(taken, body, doubt)
                }
            }
            if !isForwarded { answerAlone(taken, body) }
        } catch {
            end(taken, since: start, .fault(error))
        }
    }

    private func answerTogether(_ taken: [Taken], _ answerer: any BatchAnswering) {
        let start = monotonicNanoseconds()
        let outcomes = answerer.answer(taken.map { Inbound(envelope: $0.ask, deadline: $0.deadline) })
        precondition(outcomes.count == taken.count, "a batch has to answer every ask")
        for (taken, outcome) in zip(taken, outcomes) { end(taken, since: start, outcome) }
    }

    // MARK: Answers

    private func end(_ taken: Taken, since start: UInt64, _ outcome: Outcome) {
        switch outcome {
        case .reply(let data):
            reply(to: taken.ask, taken.token) { $0.json(data) }
            report(taken.ask, since: start, nil)
        case .fault(let fault):
            refuse(fault, taken.ask, taken.token)
            report(taken.ask, since: start, fault.code)
        }
    }

    private func report(_ ask: Envelope, since start: UInt64, _ code: FaultCode?) {
        observe(ask, Int64((monotonicNanoseconds() - start) / 1000), code)
    }

    private func reply(to ask: Envelope, _ token: ReplyToken, data: (inout JSONWriter) -> Void) {
        let envelope = answer(to: ask, ".reply", data)
        guard envelope.count <= Envelope.bytesMax else {
            let isReading = Catalogue.asks.first { $0.type.name == ask.type }?.isReading ?? false
            return refuse(
                isReading
                    ? Fault(.tooLarge, "the answer is too large; ask for less")
                    : Fault(.outcomeUnknown, "it may have been done: the answer is too large to be sent"),
                ask, token)
        }
        bus.transport.reply(to: token, body: envelope)
    }

    /// - Parameter ask: nil where it could not be read: that has no type to name, and is refused as the broker does.
    private func refuse(_ fault: Fault, _ ask: Envelope?, _ token: ReplyToken) {
        guard let ask else {
            let now = bus.clock.now()
            let envelope = Envelope(
                id: (Randomness.shared.identifier(at: now) as MessageID).hex, source: bus.name, type: "bus.fault.v1",
                time: now, data: fault.json)
            return bus.transport.reply(to: token, body: envelope.json)
        }
        let envelope = answer(to: ask, ".fault") { fault.write(to: &$0) }
        guard envelope.count <= Envelope.bytesMax else {
            // Its detail is too long. What the ask's code says counts.
            return refuse(Fault(fault.code), nil, token)
        }
        bus.transport.reply(to: token, body: envelope)
    }

    private func answer(to ask: Envelope, _ ending: StaticString, _ data: (inout JSONWriter) -> Void) -> [UInt8] {
        let now = bus.clock.now()
        return ask.answer(
            Randomness.shared.identifier(at: now), from: bus.name, ending: ending, at: now, data: data)
    }
}

/// An ask's data that has nothing in it.
private struct NoFields: WireMessage {}

private func earlier(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
}

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
        /// Goes with all others of its kind to the answerer at that place.
        case batch(Int)
    }

    private let bus: Bus
    private let routes: [String: Route]
    private let answerers: [any BatchAnswering]
    private let observe: Observe

    package struct Builder: Sendable {
        fileprivate var routes: [String: Route] = [:]
        fileprivate var answerers: [any BatchAnswering] = []

        package init() {}

        package mutating func answer<A: Answering>(with handler: A) {
            add(A.Question.type) { envelope, context in
                do throws(WireError) {
                    let ask = try A.Question(json: envelope.data)
                    do throws(Fault) {
                        return .reply(try await handler.answer(ask, in: context).json)
                    } catch {
                        return .fault(error)
                    }
                } catch {
                    return .fault(Fault(error.inside("data")))
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
        self.bus = bus
        self.observe = observe
    }

    /// Begins to take the service's asks.
    package func start(service: String, credit: Int) {
        bus.transport.serve(service, credit: credit) { [self] asks in receive(asks) }
    }

    private struct Taken {
        let token: ReplyToken
        let inbound: Inbound
    }

    /// On the transport's thread: all that came at once.
    private func receive(_ asks: [TransportAsk]) {
        var batches = [[Taken]](repeating: [], count: answerers.count)
        for ask in asks {
            let envelope: Envelope
            do throws(WireError) {
                guard let body = ask.body else { throw WireError(.outOfRange, path: "envelope") }
                envelope = try Envelope(json: body)
            } catch {
                let code: FaultCode = error == WireError(.outOfRange, path: "envelope") ? .tooLarge : .malformed
                send(.fault(Fault(code, error.description)), to: nil, ask.token)
                continue
            }
            let deadline = earlier(ask.deadline, envelope.expiryTime)
            let taken = Taken(token: ask.token, inbound: Inbound(envelope: envelope, deadline: deadline))
            switch routes[envelope.type] {
            case .single(let body): answerAlone(taken, body)
            case .batch(let place): batches[place].append(taken)
            case nil:
                send(.fault(Fault(.unknownType, "\(bus.name) does not answer this type")), to: envelope, ask.token)
            }
        }
        for (answerer, taken) in zip(answerers, batches) where !taken.isEmpty { answerTogether(taken, answerer) }
    }

    private func answerAlone(_ taken: Taken, _ body: @escaping Body) {
        let envelope = taken.inbound.envelope
        let start = monotonicNanoseconds()
        let now = bus.clock.now()
        let deadline = taken.inbound.deadline ?? now + Self.deadlineDefault
        guard now < deadline else { return send(.fault(Fault(.deadlineExceeded)), to: envelope, taken.token) }
        let context = AskContext(
            deadline: deadline, correlationID: envelope.correlationID ?? envelope.id, causationID: envelope.id,
            traceparent: envelope.traceparent, idempotencyKey: envelope.idempotencyKey, actor: envelope.actor)
        Task(executorPreference: bus.transport.executor) { [self] in
            let outcome = await body(envelope, context)
            send(outcome, to: envelope, taken.token)
            report(envelope, since: start, outcome)
        }
    }

    private func answerTogether(_ taken: [Taken], _ answerer: any BatchAnswering) {
        let start = monotonicNanoseconds()
        let outcomes = answerer.answer(taken.map(\.inbound))
        precondition(outcomes.count == taken.count, "a batch has to answer every ask")
        for (taken, outcome) in zip(taken, outcomes) {
            send(outcome, to: taken.inbound.envelope, taken.token)
            report(taken.inbound.envelope, since: start, outcome)
        }
    }

    private func report(_ ask: Envelope, since start: UInt64, _ outcome: Outcome) {
        var code: FaultCode?
        if case .fault(let fault) = outcome { code = fault.code }
        observe(ask, Int64((monotonicNanoseconds() - start) / 1000), code)
    }

    private func send(_ outcome: Outcome, to ask: Envelope?, _ token: ReplyToken) {
        let now = bus.clock.now()
        let (type, data): (String, [UInt8]) =
            switch outcome {
            case .reply(let data): ((ask?.type ?? "") + ".reply", data)
            // What could not be read has no type to name: the broker's own refusals are called so too.
            case .fault(let fault): (ask.map { $0.type + ".fault" } ?? "bus.fault.v1", fault.json)
            }
        let envelope = Envelope(
            id: (Randomness.shared.identifier(at: now) as MessageID).hex, source: bus.name, type: type,
            time: now, correlationID: ask.map { $0.correlationID ?? $0.id }, causationID: ask?.id,
            traceparent: ask?.traceparent, data: data
        ).json
        guard envelope.count <= Envelope.bytesMax else {
            // Even a refusal is too large where the ask's own attributes are; then it goes without them.
            if case .fault = outcome {
                return send(.fault(Fault(.malformed, "the envelope's attributes are too long")), to: nil, token)
            }
            return send(.fault(Fault(.tooLarge, "the answer is too large; ask for less")), to: ask, token)
        }
        bus.transport.reply(to: token, body: envelope)
    }
}

/// An ask's data that has nothing in it.
private struct NoFields: WireMessage {}

private func earlier(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
}

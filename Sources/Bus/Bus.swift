import Contracts
import Primitives
import Sodium
import Synchronization
import Wire

/// One process's end of the bus: asks, answers and facts, typed by contract, over any transport.
package final class Bus: Asking, Sendable {
    /// The name that this process signs its envelopes with.
    package let name: String
    package let clock: WallClock
    package let transport: any Transport
    let asks: any AskTransport
    /// Nil for a process that may ask anybody, as people's tools do.
    private let needs = Mutex<Needs?>(nil)

    private struct Needs {
        /// The services that this process asks.
        let asks: Set<String>
        /// The services whose facts it consumes. Reading their logs is part of it.
        let consumes: Set<String>

        func allow(_ ask: MessageType) -> Bool {
            asks.contains(ask.service)
                || consumes.contains(ask.service) && ask.name == ask.service + ".facts.read.v1"
        }
    }

    /// - Parameter asks: carries the asks; nil where the transport does that, too.
    package init(
        name: String, transport: any Transport, asks: (any AskTransport)? = nil, clock: WallClock = .system
    ) {
        self.name = name
        self.transport = transport
        self.asks = asks ?? transport
        self.clock = clock
    }

    /// Names the services that this process asks and those whose facts it consumes. From now on, other asks are
    /// refused.
    package func declare(asks: [any BusService.Type], consumes: [any FactSource.Type] = []) {
        let declared = Needs(asks: Set(asks.map { $0.service }), consumes: Set(consumes.map { $0.service }))
        needs.withLock { $0 = declared }
    }

    /// Whether this process is declared to send an ask of this type.
    private func mayAsk(_ type: MessageType) -> Bool { needs.withLock { $0?.allow(type) ?? true } }

    private func notDeclared(_ type: MessageType) -> Fault {
        Fault(.forbidden, "\(name) is not declared to ask for \(type)")
    }

    /// The first pause before an ask is repeated; each further one is twice as long, up to `pauseMax`.
    private static let pauseFirst = Duration.milliseconds(10)
    private static let pauseMax = Duration.milliseconds(500)

    package nonisolated(nonsending) func ask<A: Ask>(
        _ ask: A, in context: AskContext
    ) async throws(Fault) -> A.Reply {
        guard mayAsk(A.type) else { throw notDeclared(A.type) }
        let (id, frame) = envelope(A.type, in: context) { ask.write(to: &$0) }
        var (pause, doubt) = (Self.pauseFirst, Doubt())
        while true {
            let fault: Fault
            let answer = await asks.ask(
                service: A.type.service, retry: A.retry, deadline: context.deadline, body: frame)
            do { return try Self.reply(to: A.self, id, from: answer) } catch { fault = error }
            // Half to one and a half times the pause, so that askers that failed together do not return together.
            let rest = pause / 2 + pause * Int(Randomness.shared.pair().0 % 1000) / 1000
            guard Self.mayRepeat(A.retry, after: fault), clock.now() + rest < context.deadline, !Task.isCancelled
            else { throw doubt.fault(after: fault) }
            doubt.note(fault)
            try? await Task.sleep(for: rest)  // cut short: the loop ends by itself
            pause = min(pause * 2, Self.pauseMax)
        }
    }

    /// Asks once, for a caller that does not wait in a task.
    ///
    /// - Parameter then: gets the outcome on the transport's thread.
    func ask<A: Ask>(
        _ ask: A, in context: AskContext, then: @escaping @Sendable (Result<A.Reply, Fault>) -> Void
    ) {
        guard mayAsk(A.type) else { return then(.failure(notDeclared(A.type))) }
        let (id, frame) = envelope(A.type, in: context) { ask.write(to: &$0) }
        transport.ask(service: A.type.service, retry: A.retry, deadline: context.deadline, body: frame) { answer in
            do throws(Fault) {
                let reply = try Self.reply(to: A.self, id, from: answer)
                then(.success(reply))
            } catch {
                then(.failure(error))
            }
        }
    }

    /// Asks for a type that is known by its name only: for people's tools, and for services in other languages. Asked
    /// once, whatever becomes of it.
    ///
    /// - Parameters:
    ///   - data: the message, JSON.
    ///   - service: who is to answer; the type's own service where nobody is named.
    /// - Returns: the reply's `data`.
    package func ask(
        _ type: MessageType, data: [UInt8], retry: RetryClass, of service: String? = nil, in context: AskContext
    ) async throws(Fault) -> ArraySlice<UInt8> {
        let (id, frame) = envelope(type, in: context) { $0.json(data) }
        return try Self.data(
            to: id,
            of: await asks.ask(
                service: service ?? type.service, retry: retry, deadline: context.deadline, body: frame))
    }

    /// Only troubles of the bus are worth a repeat: a service's own refusal is its answer. A service that says when to
    /// come again is in trouble for longer than an asker waits.
    static func mayRepeat(_ retry: RetryClass, after fault: Fault) -> Bool {
        switch fault.code {
        case .queueFull, .noWorker: true  // nothing has happened
        // Something may have happened.
        case .workerLost, .unavailable: retry != .once && fault.retryAfterSeconds == nil
        default: false
        }
    }

    /// Calls `body` for each fact of one type as it is published. Facts may be missed: for caches and displays.
    package func observe<F: Fact>(_ type: F.Type, _ body: @escaping @Sendable (F) -> Void) {
        transport.subscribe(to: F.type.name + "\0") { frames in
            for frame in frames {
                // A fact that cannot be read counts as missed.
                guard let fact = try? F(json: Envelope(json: frame).data) else { continue }
                body(fact)
            }
        }
    }

    private func envelope(
        _ type: MessageType, in context: AskContext, data: (inout JSONWriter) -> Void
    ) -> (id: MessageID, frame: [UInt8]) {
        let now = clock.now()
        let id: MessageID = Randomness.shared.identifier(at: now)
        let hex = id.hex
        let frame = Envelope.json(
            id: hex, source: name, type: type.name, time: now, correlationID: context.correlationID ?? hex,
            causationID: context.causationID, traceparent: context.traceparent, expiryTime: context.deadline,
            idempotencyKey: context.idempotencyKey, actor: context.actor, data: data)
        return (id, frame)
    }

    /// What an ask was answered with; throws the fault that it is.
    static func reply<A: Ask>(
        to type: A.Type, _ id: MessageID, from answer: TransportAnswer
    ) throws(Fault) -> A.Reply {
        let data = try data(to: id, of: answer)
        do throws(WireError) { return try A.Reply(json: data) } catch { throw unreadable(error) }
    }

    /// The `data` of a reply; throws the fault that it is.
    ///
    /// - Parameter id: of the ask. A transport may mistake a worker's second answer for that of a later ask.
    static func data(to id: MessageID, of answer: TransportAnswer) throws(Fault) -> ArraySlice<UInt8> {
        let frame: [UInt8]
        switch answer {
        case .envelope(let bytes): frame = bytes
        case .refused(let code): throw Fault(code)
        }
        let refusal: Fault
        do throws(WireError) {
            let answer = try Envelope(json: frame)
            if let cause = answer.causation, cause != id {
                refusal = Fault(.unavailable, "the answer is to another ask")
            } else if answer.type.hasSuffix(".reply") {
                return answer.data
            } else {
                refusal = try Fault(json: answer.data)
            }
        } catch {
            refusal = unreadable(error)
        }
        throw refusal
    }
    static func unreadable(_ error: WireError) -> Fault {
        Fault(.unavailable, "the answer cannot be read: \(error)")
    }
}

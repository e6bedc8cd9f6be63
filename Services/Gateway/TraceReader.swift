import Bus
import Contracts
import Primitives

/// Gathers traces: from the logs of all sources what happened about their times, and from the memory of the services
/// and of this gateway the requests and asks that led to them.
struct TraceReader: Sendable {
    let call: Call

    /// Clocks of hosts may differ, and one request ends within seconds.
    private static let (before, after) = (Duration.seconds(2), Duration.seconds(5))
    /// Facts read of one source about one moment, and where no moment is known.
    private static let (factsMax, newestMax) = (40_000, Int64(5_000))
    /// Requests of one charge that are followed: asked for, approved, refunded.
    private static let correlationsMax = 10
    private static let spansMax = 100
    /// How long services may take to tell their facts, and what they remember. Traces are wanted most while one is
    /// away.
    private static let (factsPatience, spansPatience) = (Duration.seconds(5), Duration.seconds(1))

    /// The gateway knows its own spans, and the broker answers no asks of the trace.
    private static let services = Catalogue.services.filter {
        $0.service != Gateway.service && $0.service != Broker.service
    }

    static let asks: [any Ask.Type] =
        LogReader.sources.map { readFacts(of: $0) } + services.map { readSpans(of: $0) }

    private static func readFacts<S: FactSource>(of source: S.Type) -> any Ask.Type { ReadFacts<S>.self }
    private static func readSpans<S: BusService>(of service: S.Type) -> any Ask.Type { ReadSpans<S>.self }

    /// - Throws: what `payments.charge.read.v1` is refused with. Other services may be away.
    func trace(of id: ChargeID) async throws(Fault) -> ChargeTrace {
        let charge = try await call.ask(Payments.ReadCharge(charge: id))
        let moments = [charge.requested, charge.decided].compactMap(\.self)
        let facts = await facts(about: moments)
        let quoted = Array("\"\(id.hex)\"".utf8)
        let correlations = Set(facts.found.filter { $0.data.contains(quoted) }.compactMap(\.correlationID))
        let points = facts.found.filter { $0.correlationID.map(correlations.contains) ?? false }
            .compactMap { TracePoint($0) }
        let ids = correlations.prefix(Self.correlationsMax).map { MessageID(standingFor: $0) }
        let spans = await spans(of: ids)
        return ChargeTrace(
            charge: charge, steps: Self.steps(spans.found + points),
            missing: facts.missing.union(spans.missing).sorted())
    }

    /// The requests, asks and facts under a correlation, a trace or a message. Facts are looked for about the time of
    /// the first request or ask that is remembered, or else about that with which the id begins, or else among the
    /// newest.
    func trace(of id: MessageID) async -> Trace {
        let spans = await spans(of: [id])
        let began = spans.found.map(\.startMicroseconds).min().map { Timestamp(milliseconds: $0 / 1000) }
        let moment = began ?? id.made(until: call.now + .seconds(60))
        let facts = await facts(about: moment.map { [$0] } ?? [])
        let points = facts.found.filter { $0.belongs(to: id) }.compactMap { TracePoint($0) }
        return Trace(
            steps: Self.steps(spans.found + points), missing: facts.missing.union(spans.missing).sorted())
    }

    private static func steps(_ points: [TracePoint]) -> [Trace.Step] {
        points.sorted { ($0.startMicroseconds, $0.sequence ?? 0) < ($1.startMicroseconds, $1.sequence ?? 0) }
            .map(Trace.Step.init)
    }

    /// Elements that were found, and services that did not answer or had more to say.
    private struct Gathered<Element: Sendable>: Sendable {
        var found: [Element] = []
        var missing: Set<String> = []

        static func + (left: Self, right: Self) -> Self {
            Self(found: left.found + right.found, missing: left.missing.union(right.missing))
        }
    }

    private func context(within patience: Duration) -> AskContext {
        var context = call.context
        context.deadline = min(context.deadline, call.edge.clock.now() + patience)
        return context
    }

    // MARK: Facts

    private func facts(about moments: [Timestamp]) async -> Gathered<Envelope> {
        let context = context(within: Self.factsPatience)
        return await withTaskGroup(of: Gathered<Envelope>.self) { group in
            for source in LogReader.sources { group.addTask { await facts(of: source, about: moments, in: context) } }
            return await group.reduce(Gathered(), +)
        }
    }

    /// Those about the moments; the newest where there is no moment.
    private func facts<S: FactSource>(
        of source: S.Type, about moments: [Timestamp], in context: AskContext
    ) async -> Gathered<Envelope> {
        let logs = LogReader(call.edge.asking) { context }
        var found: [Int64: Envelope] = [:]
        var isCut = false
        do throws(Fault) {
            if moments.isEmpty { return Gathered(found: try await logs.newest(Self.newestMax, of: source)) }
            for moment in moments {
                let some = try await logs.facts(
                    of: source, from: moment - Self.before, until: moment + Self.after, countMax: Self.factsMax)
                for fact in some.facts { found[fact.sequence ?? 0] = fact }
                isCut = isCut || some.isCut
            }
        } catch {
            isCut = true
        }
        return Gathered(found: Array(found.values), missing: isCut ? [S.service] : [])
    }

    // MARK: Spans

    private func spans(of ids: [MessageID]) async -> Gathered<TracePoint> {
        let context = context(within: Self.spansPatience)
        let own = ids.flatMap { call.edge.spans.read($0, refused: false, limit: Self.spansMax) }
        return await withTaskGroup(of: Gathered<TracePoint>.self) { group in
            for service in Self.services { group.addTask { await spans(of: service, ids, in: context) } }
            return await group.reduce(Gathered(found: own.map { TracePoint($0, of: Gateway.service) }), +)
        }
    }

    private func spans<S: BusService>(
        of service: S.Type, _ ids: [MessageID], in context: AskContext
    ) async -> Gathered<TracePoint> {
        var gathered = Gathered<TracePoint>()
        do throws(Fault) {
            for id in ids {
                let ask = ReadSpans<S>(id: id, refused: false, limit: Self.spansMax)
                let spans = try await call.edge.asking.ask(ask, in: context).spans
                gathered.found += spans.map { TracePoint($0, of: S.service) }
                if spans.count == Self.spansMax { gathered.missing = [S.service] }
            }
        } catch {
            // One in another language need not remember them.
            if error.code != .unknownType { gathered.missing = [S.service] }
        }
        return gathered
    }
}

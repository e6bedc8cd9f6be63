import Bus
import Contracts
import Primitives

/// Gathers traces: from the logs of all sources what happened about their times, and from the memory of all processes
/// the requests and asks that led to it.
struct TraceReader: Sendable {
    let call: Call

    /// Clocks of hosts may differ, and one request ends within seconds.
    private static let (before, after) = (Duration.seconds(2), Duration.seconds(5))
    /// Facts read of one source about one moment.
    private static let factsMax = 40_000
    /// Requests of one charge that are followed: asked for, approved, refunded.
    private static let correlationsMax = 10
    private static let spansMax = 100

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
        let (facts, silent) = await facts(about: moments)
        let quoted = Array("\"\(id.hex)\"".utf8)
        let named = facts.filter { $0.data.contains(quoted) }.compactMap { TracePoint($0) }
        let correlations = Set(named.map(\.correlation))
        let steps = facts.compactMap { TracePoint($0) }.filter { correlations.contains($0.correlation) }
            .map(Trace.Step.init)
        let (spans, mute) = await spans(of: Array(correlations.prefix(Self.correlationsMax)))
        return ChargeTrace(charge: charge, steps: Self.inOrder(spans + steps), missing: silent.union(mute).sorted())
    }

    /// What happened under a correlation, a trace or a message. Facts are looked for about the time of the first
    /// request or ask that is remembered, or else about that with which the id begins.
    func trace(of id: MessageID) async -> Trace {
        let (spans, mute) = await spans(of: [id])
        let began = spans.map(\.time).min() ?? id.made(until: call.now)
        let (facts, silent) = await facts(about: began.map { [$0] } ?? [])
        let steps = facts.compactMap { TracePoint($0) }.filter { $0.belongs(to: id) }.map(Trace.Step.init)
        return Trace(steps: Self.inOrder(spans + steps), missing: silent.union(mute).sorted())
    }

    private static func inOrder(_ steps: [Trace.Step]) -> [Trace.Step] {
        steps.sorted { ($0.time, $0.sequence ?? 0) < ($1.time, $1.sequence ?? 0) }
    }

    // MARK: Facts

    private func facts(about moments: [Timestamp]) async -> ([Envelope], missing: Set<String>) {
        await withTaskGroup(of: (facts: [Envelope], missing: String?).self) { group in
            for source in LogReader.sources { group.addTask { await facts(of: source, about: moments) } }
            return await group.reduce(into: ([], [])) { all, some in
                all.0 += some.facts
                if let missing = some.missing { all.1.insert(missing) }
            }
        }
    }

    private func facts<S: FactSource>(
        of source: S.Type, about moments: [Timestamp]
    ) async -> (facts: [Envelope], missing: String?) {
        let logs = LogReader(call.edge.asking) { [call] in call.context }
        var found: [Int64: Envelope] = [:]
        var isCut = false
        do throws(Fault) {
            for moment in moments {
                let some = try await logs.facts(
                    of: source, from: moment - Self.before, until: moment + Self.after, countMax: Self.factsMax)
                for fact in some.facts { found[fact.sequence ?? 0] = fact }
                isCut = isCut || some.isCut
            }
        } catch {
            isCut = true
        }
        return (Array(found.values), isCut ? S.service : nil)
    }

    // MARK: Spans

    private func spans(of ids: [MessageID]) async -> ([Trace.Step], missing: Set<String>) {
        let own = ids.flatMap { call.edge.spans.read($0, refused: false, limit: Self.spansMax) }
            .map { Trace.Step(TracePoint($0, of: Gateway.service)) }
        return await withTaskGroup(of: (steps: [Trace.Step], missing: String?).self) { group in
            for service in Self.services { group.addTask { await spans(of: service, ids) } }
            return await group.reduce(into: (own, [])) { all, some in
                all.0 += some.steps
                if let missing = some.missing { all.1.insert(missing) }
            }
        }
    }

    private func spans<S: BusService>(
        of service: S.Type, _ ids: [MessageID]
    ) async -> (steps: [Trace.Step], missing: String?) {
        var steps: [Trace.Step] = []
        do throws(Fault) {
            for id in ids {
                let reply = try await call.ask(ReadSpans<S>(id: id, refused: false, limit: Self.spansMax))
                steps += reply.spans.map { Trace.Step(TracePoint($0, of: S.service)) }
            }
            return (steps, nil)
        } catch {
            // One in another language need not remember them.
            return (steps, error.code == .unknownType ? nil : S.service)
        }
    }
}

import Bus
import Contracts
import Primitives
import Watch
import Wire

/// Gathers what is known of a trace: what the processes remember, and the facts that it has led to.
struct TraceSearch {
    let bus: Bus
    /// When it began, if the user says so; otherwise its id says when.
    let around: Timestamp?
    /// How long after its beginning facts are looked for.
    let window: Duration

    /// How long a process may take to report its spans.
    private static let patience = Duration.seconds(1)
    /// How long one page of facts may take.
    private static let pagePatience = Duration.seconds(5)
    /// Clocks of hosts may differ, and facts may stand a little out of order.
    private static let margin = Duration.seconds(2)
    /// Facts of one source that are looked at.
    private static let factsMax = 50_000
    /// Facts read from one source when the time is unknown.
    private static let newestMax: Int64 = 5000
    /// Correlations of one charge that are shown.
    private static let correlationsMax = 20
    private static let spansMax = 100

    struct Found {
        var points: [TracePoint] = []
        /// What could not be looked at, in words.
        var remarks: [String] = []
        /// Whether all was looked at.
        var isWhole: Bool { remarks.isEmpty }
    }

    /// - Parameter id: of a trace, a correlation, a message, or a charge.
    func find(_ id: MessageID) async -> Found {
        var found = Found()
        found.points = await spans(of: id)
        if found.points.isEmpty, let charge = await charge(id.reinterpreted()) {
            return await find(charge: charge)
        }
        let began =
            around ?? found.points.map { Timestamp(milliseconds: $0.startMicroseconds / 1000) }.min()
            ?? id.made(until: bus.clock.now() + .seconds(60))
        let (facts, remarks) = await facts(began.map { [$0] } ?? []) { $0.belongs(to: id) }
        found.points += facts
        found.remarks += remarks
        // A message's or a trace's id leads to the correlations that it is part of.
        let correlations = Set(found.points.map(\.correlation)).subtracting([id])
        for correlation in correlations.prefix(Self.correlationsMax) { found.points += await spans(of: correlation) }
        found.points = unique(found.points)
        return found
    }

    // MARK: Charges

    /// All that has happened to a charge: it may have been requested, approved and refunded by three requests.
    private func find(charge: Payments.ChargeView) async -> Found {
        let moments = [charge.requested, charge.decided].compactMap { $0 }
        let subject = charge.charge.hex
        var (facts, remarks) = await facts(moments) { $0.data?.names(subject) ?? false }
        let correlations = Set(facts.map(\.correlation))
        // What else those requests have led to: notices, coupons.
        let others = await self.facts(moments) { correlations.contains($0.correlation) }
        facts += others.points
        for correlation in correlations.prefix(Self.correlationsMax) { facts += await spans(of: correlation) }
        return Found(points: unique(facts), remarks: Array(Set(remarks + others.remarks)).sorted())
    }

    private func charge(_ id: ChargeID) async -> Payments.ChargeView? {
        // The id may be another thing's, and payments may be away: then it is looked for elsewhere.
        try? await bus.ask(
            Payments.ReadCharge(charge: id), in: AskContext(deadline: bus.clock.now() + Self.patience))
    }

    // MARK: Spans

    private func spans(of id: MessageID) async -> [TracePoint] {
        let deadline = bus.clock.now() + Self.patience
        return await withTaskGroup(of: [TracePoint].self) { group in
            for service in SetLook.expected {
                group.addTask {
                    // A service that does not answer, or is in another language, remembers nothing for us.
                    let data = try? await bus.ask(
                        MessageType("\(service).spans.read.v1"),
                        data: ReadSpans<Broker>(id: id, refused: false, limit: Self.spansMax).json, retry: .idempotent,
                        in: AskContext(deadline: deadline))
                    let reply = data.flatMap { try? ReadSpans<Broker>.Reply(json: $0) }
                    return (reply?.spans ?? []).map { TracePoint($0, of: service) }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    // MARK: Facts

    /// The facts of all sources that are wanted, within the window of each moment; the newest where there is no moment.
    private func facts(
        _ moments: [Timestamp], where isWanted: @escaping @Sendable (TracePoint) -> Bool
    ) async -> (points: [TracePoint], remarks: [String]) {
        await withTaskGroup(of: ([TracePoint], [String]).self) { group in
            for source in LogReader.sources {
                group.addTask {
                    let (facts, remarks) = await facts(of: source, about: moments)
                    return (facts.compactMap { TracePoint($0) }.filter(isWanted), remarks)
                }
            }
            return await group.reduce(into: ([], [])) { all, some in
                all.0 += some.0
                all.1 += some.1
            }
        }
    }

    private func facts<Source: FactSource>(
        of source: Source.Type, about moments: [Timestamp]
    ) async -> ([Envelope], remarks: [String]) {
        let logs = LogReader(bus) { [bus] in AskContext(deadline: bus.clock.now() + Self.pagePatience) }
        do throws(Fault) {
            guard !moments.isEmpty else { return (try await logs.newest(Self.newestMax, of: source), []) }
            var facts: [Envelope] = []
            var remarks: [String] = []
            for moment in moments {
                let some = try await logs.facts(
                    of: source, from: moment - Self.margin, until: moment + window + Self.margin,
                    countMax: Self.factsMax)
                facts += some.facts
                guard some.isCut else { continue }
                remarks.append(
                    "\(source.service) has published too much within the window: its later facts were not looked at")
            }
            return (facts, remarks)
        } catch {
            return ([], ["the facts of \(source.service) cannot be read: \(error.words)"])
        }
    }

    private func unique(_ points: [TracePoint]) -> [TracePoint] {
        var seen: [TracePoint] = []
        for point in points where !seen.contains(point) { seen.append(point) }
        return seen
    }
}

import Bus
import Contracts
import Primitives
import Wire

/// All that happened to a charge, from the first request to the ledger's entry.
package struct ChargeTrace: WireMessage, Equatable {
    package let charge: Payments.ChargeView
    /// Oldest first.
    package let steps: [Step]
    /// Services that did not answer, or had more to say than was read: the trace may lack what they know.
    package let missing: [String]

    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// An HTTP request, or a touch.
        case request
        case ask
        case fact
    }

    package struct Step: Codable, Sendable, Equatable {
        package let kind: Kind
        /// Who answered or published it.
        package let service: String
        /// The ask's or fact's type; of a request, method and path.
        package let name: String
        package let time: Timestamp
        /// Of requests and asks: until the answer was given.
        package let microseconds: Int64?
        package let id: MessageID
        /// The message that led to it.
        package let parent: MessageID?
        package let correlation: MessageID
        /// The refusal's code.
        package let fault: String?
        /// Of a request.
        package let status: Int64?
        /// A fact's place in its source's log.
        package let sequence: Int64?
        /// The ledger's entry that a fact names.
        package let entry: Int64?
    }
}

extension ChargeTrace.Step {
    init(_ span: Span, of service: String) {
        self.init(
            kind: span.status == nil ? .ask : .request, service: service, name: span.name,
            time: Timestamp(milliseconds: span.startMicroseconds / 1000), microseconds: span.microseconds,
            id: span.id, parent: span.parent, correlation: span.correlation, fault: span.fault,
            status: span.status.map { Int64($0) }, sequence: nil, entry: nil)
    }

    /// Nil for a fact without a correlation or a time, which belongs to no trace.
    init?(_ fact: Envelope) {
        guard let correlation = fact.correlationID, let time = fact.time else { return nil }
        var entry: Int64?
        // A fact whose data cannot be read is shown without an entry.
        if case .integer(let number)? = (try? JSONValue(parsing: fact.data))?["entry"] { entry = number }
        self.init(
            kind: .fact, service: fact.source, name: fact.type, time: time, microseconds: nil,
            id: MessageID(standingFor: fact.id), parent: fact.causationID.map { MessageID(standingFor: $0) },
            correlation: MessageID(standingFor: correlation), fault: nil, status: nil, sequence: fact.sequence,
            entry: entry)
    }
}

/// Gathers a charge's trace: from the logs of all sources what happened about its times, and from the memory of all
/// processes the requests and asks that led to it.
struct TraceReader: Sendable {
    let call: Call

    /// Clocks of hosts may differ, and one request ends within seconds.
    private static let (before, after) = (Duration.seconds(2), Duration.seconds(5))
    /// Pages read of one source about one moment.
    private static let pagesMax = 40
    private static let pageMax = 1000
    /// Requests of one charge that are followed: asked for, approved, refunded.
    private static let correlationsMax = 10
    private static let spansMax = 100

    private static let sources = Catalogue.services.compactMap { $0 as? any FactSource.Type }
    /// The gateway knows its own spans, and the broker answers no asks of the trace.
    private static let services = Catalogue.services.filter {
        $0.service != Gateway.service && $0.service != Broker.service
    }

    static let asks: [any Ask.Type] =
        [Payments.ReadCharge.self] + sources.map { readFacts(of: $0) } + services.map { readSpans(of: $0) }

    private static func readFacts<S: FactSource>(of source: S.Type) -> any Ask.Type { ReadFacts<S>.self }
    private static func readSpans<S: BusService>(of service: S.Type) -> any Ask.Type { ReadSpans<S>.self }

    /// - Throws: what `payments.charge.read.v1` is refused with. Other services may be away.
    func trace(of id: ChargeID) async throws(Fault) -> ChargeTrace {
        let charge = try await call.ask(Payments.ReadCharge(charge: id))
        let moments = [charge.requested, charge.decided].compactMap(\.self)
        let (facts, silent) = await facts(about: moments)
        let quoted = Array("\"\(id.hex)\"".utf8)
        let named = facts.filter { $0.data.contains(quoted) }.compactMap(ChargeTrace.Step.init)
        let correlations = Set(named.map(\.correlation))
        let steps = facts.compactMap(ChargeTrace.Step.init).filter { correlations.contains($0.correlation) }
        let (spans, mute) = await spans(of: Array(correlations.prefix(Self.correlationsMax)))
        return ChargeTrace(
            charge: charge, steps: (spans + steps).sorted { ($0.time, $0.sequence ?? 0) < ($1.time, $1.sequence ?? 0) },
            missing: silent.union(mute).sorted())
    }

    // MARK: Facts

    private func facts(about moments: [Timestamp]) async -> ([Envelope], missing: Set<String>) {
        await withTaskGroup(of: (facts: [Envelope], missing: String?).self) { group in
            for source in Self.sources { group.addTask { await facts(of: source, about: moments) } }
            return await group.reduce(into: ([], [])) { all, some in
                all.0 += some.facts
                if let missing = some.missing { all.1.insert(missing) }
            }
        }
    }

    private func facts<S: FactSource>(
        of source: S.Type, about moments: [Timestamp]
    ) async -> (facts: [Envelope], missing: String?) {
        var found: [Int64: Envelope] = [:]
        do throws(Fault) {
            var isCut = false
            for moment in moments {
                var last = try await sequence(of: source, before: moment - Self.before)
                for page in 1...Self.pagesMax {
                    let (facts, head) = try await self.page(of: source, after: last, limit: Self.pageMax)
                    for fact in facts { found[fact.sequence ?? 0] = fact }
                    guard let end = facts.last, let number = end.sequence, number < head,
                        let time = end.time, time < moment + Self.after
                    else { break }
                    last = number
                    if page == Self.pagesMax { isCut = true }
                }
            }
            return (Array(found.values), isCut ? S.service : nil)
        } catch {
            return (Array(found.values), S.service)
        }
    }

    /// The sequence of the last fact before a moment; 0 for none. Facts stand nearly in the order of their times.
    private func sequence<S: FactSource>(of source: S.Type, before time: Timestamp) async throws(Fault) -> Int64 {
        var (low, high) = (Int64(0), try await page(of: source, after: .max - 1, limit: 1).head)
        while low < high {
            let middle = low + (high - low + 1) / 2
            let fact = try await page(of: source, after: middle - 1, limit: 1).facts.first
            // One without a time is taken for an early one: more is read than had to be.
            if fact?.time ?? Timestamp(milliseconds: 0) < time { low = middle } else { high = middle - 1 }
        }
        return low
    }

    private func page<S: FactSource>(
        of source: S.Type, after sequence: Int64, limit: Int
    ) async throws(Fault) -> (facts: [Envelope], head: Int64) {
        let page = try await call.ask(ReadFacts<S>(after: sequence, limit: limit))
        // What is no envelope is in no trace.
        return (page.facts.compactMap { try? Envelope(json: $0.bytes) }, page.head)
    }

    // MARK: Spans

    private func spans(of ids: [MessageID]) async -> ([ChargeTrace.Step], missing: Set<String>) {
        let own = ids.flatMap { call.edge.spans.read($0, refused: false, limit: Self.spansMax) }
            .map { ChargeTrace.Step($0, of: Gateway.service) }
        return await withTaskGroup(of: (steps: [ChargeTrace.Step], missing: String?).self) { group in
            for service in Self.services { group.addTask { await spans(of: service, ids) } }
            return await group.reduce(into: (own, [])) { all, some in
                all.0 += some.steps
                if let missing = some.missing { all.1.insert(missing) }
            }
        }
    }

    private func spans<S: BusService>(
        of service: S.Type, _ ids: [MessageID]
    ) async -> (steps: [ChargeTrace.Step], missing: String?) {
        var steps: [ChargeTrace.Step] = []
        do throws(Fault) {
            for id in ids {
                let reply = try await call.ask(ReadSpans<S>(id: id, refused: false, limit: Self.spansMax))
                steps += reply.spans.map { ChargeTrace.Step($0, of: S.service) }
            }
            return (steps, nil)
        } catch {
            // One in another language need not remember them.
            return (steps, error.code == .unknownType ? nil : S.service)
        }
    }
}

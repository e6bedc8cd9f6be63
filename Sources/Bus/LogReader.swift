import Contracts
import Primitives
import Wire

/// Reads services' logs of facts, also by time: for traces, and for people's tools.
package struct LogReader: Sendable {
    /// The services that publish facts.
    package static let sources = Catalogue.services.compactMap { $0 as? any FactSource.Type }
    /// Facts in one page, the most that a service gives.
    package static let pageMax = 1000

    private let bus: any Asking
    private let context: @Sendable () -> AskContext

    /// - Parameter context: for each page.
    package init(_ bus: any Asking, in context: @escaping @Sendable () -> AskContext) {
        self.bus = bus
        self.context = context
    }

    /// Facts behind a sequence, as many as fit into a page, and the newest there is.
    package func page<Source: FactSource>(
        of source: Source.Type, after sequence: Int64, limit: Int = pageMax
    ) async throws(Fault) -> (facts: [Envelope], head: Int64) {
        let page = try await bus.ask(ReadFacts<Source>(after: sequence, limit: limit), in: context())
        do throws(WireError) {
            var facts: [Envelope] = []
            for fact in page.facts { facts.append(try Envelope(json: fact.bytes)) }
            return (facts, page.head)
        } catch {
            throw Bus.unreadable(error)
        }
    }

    private func head<Source: FactSource>(of source: Source.Type) async throws(Fault) -> Int64 {
        try await page(of: source, after: .max - 1, limit: 1).head
    }

    /// The newest facts, oldest first.
    package func newest<Source: FactSource>(_ count: Int64, of source: Source.Type) async throws(Fault) -> [Envelope] {
        var after = max(0, try await head(of: source) - count)
        var found: [Envelope] = []
        while true {
            let page = try await page(of: source, after: after)
            found += page.facts
            after += Int64(page.facts.count)
            if page.facts.isEmpty || after >= page.head { return found }
        }
    }

    /// The facts from one moment to another, and perhaps some beside them.
    ///
    /// - Returns: at most `countMax` facts and the rest of a page; `isCut` when there are more.
    package func facts<Source: FactSource>(
        of source: Source.Type, from start: Timestamp, until end: Timestamp, countMax: Int
    ) async throws(Fault) -> (facts: [Envelope], isCut: Bool) {
        var after = try await last(of: source, before: start)
        var found: [Envelope] = []
        while found.count < countMax {
            let page = try await page(of: source, after: after)
            found += page.facts
            guard let last = page.facts.last else { return (found, false) }
            after = last.sequence ?? after + Int64(page.facts.count)
            if after >= page.head || last.time ?? end >= end { return (found, false) }
        }
        return (found, true)
    }

    /// The sequence of the last fact before a moment; 0 for none. Facts stand nearly in the order of their times.
    private func last<Source: FactSource>(
        of source: Source.Type, before time: Timestamp
    ) async throws(Fault) -> Int64 {
        var (low, high) = (Int64(0), try await head(of: source))
        while low < high {
            let middle = low + (high - low + 1) / 2
            let fact = try await page(of: source, after: middle - 1, limit: 1).facts.first
            // One without a time is taken for an early one: more is read than had to be.
            if fact?.time ?? Timestamp(milliseconds: 0) < time { low = middle } else { high = middle - 1 }
        }
        return low
    }
}

import Bus
import Contracts
import Primitives

/// The logs of all services that publish facts, read by their names.
struct FactSources {
    static let names = Catalogue.services.filter { $0 is any FactSource.Type }.map { $0.service }

    /// How long one page may take.
    private static let patience = Duration.seconds(5)
    /// Facts in one page, the most that a service gives.
    static let pageMax = 1000

    let bus: Bus

    /// Facts behind a sequence, as many as fit into a page, and the newest there is.
    func page(of source: String, after sequence: Int64, limit: Int = pageMax) async throws -> (
        facts: [Envelope], head: Int64
    ) {
        let ask = ReadFacts<Wallet>(after: sequence, limit: limit)
        let data = try await bus.ask(
            MessageType("\(source).facts.read.v1"), data: ask.json, retry: .idempotent,
            in: AskContext(deadline: bus.clock.now() + Self.patience))
        let page = try FactsPage(json: data)
        return (try page.facts.map { try Envelope(json: $0.bytes) }, page.head)
    }

    func head(of source: String) async throws -> Int64 {
        try await page(of: source, after: .max - 1, limit: 1).head
    }

    /// The sequence of the last fact before a moment; 0 for none. Facts stand in the order of their times, nearly.
    func last(of source: String, before time: Timestamp) async throws -> Int64 {
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

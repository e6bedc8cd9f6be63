import Bus
import Contracts
import Primitives

/// Reads one source's log, many pages at a time: the sequences are known, so no page waits for the one before.
package enum FactReader<Source: FactSource> {
    /// Facts asked for at once; as many as fit into an envelope.
    private static var stretch: Int64 { 100 }
    /// Facts that are in memory at once.
    private static var part: Int64 { 64 * stretch }

    private struct Page {
        var facts: [(fact: Envelope, digest: UInt64)] = []
        var faults: [String] = []
    }

    /// Reads the facts behind `after` up to `through`.
    ///
    /// - Parameter take: gets each fact, in their order, with a ``digest(of:)`` its bytes.
    /// - Returns: what is wrong with the sequence: missing, twice, out of order.
    package static func read(
        _ bus: Bus, after: Int64, through: Int64, progress: (Int, Int) -> Void = { _, _ in },
        take: (_ fact: Envelope, _ digest: UInt64) throws -> Void
    ) async throws -> [String] {
        var faults: [String] = []
        for begin in stride(from: after, to: through, by: Int(part)) {
            let end = min(begin + part, through)
            let starts = Array(stride(from: begin, to: end, by: Int(stretch)))
            let pages = try await pipelined(starts, width: 16, on: bus) { start in
                try await page(bus, after: start, through: min(start + stretch, end))
            }
            for page in pages {
                for (fact, digest) in page.facts { try take(fact, digest) }
                faults += page.faults
            }
            progress(Int(end - after), Int(through - after))
        }
        return faults
    }

    private static func page(_ bus: Bus, after: Int64, through: Int64) async throws -> Page {
        var result = Page()
        var position = after
        while position < through {
            let reply = try await bus.ask(
                ReadFacts<Source>(after: position, limit: Int(through - position)), in: bus.patient)
            if reply.facts.isEmpty {
                result.faults.append("\(Source.service)'s log has no facts between \(position) and \(through)")
                break
            }
            for raw in reply.facts {
                let fact = try Envelope(json: raw.bytes)
                guard let sequence = fact.sequence, sequence == position + 1 else {
                    result.faults.append(
                        "\(Source.service)'s log has fact \(fact.sequence.map { "\($0)" } ?? "without a number") behind "
                            + "\(position)")
                    position = max(position + 1, fact.sequence ?? 0)
                    continue
                }
                position = sequence
                result.facts.append((fact, raw.bytes.withUnsafeBytes { digest(of: $0) }))
            }
        }
        return result
    }
}

/// A number for some bytes: equal bytes, equal numbers; never 0. Not against malice, which has no hand in here.
package func digest(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while offset + 8 <= bytes.count {
        state = (state ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0xBF58_476D_1CE4_E5B9
        state ^= state >> 29
        offset += 8
    }
    while offset < bytes.count {
        state = (state ^ UInt64(bytes[offset])) &* 0x94D0_49BB_1331_11EB
        offset += 1
    }
    return (state ^ state >> 31) | 1
}

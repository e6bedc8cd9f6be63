import Bus
import Contracts
import PaymentsService
import Primitives
import Synchronization
import TestKit
import Testing

@Suite("payments' facts as others read them")
struct AcknowledgedLogTests {
    /// A log that has one fact more once it has caught up.
    private final class GrowingLog: FactLog {
        let head = Mutex<Int64>(2)

        func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
            let head = head.withLock { $0 }
            let facts = sequence < head ? (sequence + 1...head).map { RawJSON(Array("\($0)".utf8)) } : []
            return FactsPage(facts: facts, head: head)
        }
    }

    private func log(_ waits: Counter) -> AcknowledgedLog {
        let log = GrowingLog()
        return AcknowledgedLog(log, clock: .system) { _ in
            waits.add()
            log.head.withLock { $0 = 3 }
        }
    }

    @Test("a reader at the end waits for what was acknowledged, and reads it")
    func end() async throws {
        let waits = Counter()
        let page = try await log(waits).read(after: 2, limit: 10)
        #expect(page.facts.map(\.bytes) == [Array("3".utf8)] && page.head == 3)
        #expect(try await log(waits).read(after: .max, limit: 1).head == 3)
        #expect(waits.count == 2)
    }

    @Test("a reader who has not come so far waits for nothing")
    func middle() async throws {
        let waits = Counter()
        #expect(try await log(waits).read(after: 1, limit: 10).head == 2)
        #expect(waits.count == 0)
    }

    @Test("an end that is not known is not told")
    func trouble() async throws {
        let log = AcknowledgedLog(GrowingLog(), clock: .system) { _ in throw Fault(.deadlineExceeded) }
        await #expect(throws: Fault(.deadlineExceeded)) { try await log.read(after: 2, limit: 10) }
    }
}

import Contracts
import Primitives
import Synchronization

/// What a process has answered lately, in memory: the oldest record is overwritten by the newest.
///
/// On the way of every ask: recording takes one lock and no memory once the ring is full (`billfold-bench --only
/// spans`).
package final class SpanRing: Sendable {
    /// Asks remembered, of about 100 bytes each.
    package static let spansMax = 8192
    /// Refusals remembered besides, so that a rare one outlives many good answers.
    package static let refusedMax = 64
    /// Names and codes known. Both are words of the program: reached only by a mistake in it.
    private static let wordsMax = 4096

    private struct Record {
        var id: MessageID
        var parent: MessageID?
        var correlation: MessageID
        var trace: TraceID?
        var startMicroseconds: Int64
        var microseconds: Int64
        /// Indexes of `words`; 0 for no fault.
        var name: UInt16 = 0
        var fault: UInt16 = 0
        var status: UInt16 = 0
    }

    /// The newest records of all that were added.
    private struct Ring {
        let capacity: Int
        private var records: [Record] = []
        private var added = 0

        init(capacity: Int) { self.capacity = capacity }

        mutating func add(_ record: Record) {
            if records.count < capacity { records.append(record) } else { records[added % capacity] = record }
            added += 1
        }

        var newestFirst: some Sequence<Record> {
            (0..<records.count).lazy.map { [records, added, capacity] in records[(added - 1 - $0) % capacity] }
        }
    }

    private struct State {
        var records = Ring(capacity: SpanRing.spansMax)
        var refused = Ring(capacity: SpanRing.refusedMax)
        var words = [""]
        var indexes = ["": UInt16(0)]

        mutating func index(of word: String) -> UInt16 {
            if let index = indexes[word] { return index }
            guard words.count < SpanRing.wordsMax else { return 0 }
            let index = UInt16(words.count)
            words.append(word)
            indexes[word] = index
            return index
        }

        mutating func add(_ record: Record) {
            records.add(record)
            if record.fault != 0 || record.status >= 400 { refused.add(record) }
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// An ask that was answered just now.
    package func record(_ ask: Envelope, microseconds: Int64, fault: FaultCode?) {
        let id = ask.messageID
        add(
            Record(
                id: id, parent: ask.causation, correlation: ask.correlation ?? id, trace: ask.trace,
                startMicroseconds: wallMicroseconds() - microseconds, microseconds: microseconds),
            name: ask.type, fault: fault)
    }

    /// An HTTP request that was answered just now.
    package func record(
        request name: String, id: MessageID, trace: TraceID, microseconds: Int64, status: Int, fault: FaultCode?
    ) {
        add(
            Record(
                id: id, parent: nil, correlation: id, trace: trace,
                startMicroseconds: wallMicroseconds() - microseconds, microseconds: microseconds,
                status: UInt16(truncatingIfNeeded: status)),
            name: name, fault: fault)
    }

    private func add(_ record: Record, name: String, fault: FaultCode?) {
        var record = record
        state.withLock { state in
            record.name = state.index(of: name)
            if let fault { record.fault = state.index(of: fault.code) }
            state.add(record)
        }
    }

    /// Newest first.
    ///
    /// - Parameters:
    ///   - id: a trace, a correlation id or a message; nil for all.
    ///   - refused: only refusals. Where an id is given, they are among all the others, too, for as long.
    package func read(_ id: MessageID?, refused: Bool, limit: Int) -> [Span] {
        state.withLock { state in
            var found: [Record] = []
            func add(_ ring: Ring, without known: Set<MessageID> = []) {
                for record in ring.newestFirst where found.count < limit {
                    if let id, record.correlation != id, record.id != id, record.trace != id.reinterpreted() {
                        continue
                    }
                    if !known.contains(record.id) { found.append(record) }
                }
            }
            add(refused ? state.refused : state.records)
            if id != nil, !refused { add(state.refused, without: Set(found.map(\.id))) }
            return found.map { record in
                Span(
                    id: record.id, parent: record.parent, correlation: record.correlation, trace: record.trace,
                    name: state.words[Int(record.name)], startMicroseconds: record.startMicroseconds,
                    microseconds: record.microseconds,
                    fault: record.fault == 0 ? nil : state.words[Int(record.fault)],
                    status: record.status == 0 ? nil : Int(record.status))
            }
        }
    }
}

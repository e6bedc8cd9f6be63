import Contracts
import Primitives
import Synchronization

/// What a process has answered lately, in memory: a ring of records of one size each, whose oldest is overwritten.
///
/// On the way of every ask: recording takes no memory, and one lock (`billfold-bench --only spans`). The ring's pages are
/// the system's until they are first written, so a process that has nothing to do pays nothing.
package final class SpanRing: Sendable {
    /// Asks remembered; 96 bytes each.
    package static let spansMax = 8192
    /// Refusals remembered besides, so that a rare one outlives many good answers.
    package static let refusedMax = 64
    /// Names and codes known. Both are words of the program: reached only by a mistake in it.
    private static let wordsMax = 4096

    /// What may stand in the ring. Trivial, so that its memory needs no beginning.
    private struct Record {
        var id: MessageID
        var parent: MessageID
        var correlation: MessageID
        var trace: TraceID
        var startMicroseconds: Int64
        var microseconds: Int64
        /// Places among `words`; 0 for no fault.
        var name: UInt16
        var fault: UInt16
        var status: UInt16
    }

    private struct State {
        let records: UnsafeMutablePointer<Record>
        let refused: UnsafeMutablePointer<Record>
        /// How many there ever were.
        var recorded = 0
        var refusedEver = 0
        var words = [""]
        var places = ["": UInt16(0)]

        mutating func place(of word: String) -> UInt16 {
            if let place = places[word] { return place }
            guard words.count < SpanRing.wordsMax else { return 0 }
            let place = UInt16(words.count)
            words.append(word)
            places[word] = place
            return place
        }

        mutating func add(_ record: Record) {
            records[recorded % SpanRing.spansMax] = record
            recorded += 1
            guard record.fault != 0 || record.status >= 400 else { return }
            refused[refusedEver % SpanRing.refusedMax] = record
            refusedEver += 1
        }
    }

    private let state: Mutex<State>

    package init() {
        state = Mutex(
            State(records: .allocate(capacity: Self.spansMax), refused: .allocate(capacity: Self.refusedMax)))
    }

    deinit {
        state.withLock { state in
            state.records.deallocate()
            state.refused.deallocate()
        }
    }

    /// An ask that was answered just now.
    package func record(_ ask: Envelope, microseconds: Int64, fault: FaultCode?) {
        let id = ask.messageID
        add(
            Record(
                id: id, parent: ask.causation ?? .absent, correlation: ask.correlation ?? id,
                trace: ask.trace ?? .absent,
                startMicroseconds: wallMicroseconds() - microseconds, microseconds: microseconds, name: 0, fault: 0,
                status: 0), name: ask.type, fault: fault)
    }

    /// An HTTP request that was answered just now.
    package func record(
        request name: String, id: MessageID, trace: TraceID, microseconds: Int64, status: Int, fault: FaultCode?
    ) {
        add(
            Record(
                id: id, parent: .absent, correlation: id, trace: trace,
                startMicroseconds: wallMicroseconds() - microseconds, microseconds: microseconds, name: 0, fault: 0,
                status: UInt16(truncatingIfNeeded: status)), name: name, fault: fault)
    }

    private func add(_ record: Record, name: String, fault: FaultCode?) {
        var record = record
        state.withLock { state in
            record.name = state.place(of: name)
            if let fault { record.fault = state.place(of: fault.code) }
            state.add(record)
        }
    }

    /// Newest first.
    ///
    /// - Parameter id: a trace, a correlation id or a message; nil for all.
    package func read(_ id: MessageID?, refused: Bool, limit: Int) -> [Span] {
        state.withLock { state in
            let (records, ever, room) =
                refused
                ? (state.refused, state.refusedEver, Self.refusedMax)
                : (state.records, state.recorded, Self.spansMax)
            var spans: [Span] = []
            for back in 0..<min(ever, room) where spans.count < limit {
                let record = records[(ever - 1 - back) % room]
                if let id, record.correlation != id, record.id != id, record.trace != id.reinterpreted() { continue }
                spans.append(
                    Span(
                        id: record.id, parent: record.parent.present, correlation: record.correlation,
                        trace: record.trace.present, name: state.words[Int(record.name)],
                        startMicroseconds: record.startMicroseconds, microseconds: record.microseconds,
                        fault: record.fault == 0 ? nil : state.words[Int(record.fault)],
                        status: record.status == 0 ? nil : Int(record.status)))
            }
            return spans
        }
    }
}

extension Identifier {
    /// Stands in a record for an identifier that there is not.
    fileprivate static var absent: Self { Self(high: 0, low: 0) }
    fileprivate var present: Self? { high | low == 0 ? nil : self }
}

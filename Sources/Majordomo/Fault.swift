/// Why the broker, not a worker, answers an ask. The raw value is the status byte of our ANSWER.
package enum Fault: UInt8, Sendable, CaseIterable {
    /// No worker came until the queue's bound or the ask's time was reached.
    case noWorker = 1
    /// The service has workers, but its queue is full.
    case queueFull = 2
    /// The deadline passed in the queue: never executed.
    case deadlineExceeded = 3
    /// The worker went away with the ask: executed or not, nobody knows.
    case workerLost = 4
    /// The message is not one of its dialect.
    case malformed = 5
    /// The body has too many bytes or frames.
    case tooLarge = 6
    /// The deadline passed while a worker had the ask.
    case outcomeUnknown = 7

    package var code: StaticString {
        switch self {
        case .noWorker: "bus.no_worker"
        case .queueFull: "bus.queue_full"
        case .deadlineExceeded: "bus.deadline_exceeded"
        case .workerLost: "bus.worker_lost"
        case .malformed: "bus.malformed"
        case .tooLarge: "bus.too_large"
        case .outcomeUnknown: "bus.outcome_unknown"
        }
    }

    var title: StaticString {
        switch self {
        case .noWorker: "The service is not available"
        case .queueFull: "Too many asks are waiting"
        case .deadlineExceeded: "The deadline passed before anything was done"
        case .workerLost: "The service stopped before it answered"
        case .malformed: "The message is malformed"
        case .tooLarge: "The message is too large"
        case .outcomeUnknown: "The deadline passed before the outcome was known"
        }
    }

    /// The HTTP status a gateway may use for it.
    var status: StaticString {
        switch self {
        case .noWorker, .queueFull, .workerLost: "503"
        case .deadlineExceeded, .outcomeUnknown: "504"
        case .malformed: "400"
        case .tooLarge: "413"
        }
    }

    /// `later`: nothing happened, ask again later. `same_key`: ask again with the same key. `never`: do not.
    var retry: StaticString {
        switch self {
        case .noWorker, .queueFull, .deadlineExceeded: "later"
        case .workerLost, .outcomeUnknown: "same_key"
        case .malformed, .tooLarge: "never"
        }
    }

    /// Writes the refusal's one body frame: a CloudEvents envelope around an RFC 9457 problem.
    package func writeBody(id: UInt64, to body: inout [UInt8]) {
        body.removeAll(keepingCapacity: true)
        body.append(#"{"specversion":"1.0","id":""#)
        body.append(hex: id)
        body.append(
            #"","source":"broker","type":"bus.fault.v1","datacontenttype":"application/problem+json","#)
        body.append(#""data":{"type":"urn:billfold:fault:"#)
        body.append(code)
        body.append(#"","title":""#)
        body.append(title)
        body.append(#"","status":"#)
        body.append(status)
        body.append(#","code":""#)
        body.append(code)
        body.append(#"","retry":""#)
        body.append(retry)
        body.append(#""}}"#)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    fileprivate mutating func append(hex value: UInt64) {
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8((value >> UInt64(shift)) & 15)
            append(digit < 10 ? 48 + digit : 87 + digit)
        }
    }
}

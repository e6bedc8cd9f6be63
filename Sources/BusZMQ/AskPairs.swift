import Bus
import NATS
import Primitives

/// Which answer is to which ask, as a tap on NATS sees them: an ask's subject for its answer is another's later.
package struct AskPairs {
    /// Asks whose answer has not passed yet. Beyond it all are forgotten, and their answers not shown.
    private static let waitingMax = 16_384

    private struct Waiting {
        /// Of the ask's envelope; nil for what is none.
        let id: String?
        let copy: AskTap.Copy
    }

    /// By the subject of the answer, in the order in which they came.
    private var waiting: [[UInt8]: [Waiting]] = [:]
    private var count = 0
    private var number: UInt64 = 0

    package init() {}

    package mutating func ask(
        _ subject: UnsafeRawBufferPointer, reply: UnsafeRawBufferPointer, _ body: [UInt8], unixMicroseconds: UInt64
    ) -> AskTap.Copy {
        number += 1
        let envelope = try? Envelope(json: body)
        let copy = AskTap.Copy(
            kind: .ask, number: number, unixMicroseconds: unixMicroseconds, deadline: envelope?.expiryTime,
            service: String(decoding: subject.dropFirst(NATSSubjects.asks.utf8.count), as: UTF8.self), body: body)
        if count >= Self.waitingMax {
            waiting.removeAll()
            count = 0
        }
        waiting[[UInt8](reply), default: []].append(Waiting(id: envelope?.id, copy: copy))
        count += 1
        return copy
    }

    /// - Returns: nil for an answer to nothing that was seen.
    package mutating func answer(_ subject: [UInt8], _ body: [UInt8], unixMicroseconds: UInt64) -> AskTap.Copy? {
        guard var asks = waiting.removeValue(forKey: subject) else { return nil }
        defer { if !asks.isEmpty { waiting[subject] = asks } }
        let cause = (try? Envelope(json: body))?.causationID
        guard let index = asks.firstIndex(where: { cause == nil || $0.id == cause }) else { return nil }
        let ask = asks[index].copy
        // The answers to those before have not passed here.
        asks.removeFirst(index + 1)
        count -= index + 1
        return AskTap.Copy(
            kind: .answer, number: ask.number, unixMicroseconds: unixMicroseconds, deadline: ask.deadline,
            service: ask.service, body: body)
    }
}

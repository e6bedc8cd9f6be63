import Bus
import Glibc
import NATS
import Primitives

extension AskTap {
    /// Asks whose answer has not passed yet. Beyond it all are forgotten, and their answers not shown.
    private static let pairsMax = 16_384

    /// Watches by subscribing to what everyone asks and is answered. As long as somebody does, NATS does not tell an
    /// asker that no service is there (docs/nats.md).
    static func copies(of service: String?, on access: NATSAccess) throws -> AsyncThrowingStream<Copy, any Error> {
        let end = try End()
        return AsyncThrowingStream(bufferingPolicy: .bufferingOldest(bufferMax)) { continuation in
            continuation.onTermination = { _ in end.come() }
            OSThread {
                do { try run(service, on: access, until: end) { continuation.yield($0) } } catch {
                    continuation.finish(throwing: error)
                }
                continuation.finish()
            }.detach()
        }
    }

    private static func run(
        _ service: String?, on access: NATSAccess, until end: End, take: (Copy) -> Void
    ) throws {
        let connection = try NATSConnection(access, name: "billfold tap")
        let asks = try connection.subscribe(to: NATSSubjects.ask(service ?? ">"))
        let answers = try connection.subscribe(to: NATSSubjects.answers + ">")
        let poller = Poller([connection.descriptor, end.wakeup.readEnd])
        var pairs = Pairs()
        let patience = monotonicNanoseconds() + UInt64(patienceMilliseconds) * 1_000_000
        while !end.hasCome {
            connection.look()
            guard connection.openings > 0 || monotonicNanoseconds() < patience else { throw Failure.noBroker }
            if let refusal = connection.takeRefusals().first(where: { $0.kind == .subscription }) {
                throw NATSError("NATS does not let this user see what others ask: \(refusal)")
            }
            connection.flush()
            connection.read()
            // In this order, so that an answer finds its ask.
            let hasAsks = asks.receive { message in
                if let copy = pairs.ask(message) { take(copy) }
                message.free()
            }
            let hasAnswers = answers.receive { message in
                if let copy = pairs.answer(message) { take(copy) }
                message.free()
            }
            if hasAsks || hasAnswers { continue }
            connection.look()
            poller.watch(0, connection.descriptor, events: Int16(connection.hasUnsent ? POLLIN | POLLOUT : POLLIN))
            poller.wait(milliseconds: connection.isOpen ? 1_000 : 10)
        }
        connection.close(lingerMilliseconds: 0)
    }

    /// Which answer is whose.
    private struct Pairs {
        private var asks: [[UInt8]: Copy] = [:]
        private var number: UInt64 = 0

        mutating func ask(_ message: NATSMessage) -> Copy? {
            guard let reply = message.replySubject else { return nil }
            number += 1
            let body = [UInt8](message.body)
            let copy = Copy(
                kind: .ask, number: number, unixMicroseconds: UInt64(wallMicroseconds()),
                deadline: (try? Envelope(json: body))?.expiryTime,
                service: String(decoding: message.subject.dropFirst(NATSSubjects.asks.utf8.count), as: UTF8.self),
                body: body)
            if asks.count >= pairsMax { asks.removeAll() }
            asks[Array(String(cString: reply).utf8)] = copy
            return copy
        }

        mutating func answer(_ message: NATSMessage) -> Copy? {
            guard let ask = asks.removeValue(forKey: Array(message.subject)) else { return nil }
            return Copy(
                kind: .answer, number: ask.number, unixMicroseconds: UInt64(wallMicroseconds()),
                deadline: ask.deadline, service: ask.service, body: [UInt8](message.body))
        }
    }
}

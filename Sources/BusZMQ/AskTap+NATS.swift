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
        let asks = connection.subscribe(to: NATSSubjects.ask(service ?? ">"))
        let answers = connection.subscribe(to: NATSSubjects.answers + ">")
        let poller = Poller([-1, end.wakeup.readEnd])
        var pairs = Pairs()
        let patience = monotonicNanoseconds() + UInt64(patienceMilliseconds) * 1_000_000
        while !end.hasCome {
            let now = monotonicNanoseconds()
            connection.turn(now)
            if let end = connection.end { throw end }
            guard connection.openings > 0 || now < patience else { throw Failure.noBroker }
            if let refusal = connection.takeRefusals().first(where: { $0.kind == .subscription }) {
                throw NATSError("NATS does not let this user see what others ask: \(refusal)")
            }
            // Asks first, so that an answer finds its ask.
            var answered: [(subject: [UInt8], body: [UInt8])] = []
            let hasRead = connection.receive { message in
                if message.subscription == answers {
                    answered.append(([UInt8](message.subject), [UInt8](message.body)))
                } else if message.subscription == asks, let copy = pairs.ask(message) {
                    take(copy)
                }
            }
            for (subject, body) in answered {
                if let copy = pairs.answer(subject, body) { take(copy) }
            }
            if hasRead { continue }
            poller.watch(0, connection.descriptor, events: connection.events)
            let until = connection.openings > 0 ? connection.nextTurn : min(connection.nextTurn, patience)
            poller.wait(milliseconds: until > now ? Int64((until - now + 999_999) / 1_000_000) : 0)
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
            asks[[UInt8](reply)] = copy
            return copy
        }

        mutating func answer(_ subject: [UInt8], _ body: [UInt8]) -> Copy? {
            guard let ask = asks.removeValue(forKey: subject) else { return nil }
            return Copy(
                kind: .answer, number: ask.number, unixMicroseconds: UInt64(wallMicroseconds()),
                deadline: ask.deadline, service: ask.service, body: body)
        }
    }
}

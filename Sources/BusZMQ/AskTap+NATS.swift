import Bus
import Glibc
import NATS
import Primitives

extension AskTap {
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
        var pairs = AskPairs()
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
                } else if message.subscription == asks, let reply = message.replySubject {
                    let now = UInt64(wallMicroseconds())
                    take(pairs.ask(message.subject, reply: reply, [UInt8](message.body), unixMicroseconds: now))
                }
            }
            for (subject, body) in answered {
                let copy = pairs.answer(subject, body, unixMicroseconds: UInt64(wallMicroseconds()))
                if let copy { take(copy) }
            }
            if hasRead { continue }
            poller.watch(0, connection.descriptor, events: connection.events)
            let until = connection.openings > 0 ? connection.nextTurn : min(connection.nextTurn, patience)
            poller.wait(milliseconds: until > now ? Int64((until - now + 999_999) / 1_000_000) : 0)
        }
        connection.close(lingerMilliseconds: 0)
    }
}

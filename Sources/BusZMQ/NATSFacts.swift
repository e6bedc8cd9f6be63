import Bus
import Glibc
import NATS

/// Through NATS: hints, as through the broker. What is missed on the way is in its owner's log.
final class NATSFacts: FactsPort {
    private struct Subscriber {
        let prefix: [UInt8]
        let subscription: NATSSubscription
        let receive: @Sendable ([[UInt8]]) -> Void

        /// Whether a fact's topic begins with the prefix: NATS compares whole tokens only.
        func takes(_ subject: UnsafeBufferPointer<UInt8>) -> Bool {
            prefix.last == 0 || subject.dropFirst(NATSSubjects.facts.utf8.count).starts(with: prefix)
        }
    }

    private let connection: NATSConnection
    private var subscribers: [Subscriber] = []
    private var rights = NATSRights()

    init(_ access: NATSAccess) throws {
        connection = try NATSConnection(access, name: "billfold facts")
    }

    var descriptor: Int32 {
        connection.look()
        return connection.descriptor
    }

    var events: Int16 { Int16(connection.hasUnsent ? POLLIN | POLLOUT : POLLIN) }

    func subscribe(to prefix: String, receive: @escaping @Sendable ([[UInt8]]) -> Void) {
        // Refused by a connection that is closed for good: then nothing comes any more anyway.
        guard let subscription = try? connection.subscribe(to: NATSSubjects.facts(beginningWith: prefix)) else {
            return
        }
        subscribers.append(Subscriber(prefix: Array(prefix.utf8), subscription: subscription, receive: receive))
    }

    func publish(_ fact: PublishedFact) {
        NATSSubjects.fact(fact.type).withCString { subject in
            fact.envelope.withUnsafeBytes { connection.publish(subject, $0) }
        }
    }

    func turn() {
        connection.look()
        rights.settle(connection)
        connection.flush()
    }

    func receive() -> Bool {
        connection.look()
        connection.read()
        var hasReceived = false
        for subscriber in subscribers {
            var facts: [[UInt8]] = []
            let has = subscriber.subscription.receive { message in
                if subscriber.takes(message.subject) { facts.append([UInt8](message.body)) }
                message.free()
            }
            hasReceived = hasReceived || has
            if !facts.isEmpty { subscriber.receive(facts) }
        }
        return hasReceived
    }

    func close(lingerMilliseconds: Int32) { connection.close(lingerMilliseconds: lingerMilliseconds) }
}

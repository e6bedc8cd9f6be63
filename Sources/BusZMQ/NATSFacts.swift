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
        func takes(_ subject: UnsafeRawBufferPointer) -> Bool {
            prefix.last == 0 || subject.dropFirst(NATSSubjects.facts.utf8.count).starts(with: prefix)
        }
    }

    private let connection: NATSConnection
    private var subscribers: [Subscriber] = []
    private var rights = NATSRights()

    init(_ access: NATSAccess) throws {
        connection = try NATSConnection(access, name: "billfold facts")
    }

    var descriptor: Int32 { connection.descriptor }
    var events: Int16 { connection.events }
    var nextTurn: UInt64 { connection.nextTurn }

    func subscribe(to prefix: String, receive: @escaping @Sendable ([[UInt8]]) -> Void) {
        let subscription = connection.subscribe(to: NATSSubjects.facts(beginningWith: prefix))
        subscribers.append(Subscriber(prefix: Array(prefix.utf8), subscription: subscription, receive: receive))
    }

    func publish(_ fact: PublishedFact) {
        fact.envelope.withUnsafeBytes { connection.publish(to: NATSSubjects.fact(fact.type), $0) }
    }

    func turn(_ now: UInt64) {
        connection.turn(now)
        rights.settle(connection)
    }

    func receive() -> Bool {
        var facts = [[[UInt8]]](repeating: [], count: subscribers.count)
        let hasReceived = connection.receive { message in
            for (index, subscriber) in subscribers.enumerated()
            where subscriber.subscription == message.subscription && subscriber.takes(message.subject) {
                facts[index].append([UInt8](message.body))
            }
        }
        for (subscriber, facts) in zip(subscribers, facts) where !facts.isEmpty { subscriber.receive(facts) }
        return hasReceived
    }

    func close(lingerMilliseconds: Int32) { connection.close(lingerMilliseconds: lingerMilliseconds) }
}

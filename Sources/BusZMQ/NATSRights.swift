import Glibc
import NATS

/// What a port does about the end of its connection, and about what an account's rights do not allow.
struct NATSRights {
    /// Refused messages that were told of. Those of more subjects are not.
    private static let saidMax = 64

    private var said: Set<String> = []

    /// Ends the process, where it is one that ends, and says why, when it can never ask or answer anything again, or
    /// when the rights keep it from hearing what it is there for.
    mutating func settle(_ connection: NATSConnection) {
        if let end = connection.end { Self.end("\(end)", connection.refused) }
        for refusal in connection.takeRefusals() {
            switch refusal.kind {
            case .subscription:
                Self.end("NATS lets this process's user not subscribe: \(refusal)", connection.refused)
            case .message:
                if said.count < Self.saidMax, said.insert(refusal.description).inserted {
                    Self.say("NATS lets this process's user not publish: \(refusal)")
                }
            // Its asker has given up by now, or finds out when it asks again.
            case .answer: break
            }
        }
    }

    private static func end(_ text: String, _ refused: NATSAccess.Refused) {
        guard case .ends(let status) = refused else { return }
        say(text)
        _exit(status)
    }

    static func say(_ text: String) { _ = "\(text)\n".withCString { write(STDERR_FILENO, $0, strlen($0)) } }
}

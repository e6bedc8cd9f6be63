import Bus
import Contracts
import GatewayService

/// Auth's facts as hints: which sessions have ended or changed, and whether the gateway missed some of them.
enum SessionHints {
    static func listen(_ bus: Bus, for edge: Edge) {
        let clock = bus.clock
        // As if the log were empty: from now on silence is noticed.
        edge.sessions.receive(.head(0), at: clock.now())
        bus.transport.subscribe(to: Auth.service + ".") { frames in
            for frame in frames {
                // A fact that cannot be read, here or below, counts as missed: the next one shows the gap.
                guard let fact = try? Envelope(json: frame), fact.source == Auth.service else { continue }
                switch fact.type {
                case FactsHead<Auth>.type.name:
                    guard let head = try? FactsHead<Auth>(json: fact.data).head else { continue }
                    edge.sessions.receive(.head(head), at: clock.now())
                    continue
                case Auth.SessionClosed.type.name:
                    guard let closed = try? Auth.SessionClosed(json: fact.data) else { continue }
                    edge.sessionEnded(closed.session, of: closed.account)
                case Auth.SessionChanged.type.name:
                    guard let changed = try? Auth.SessionChanged(json: fact.data) else { continue }
                    edge.sessionChanged(changed.session)
                default: break
                }
                if let number = fact.sequence { edge.sessions.receive(.fact(number), at: clock.now()) }
            }
        }
    }
}

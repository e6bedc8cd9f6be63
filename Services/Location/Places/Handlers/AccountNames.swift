import Bus
import Contracts
import Primitives
import Synchronization

/// Usernames of accounts, as far as location has met them: asked of auth once and remembered.
///
/// They only adorn an answer, so that auth is not waited for long: who is near is known without it.
final class AccountNames: Sendable {
    /// Names remembered. When full, all are forgotten and asked for again: simpler than a queue, and rare.
    static let countMax = 200_000
    /// How long one answer may wait for all its names.
    static let patience = Duration.milliseconds(300)

    private let bus: any Asking
    private let clock: WallClock
    private let names = Mutex<[PartyID: String]>([:])

    init(asking bus: any Asking, clock: WallClock) {
        self.bus = bus
        self.clock = clock
    }

    /// The names of those accounts whose names can be found out.
    func of(_ accounts: some Sequence<PartyID>, in context: AskContext) async -> [PartyID: String] {
        let own = context.onOwnBehalf.by(clock.now() + Self.patience)
        var found: [PartyID: String] = [:]
        for account in accounts where found[account] == nil {
            if let known = names.withLock({ $0[account] }) {
                found[account] = known
                continue
            }
            do throws(Fault) {
                let username = try await bus.ask(Auth.ReadAccount(account: account), in: own).username
                found[account] = username
                names.withLock { names in
                    if names.count >= Self.countMax { names.removeAll() }
                    names[account] = username
                }
            } catch {
                // Nobody of that name, or auth is not there: in that case the others need not wait for it too.
                if error.code != .partyNotFound { break }
            }
        }
        return found
    }
}

import Bus
import Contracts
import Primitives
import Sodium

/// What the handlers of auth share: the store, the keys, the rules and the clock.
package struct AccountService: Sendable {
    package let store: AccountStore
    package let hasher: any SecretHashing
    package let clock: WallClock
    package let rules: AccountRules
    private let keys: AuthKeys

    package init(
        store: AccountStore, hasher: any SecretHashing, keys: AuthKeys, clock: WallClock = .system,
        rules: AccountRules = AccountRules()
    ) {
        self.store = store
        self.hasher = hasher
        self.clock = clock
        self.rules = rules
        self.keys = keys
    }

    /// The name under which tries at the password are counted.
    func loginName(_ username: String) -> LoginName { LoginName(username, key: keys.loginNames) }
    /// The name under which letters with codes are counted.
    func resetName(_ username: String) -> LoginName { LoginName(username, key: keys.resetNames) }
    /// Under which letters with the usernames of an address are counted, in capitals or not.
    func addressName(_ email: String) -> LoginName { LoginName(email.lowercased(), key: keys.addressNames) }
    /// The name under which tries at a mailed code are counted.
    func codeName(_ username: String) -> LoginName { LoginName(username, key: keys.codeNames) }
    /// - Parameter kind: each kind has its own key, so that no code is valid for another kind.
    func code(of id: ResetID, _ kind: MailedCode) -> ResetCode {
        switch kind {
        case .newPassword: ResetCode(of: id, key: keys.resetCodes)
        case .oldAddress: ResetCode(of: id, key: keys.restoreCodes)
        }
    }

    /// The letter about a change of an account.
    func letter(to username: String, at now: Timestamp) -> LetterOrder {
        LetterOrder(
            id: Randomness.shared.identifier(at: now), name: LoginName(username, key: keys.changeNames),
            policy: rules.changePolicy, expires: now + rules.restoreTime)
    }
}

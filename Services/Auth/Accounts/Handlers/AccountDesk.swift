import Contracts
import Primitives
import Sodium

/// What the handlers of auth work with.
package struct AccountDesk: Sendable {
    package let store: any AccountStore
    package let hasher: any SecretHashing
    package let clock: WallClock
    package let rules: AccountRules
    private let loginNamesKey: [UInt8]

    package init(
        store: any AccountStore, hasher: any SecretHashing, keys: AuthKeys, clock: WallClock = .system,
        rules: AccountRules = AccountRules()
    ) {
        self.store = store
        self.hasher = hasher
        self.clock = clock
        self.rules = rules
        loginNamesKey = keys.loginNames
    }

    func loginName(_ username: String) -> LoginName { LoginName(username, key: loginNamesKey) }
}

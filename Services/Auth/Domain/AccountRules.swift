import Primitives

/// Every limit of auth that a deployment may set.
package struct AccountRules: Sendable {
    /// From log-in to the end of a session: a working day.
    package var sessionLifetime: Duration = .seconds(12 * 3600)
    /// Sessions of one account at once; a further log-in ends the oldest.
    package var sessionsPerAccountMax = 20
    /// How long an entered PIN counts.
    package var pinWindow: Duration = .seconds(15 * 60)
    package var pinPolicy = AttemptPolicy.pin
    package var loginPolicy = AttemptPolicy.login
    /// After so long without a try the wrong passwords at a name are forgotten. Gives ten tries a day, fewer than the
    /// longest delay does.
    package var loginMemory: Duration = .seconds(24 * 3600)
    /// Names with counted tries that are kept. To push one out, somebody has to have as many others hashed, which takes
    /// an hour and gains ten guesses.
    package var loginNamesMax = 100_000
    /// Whether a merchant may charge before an administrator has said so (A36).
    package var approvesMerchants = false
    /// How long a mailed code can be used.
    package var resetTime: Duration = .seconds(15 * 60)
    /// Letters with codes for one username: five, then one a minute, in the end one an hour. Nobody's mailbox is to be
    /// filled.
    package var resetRequestPolicy = AttemptPolicy(delayFrom: 5, firstDelaySeconds: 60, delayMaxSeconds: 3600)
    /// Wrong codes for one username, counted apart from wrong passwords.
    package var resetTryPolicy = AttemptPolicy.login
    /// How long transfers to others are held after an account was recovered or its e-mail address changed: time for its
    /// owner to read the letter.
    package var transferHold: Duration = .seconds(24 * 3600)
    /// How long an account may set its first PIN by the password alone. Later its owner is told, and transfers are
    /// held.
    package var firstPINTime: Duration = .seconds(24 * 3600)
    /// How long the code that puts an address back can be used.
    package var restoreTime: Duration = .seconds(7 * 24 * 3600)
    /// Changes of an account that are mailed: addresses are the users' to name, and nobody's mailbox is to be filled.
    /// Further changes of the address are refused, others are done without a letter.
    package var changePolicy = AttemptPolicy(delayFrom: 5, firstDelaySeconds: 60, delayMaxSeconds: 3600)

    package init() {}
}

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
    /// After so long without a try, a name's wrong passwords are forgotten. This allows ten tries a day, fewer than the
    /// longest delay does.
    package var loginMemory: Duration = .seconds(24 * 3600)
    /// Names with counted tries that are kept. Those with the fewest go first, so that pushing one out takes as many
    /// tries at each of the others.
    package var loginNamesMax = 100_000
    /// Whether a merchant may charge before an administrator has approved it.
    package var approvesMerchants = false
    /// How long a mailed code is valid.
    package var resetTime: Duration = .seconds(15 * 60)
    /// Letters with codes for one username: five, then one a minute, in the end one an hour, so that nobody can fill a
    /// mailbox.
    package var resetRequestPolicy = AttemptPolicy(delayFrom: 5, firstDelaySeconds: 60, delayMaxSeconds: 3600)
    /// Wrong codes for one username, counted apart from wrong passwords.
    package var resetTryPolicy = AttemptPolicy.login
    /// How long transfers to other people are held after an account was recovered or its e-mail address changed, so
    /// that its owner can read the letter.
    package var transferHold: Duration = .seconds(24 * 3600)
    /// How long a new account may set its first PIN by the password alone. Later the owner gets a letter, and transfers
    /// are held.
    package var firstPINTime: Duration = .seconds(24 * 3600)
    /// How long the code that restores an address is valid.
    package var restoreTime: Duration = .seconds(7 * 24 * 3600)
    /// Letters about changes of one account: users choose the addresses, and nobody may fill a mailbox. Further changes
    /// of the address are refused; other changes are made without a letter.
    package var changePolicy = AttemptPolicy(delayFrom: 5, firstDelaySeconds: 60, delayMaxSeconds: 3600)

    package init() {}
}

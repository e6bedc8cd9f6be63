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

    package init() {}
}

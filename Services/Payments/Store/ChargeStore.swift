import Bus
import Contracts
import Primitives

/// What payments keeps: requested charges, durable before they are acknowledged, and what the wallet decided of each
/// charge, read from the wallet's facts.
///
/// Every method is one transaction, durable when it returns.
package protocol ChargeStore: FactLog {
    /// Records a requested charge and its fact, where not too many of its merchant's wait for its customer. The same id
    /// gives the first charge again.
    func request(_ charge: Charge, waitingMax: Int, causedBy context: AskContext) async throws(Fault) -> Requesting

    func charge(_ id: ChargeID) async throws(Fault) -> Charge?

    /// The numbers of charges, counted from 1 in the order in which they were recorded (A32).
    func numbers(of charges: [ChargeID]) async throws(Fault) -> [ChargeID: Int64]

    func charge(number: Int64) async throws(Fault) -> Charge?

    /// A party's charges, newest first: by when each was decided, or requested while it waits.
    /// - Parameter since: only those that were then or later.
    /// - Parameter before: only those behind the page that gave this; 0 and nil begin at the newest.
    /// - Returns: the charges, and what the next page is asked for with, nil at the end.
    func charges(
        of party: PartyID, state: Payments.ChargeState?, since: Timestamp?, before: Int64?, limit: Int
    ) async throws(Fault) -> (charges: [Charge], next: Int64?)

    /// Requested charges whose time is up, oldest first.
    func overdue(at now: Timestamp, limit: Int) async throws(Fault) -> [ChargeID]

    /// Records whether a customer may pay. Durable when this returns.
    func enable(_ customer: PartyID, _ enabled: Bool) async throws(Fault)

    /// What has been recorded of that.
    var disabled: DisabledCustomers { get }

    /// Makes the wallet's facts part of the charges and moves the cursor behind them, in one transaction.
    func apply(_ facts: [Envelope]) async throws(Fault)

    /// The last of the wallet's facts that has been applied.
    func walletPosition() async throws(Fault) -> FactPosition
}

/// What became of a request.
package enum Requesting: Equatable, Sendable {
    case recorded
    /// There is a charge of this id.
    case existed(Charge)
    /// So many of the merchant's wait for the customer; the first of them ends then at the latest.
    case tooManyWait(until: Timestamp)
}

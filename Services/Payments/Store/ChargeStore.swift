import Bus
import Contracts
import Primitives

/// The data of payments: requested charges, which are durable before the answer, and the wallet's decisions, from its
/// facts.
///
/// Every method is one transaction, durable when it returns.
package protocol ChargeStore: FactLog {
    /// Stores a requested charge and its fact, unless too many of the merchant's requests wait for the customer. The
    /// same id returns the first charge.
    func request(_ charge: Charge, waitingMax: Int, causedBy context: AskContext) async throws(Fault) -> Requesting

    func charge(_ id: ChargeID) async throws(Fault) -> Charge?

    /// The numbers of charges, counted from 1 in the order in which they were recorded.
    func numbers(of charges: [ChargeID]) async throws(Fault) -> [ChargeID: Int64]

    func charge(number: Int64) async throws(Fault) -> Charge?

    /// A party's charges, newest first, by the time of the decision, or of the request while it waits.
    /// - Parameter since: only charges of this time or later.
    /// - Parameter before: the cursor of an earlier page; 0 and nil begin at the newest.
    /// - Returns: the charges, and the cursor of the next page; nil at the end.
    func charges(
        of party: PartyID, state: Payments.ChargeState?, since: Timestamp?, before: Int64?, limit: Int
    ) async throws(Fault) -> (charges: [Charge], next: Int64?)

    /// Requested charges that have expired, oldest first.
    func overdue(at now: Timestamp, limit: Int) async throws(Fault) -> [ChargeID]

    /// Stores whether a customer may pay. Durable when this returns.
    func enable(_ customer: PartyID, _ enabled: Bool) async throws(Fault)

    /// Whether a customer may pay.
    var disabled: DisabledCustomers { get }

    /// Applies the wallet's facts to the charges and moves the cursor, in one transaction.
    func apply(_ facts: [Envelope]) async throws(Fault)

    /// The last fact of the wallet that was applied.
    func walletPosition() async throws(Fault) -> FactPosition
}

/// The outcome of a request.
package enum Requesting: Equatable, Sendable {
    case recorded
    /// A charge with this id exists.
    case existed(Charge)
    /// Too many of the merchant's requests wait for the customer; the first of them ends by this time.
    case tooManyWait(until: Timestamp)
}

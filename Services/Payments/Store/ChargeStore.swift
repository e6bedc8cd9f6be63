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
    /// - Parameter ofKnown: only if the customer has paid the merchant before, or has allowed its requests.
    func request(
        _ charge: Charge, waitingMax: Int, ofKnown: Bool, causedBy context: AskContext
    ) async throws(Fault) -> Requesting

    /// Whether the customer has paid the merchant before, or has allowed its requests.
    func knows(_ customer: PartyID, _ merchant: PartyID) async throws(Fault) -> Bool

    /// Stores whether a merchant may request money wherever the customer is; nil is every merchant.
    /// - Returns: false if the customer has allowed `max` merchants by name; nothing has changed then.
    func permit(
        _ customer: PartyID, _ merchant: PartyID?, _ allowed: Bool, max: Int
    ) async throws(Fault) -> Bool

    /// Whether every merchant may, and which may by name, in the order of their ids.
    func permissions(of customer: PartyID) async throws(Fault) -> (everyone: Bool, merchants: [PartyID])

    /// Stores a code under the digest of what is typed for it.
    ///
    /// - Returns: false if the digest is taken.
    func keep(_ code: PayCode, typedAs digest: [UInt8]) async throws(Fault) -> Bool

    /// The code that is typed so.
    func code(typedAs digest: [UInt8]) async throws(Fault) -> PayCode?

    /// Stores which code an attempt redeems and for what, unless the code is known to be spent.
    ///
    /// - Parameter content: a digest of 16 bytes.
    func redeem(
        _ code: ChargeID, by attempt: OperationID, content: [UInt8], at time: Timestamp
    ) async throws(Fault) -> Redemption

    /// Compares an attempt with what is known of it.
    func redemption(by attempt: OperationID, of code: ChargeID, content: [UInt8]) async throws(Fault) -> Redemption

    func charge(_ id: ChargeID) async throws(Fault) -> Charge?

    /// The number of a charge, counted from 1 in the order in which they were recorded.
    func number(of charge: ChargeID) async throws(Fault) -> Int64?

    func charge(number: Int64) async throws(Fault) -> Charge?

    /// A party's charges, newest first, by the time of the decision, or of the request while it waits.
    /// - Parameter since: only charges of this time or later.
    /// - Parameter before: the cursor of an earlier page; 0 and nil begin at the newest.
    /// - Parameter isLate: whether a search for the page's begin is to end with `bus.deadline_exceeded`.
    /// - Returns: the charges with their numbers, and the cursor of the next page; nil at the end.
    func charges(
        of party: PartyID, state: Payments.ChargeState?, since: Timestamp?, before: Int64?, limit: Int,
        isLate: @Sendable () -> Bool
    ) async throws(Fault) -> ChargePage

    /// Requested charges that have expired, oldest first.
    func overdue(at now: Timestamp, limit: Int) async throws(Fault) -> [ChargeID]

    /// Stores whether a customer may pay. Durable when this returns.
    func enable(_ customer: PartyID, _ enabled: Bool) async throws(Fault)

    /// Whether a customer may pay.
    var disabled: DisabledCustomers { get }

    /// Applies the wallet's facts to the charges and moves the cursor, in one transaction. Forgets the codes and
    /// attempts that are old by their times.
    func apply(_ facts: [Envelope]) async throws(Fault)

    /// The last fact of the wallet that was applied.
    func walletPosition() async throws(Fault) -> FactPosition
}

/// A part of a list of charges.
package struct ChargePage: Sendable {
    package var charges: [Charge] = []
    /// See `ChargeStore.number`; of each of the charges.
    package var numbers: [Int64] = []
    package var next: Int64?
}

/// The outcome of a request.
package enum Requesting: Equatable, Sendable {
    /// Under this number, see `ChargeStore.number`.
    case recorded(number: Int64)
    /// A charge with this id exists.
    case existed(Charge, number: Int64)
    /// The customer has neither paid the merchant nor allowed its requests.
    case stranger
    /// Too many of the merchant's requests wait for the customer; the first of them ends by this time.
    case tooManyWait(until: Timestamp)
}

/// An attempt to redeem a code, beside those that were made before.
package enum Redemption: Equatable, Sendable {
    /// It was not made before, or long ago.
    case first
    /// It was made before, with the same code and content.
    case again
    /// It was made before, with another code; nothing has changed.
    case ofAnotherCode
    /// It was made before, with the same code for another merchant, amount or memo; nothing has changed.
    case ofOtherContent
}

import Bus
import Contracts
import Primitives

/// What notifications keeps: inboxes, endpoints, settings, deliveries, and how far it has heard others. Each function is
/// one transaction, durable when it returns.
///
/// Decisions come back as values; the only fault that a store throws of itself is `bus.unavailable` (the disk).
package protocol NoticeStore: FactLog {
    // MARK: What is heard

    /// How far a source's facts have been dealt with.
    func position(of source: String) async throws(Fault) -> FactPosition
    /// Writes the notices and the deliveries that follow from what was heard, and moves the cursor. What is at or before
    /// the cursor has left its mark already. Facts: a `NoticeAdded` each.
    ///
    /// - Parameter letters: those that the source has; one that is known already is no second letter.
    /// - Returns: what is to be carried.
    func write(
        _ heard: [Heard], names: [PartyID: String], letters: [SendOrder], from source: String,
        through last: FactPosition, at now: Timestamp
    ) async throws(Fault) -> [Queued]

    // MARK: Inbox

    func inbox(_ ask: Notifications.ReadInbox) async throws(Fault) -> Notifications.ReadInbox.Reply
    func notice(_ id: NoticeID, of account: PartyID) async throws(Fault) -> Notifications.NoticeView?
    /// - Returns: the notice as read; nil when there is none.
    func markRead(
        _ id: NoticeID, of account: PartyID, at now: Timestamp
    ) async throws(Fault) -> Notifications.NoticeView?

    // MARK: Endpoints and settings

    func add(_ endpoint: Endpoint) async throws(Fault) -> EndpointAdding
    func endpoints(of account: PartyID) async throws(Fault) -> [Endpoint]
    /// Whether the account had it; what waited for it is forgotten.
    func remove(_ endpoint: EndpointID, of account: PartyID, at now: Timestamp) async throws(Fault) -> Bool
    /// Merchants with a web hook.
    func hookOwners() async throws(Fault) -> Set<PartyID>
    func settings(of account: PartyID) async throws(Fault) -> Settings
    func set(_ settings: Settings, of account: PartyID) async throws(Fault)

    // MARK: Deliveries

    /// Records a message to one registration, and in the inbox of whoever has it. Keyed on `draft.id`.
    func send(_ order: SendOrder, at now: Timestamp) async throws(Fault) -> SendOutcome
    /// All that waits: for the start.
    func queued() async throws(Fault) -> [Queued]
    /// Nil for what is not queued any more, or whose endpoint is gone.
    func parcel(_ id: DeliveryID) async throws(Fault) -> Parcel?
    /// Records what an attempt came to. Facts: `NoticeDelivered`, `NoticeFailed`.
    func settle(
        _ id: DeliveryID, _ settlement: DeliveryRules.Settlement, at now: Timestamp
    ) async throws(Fault)
    /// Puts a delivery off that was not tried.
    func postpone(_ id: DeliveryID, until due: Timestamp) async throws(Fault)
    func delivery(_ id: DeliveryID) async throws(Fault) -> StoredDelivery?
    /// Newest first.
    func deadLetters(before: Int64?, limit: Int) async throws(Fault) -> [Notifications.DeliveryView]
    func replay(_ id: DeliveryID, at now: Timestamp) async throws(Fault) -> Replaying
    func discard(_ id: DeliveryID) async throws(Fault) -> Bool
    /// Forgets what letters said whose time is up, in the file and in its write-ahead log: it may be a code.
    func forgetLetters(at now: Timestamp) async throws(Fault)
    /// Forgets what is kept no longer, some of it at a time.
    /// - Returns: whether there is more of it.
    func sweep(at now: Timestamp) async throws(Fault) -> Bool
}

package enum EndpointAdding: Sendable, Equatable {
    case added
    /// The same was added under this id before.
    case existed(Endpoint)
    /// Something else was.
    case reused
    case tooMany
}

package enum SendOutcome: Sendable, Equatable {
    case recorded(Queued?)
    case existed
    case reused
}

package struct StoredDelivery: Sendable, Equatable {
    package let view: Notifications.DeliveryView
    package let title: String
    package let text: String
    package let link: String?
    package let simulated: String?
}

package enum Replaying: Sendable, Equatable {
    case queued(Queued, Notifications.DeliveryView)
    /// Was queued already.
    case waits(Notifications.DeliveryView)
    case unknown
    case notReplayable
}

import Contracts
import Primitives
import Storage

/// Settings and endpoints of accounts, as the file has them: each notice needs those of its account.
///
/// A change of an account's settings or endpoints calls `forget`.
///
/// `@unchecked`: used inside the store's transactions only, which let one thread in at a time.
final class Recipients: @unchecked Sendable {
    /// Accounts remembered, some 200 bytes each.
    private static let accountsMax = 65_536

    private var known = Remembered<PartyID, Recipient>(atMost: accountsMax)

    func recipient(_ account: PartyID, in transaction: Transaction) throws -> Recipient {
        if let recipient = known[account] { return recipient }
        let recipient = Recipient(
            settings: try NoticeStore.settings(of: account, in: transaction),
            endpoints: try NoticeStore.endpoints(of: account, in: transaction).map {
                RecipientEndpoint(id: $0.id, channel: $0.channel, created: $0.created)
            })
        known[account] = recipient
        return recipient
    }

    func forget(_ account: PartyID) { known[account] = nil }

    /// Call it after a rollback: what was read may have been part of it.
    func undone() { known.forgetAll() }
}

/// An account's settings, and where its notices go.
struct Recipient: Sendable {
    let settings: Settings
    /// In the order of their registration.
    let endpoints: [RecipientEndpoint]

    var pushes: some Sequence<RecipientEndpoint> { endpoints.lazy.filter(\.channel.isPush) }
    var hooks: some Sequence<RecipientEndpoint> { endpoints.lazy.filter { $0.channel == .hook } }
}

/// An endpoint without its address and keys, which whoever sends reads from the file.
struct RecipientEndpoint: Sendable {
    let id: EndpointID
    let channel: Medium
    let created: Timestamp
}

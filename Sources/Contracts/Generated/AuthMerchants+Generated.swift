// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Auth.DecideMerchant {
    package init(
        merchant: PartyID,
        approved: Bool,
        reason: String? = nil,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.approved = approved
        self.reason = reason
    }

    package static var summary: String { "Approves or rejects a merchant. The same again is harmless; the last one counts. For administrators and services." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("approved", \.approved),
            Field("reason", \.reason, "The reason that the merchant is told; at most 250 bytes."),
        ]
    }
}

extension Auth.MerchantView: Shape {
    package init(
        merchant: PartyID,
        username: String,
        name: String,
        status: Auth.MerchantStatus,
        profile: Auth.Profile,
        registered: Timestamp,
        decided: Timestamp? = nil,
        reason: String? = nil,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.username = username
        self.name = name
        self.status = status
        self.profile = profile
        self.registered = registered
        self.decided = decided
        self.reason = reason
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("username", \.username),
            Field("name", \.name),
            Field("status", \.status),
            Field("profile", \.profile),
            Field("registered", \.registered),
            Field("decided", \.decided, "When it was approved or rejected, and why; absent while nobody has said so."),
            Field("reason", \.reason),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.profile),
    ]
}

extension Auth.ReadMerchants {
    package init(
        status: Auth.MerchantStatus? = nil,
        after: PartyID? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.status = status
        self.after = after
        self.limit = limit
    }

    package static var summary: String { "Merchants in the order of their ids, in pages. For administrators and services." }
    package static var fields: [Field<Self>] {
        [
            Field("status", \.status, "Only these; all where none is given."),
            Field("after", \.after),
            Field("limit", \.limit, "1 to 100. Fewer come where more would not fit into an envelope."),
        ]
    }
}

extension Auth.ReadMerchants.Reply: Shape {
    package init(
        merchants: [Auth.MerchantView],
        next: PartyID? = nil,
        _: Void = ()
    ) {
        self.merchants = merchants
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchants", \.merchants),
            Field("next", \.next, "The `after` of the next page; absent on the last."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .each(\.merchants),
    ]
}

import Primitives
import Wire

/// Where an account's notices go besides its inbox, and which of them.
extension Notifications {
    /// A push registration or a web hook as its owner sees it.
    package struct EndpointView: WireMessage, Equatable {
        package let endpoint: EndpointID
        /// 1 Android, 2 iOS, 3 website (A51), 4 a merchant's web hook.
        package let type: Int64
        /// The registration id, or the URL.
        package let address: String
        package let created: Timestamp

        package init(endpoint: EndpointID, type: Int64, address: String, created: Timestamp) {
            self.endpoint = endpoint
            self.type = type
            self.address = address
            self.created = created
        }
    }

    /// Registers where an account is to be told. Keyed on `endpoint`. A push registration that another account had is
    /// this one's from now on: whoever holds the phone now is not told of the other's money.
    package struct AddEndpoint: Ask, Equatable {
        package static let type: MessageType = "notifications.endpoint.add.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [.endpointInvalid, .tooManyEndpoints, .noticeIDReused]

        package struct Reply: WireMessage, Equatable {
            package let endpoint: EndpointView
            /// Of a web hook: what its messages are signed with (Standard Webhooks, `whsec_…`). Told here only.
            package let secret: String?
            package let replayed: Bool

            package init(endpoint: EndpointView, secret: String?, replayed: Bool) {
                self.endpoint = endpoint
                self.secret = secret
                self.replayed = replayed
            }
        }

        package let endpoint: EndpointID
        package let account: PartyID
        /// 1 Android, 2 iOS, 3 website, 4 web hook, for merchants only.
        package let type: Int64
        /// The registration id, or an https URL; at most 1,000 bytes.
        package let address: String
        /// A website's: the keys of its subscription (RFC 8291), base64url.
        package let p256dh: String?
        package let auth: String?

        package init(
            endpoint: EndpointID, account: PartyID, type: Int64, address: String, p256dh: String? = nil,
            auth: String? = nil
        ) {
            self.endpoint = endpoint
            self.account = account
            self.type = type
            self.address = address
            self.p256dh = p256dh
            self.auth = auth
        }
    }

    /// An account's endpoints, in the order in which they were added.
    package struct ReadEndpoints: Ask, Equatable {
        package static let type: MessageType = "notifications.endpoints.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            package let endpoints: [EndpointView]
            package init(endpoints: [EndpointView]) { self.endpoints = endpoints }
        }

        package let account: PartyID
        package init(account: PartyID) { self.account = account }
    }

    /// Removes an endpoint and what waits for it. Removing one that is not there is no error.
    package struct RemoveEndpoint: Ask, Equatable {
        package static let type: MessageType = "notifications.endpoint.remove.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            /// Whether there was one.
            package let removed: Bool
            package init(removed: Bool) { self.removed = removed }
        }

        package let account: PartyID
        package let endpoint: EndpointID

        package init(account: PartyID, endpoint: EndpointID) {
            self.account = account
            self.endpoint = endpoint
        }
    }

    /// The key that browsers subscribe with (RFC 8292, `applicationServerKey`).
    package struct ReadPushKey: Ask, Equatable {
        package static let type: MessageType = "notifications.pushkey.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            /// 65 bytes, base64url.
            package let publicKey: String
            package init(publicKey: String) { self.publicKey = publicKey }
        }

        package init() {}
    }

    // MARK: Preferences

    /// A time of each day without pushes: they come when it ends. It may go over midnight.
    package struct QuietHours: Codable, Sendable, Equatable {
        /// Minutes after midnight, 0 to 1,439.
        package let from: Int64
        /// Minutes after midnight, 0 to 1,439, another than `from`.
        package let until: Int64
        /// Minutes that local time is ahead of UTC, −840 to 840.
        package let offset: Int64

        package init(from: Int64, until: Int64, offset: Int64) {
            self.from = from
            self.until = until
            self.offset = offset
        }
    }

    /// What an account is pushed (A69, A85). The inbox has everything, whatever they say; web hooks are not pushes.
    package struct SettingsView: WireMessage, Equatable {
        package let account: PartyID
        /// False stops all pushes (A69).
        package let enabled: Bool
        /// Kinds that are not pushed.
        package let muted: [Kind]
        package let quiet: QuietHours?

        package init(account: PartyID, enabled: Bool, muted: [Kind], quiet: QuietHours?) {
            self.account = account
            self.enabled = enabled
            self.muted = muted
            self.quiet = quiet
        }
    }

    package struct ReadSettings: Ask, Equatable {
        package static let type: MessageType = "notifications.settings.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []
        package typealias Reply = SettingsView

        package let account: PartyID
        package init(account: PartyID) { self.account = account }
    }

    package struct SetSettings: Ask, Equatable {
        package static let type: MessageType = "notifications.settings.set.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.quietHoursInvalid]
        package typealias Reply = SettingsView

        package let account: PartyID
        package let enabled: Bool
        package let muted: [Kind]
        package let quiet: QuietHours?

        package init(account: PartyID, enabled: Bool, muted: [Kind], quiet: QuietHours?) {
            self.account = account
            self.enabled = enabled
            self.muted = muted
            self.quiet = quiet
        }
    }
}

import Primitives
import Wire

/// Where an account's notices go besides its inbox, and which of them.
extension Notifications {
    /// A push registration or a web hook as its owner sees it.
    package struct EndpointView: WireMessage, Equatable {
        package let endpoint: EndpointID
        /// 1 Android, 2 iOS, 3 website, 4 a merchant's web hook.
        package let type: Int64
        /// The registration id, or the URL.
        package let address: String
        package let created: Timestamp
    }

    /// Registers where an account is to be told. Keyed on `endpoint`. A push registration that another account had is
    /// this one's from now on: whoever holds the phone now is not told of the other's money.
    package struct AddEndpoint: Ask, Equatable {
        package static let type: MessageType = "notifications.endpoint.add.v1"
        package static let effect: Effect<Self> = .keyed(by: \.endpoint)
        package static let access: Access<Self> = .only(\.account, .customer, .merchant)
            .refusing(.customer) { $0.type == 4 }
        package static let limits: [Limit<Self>] = [
            .number(\.type, 1...4, or: .endpointInvalid, example: 1),
            .text(\.address, 1...1000, or: .endpointInvalid, example: "bk3RNwTe3H0:CI2k_HHwg")
        ]
        package static let faults: [FaultCode] = [.endpointInvalid, .tooManyEndpoints, .noticeIDReused]
        package static var examples: Examples<Self> {
            Examples(
                Notifications.AddEndpoint(
                    endpoint: Samples.endpoint, account: Samples.customer, type: 3,
                    address: "https://push.example.com/abc",
                    p256dh:
                        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                    auth: "BTBZMqHH6r4Tts7J_aSIgg"),
                bare: Notifications.AddEndpoint(
                    endpoint: Samples.endpoint, account: Samples.customer, type: 1, address: "token"),
                reply: Notifications.AddEndpoint.Reply(
                    endpoint: Samples.endpointView, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", replayed: true),
                bareReply: Notifications.AddEndpoint.Reply(endpoint: Samples.endpointView, secret: nil, replayed: false)
            )
        }

        package struct Reply: WireMessage, Equatable {
            package let endpoint: EndpointView
            /// Of a web hook: what its messages are signed with (Standard Webhooks, `whsec_…`). Told here only.
            package let secret: String?
            package let replayed: Bool
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
    }

    /// An account's endpoints, in the order in which they were added.
    package struct ReadEndpoints: Ask, Equatable {
        package static let type: MessageType = "notifications.endpoints.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.account, .customer, .merchant)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Notifications.ReadEndpoints(account: Samples.customer),
                reply: Notifications.ReadEndpoints.Reply(endpoints: [Samples.endpointView]),
                bareReply: Notifications.ReadEndpoints.Reply(endpoints: []))
        }

        package struct Reply: WireMessage, Equatable {
            package let endpoints: [EndpointView]
        }

        package let account: PartyID
    }

    /// Removes an endpoint and what waits for it. Removing one that is not there is no error.
    package struct RemoveEndpoint: Ask, Equatable {
        package static let type: MessageType = "notifications.endpoint.remove.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.account, .customer, .merchant)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Notifications.RemoveEndpoint(account: Samples.customer, endpoint: Samples.endpoint),
                reply: Notifications.RemoveEndpoint.Reply(removed: true))
        }

        package struct Reply: WireMessage, Equatable {
            /// Whether there was one.
            package let removed: Bool
        }

        package let account: PartyID
        package let endpoint: EndpointID
    }

    /// The key that browsers subscribe with (RFC 8292, `applicationServerKey`).
    package struct ReadPushKey: Ask, Equatable {
        package static let type: MessageType = "notifications.pushkey.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .anyone
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Notifications.ReadPushKey(),
                reply: Notifications.ReadPushKey.Reply(
                    publicKey:
                        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"))
        }

        package struct Reply: WireMessage, Equatable {
            /// 65 bytes, base64url.
            package let publicKey: String
        }
    }

    // MARK: Preferences

    /// A time of each day without pushes: they come when it ends. It may go over midnight. It holds for all that is
    /// sent.
    package struct QuietHours: Codable, Sendable, Equatable {
        package static let limits: [Limit<Self>] = [
            .number(\.from, 0...1439, or: .quietHoursInvalid, example: 1320),
            .number(\.until, 0...1439, or: .quietHoursInvalid, example: 420),
            .number(\.offset, -840...840, or: .quietHoursInvalid, example: -420),
            .text(\.zone, 1...64, or: .quietHoursInvalid, example: "America/Phoenix")
        ]

        /// Minutes after midnight, 0 to 1,439.
        package let from: Int64
        /// Minutes after midnight, 0 to 1,439, another than `from`.
        package let until: Int64
        /// Minutes that local time is ahead of UTC, −840 to 840. With `zone`, what it is now; the zone decides.
        package let offset: Int64
        /// The time zone by its IANA name, summer time included. Absent where the offset never changes.
        package let zone: String?
    }

    /// The settings of an account's pushes. The inbox has everything, whatever they say; web hooks are not pushes.
    package struct SettingsView: WireMessage, Equatable {
        package let account: PartyID
        /// False stops all pushes.
        package let enabled: Bool
        /// Kinds that are not pushed.
        package let muted: [Kind]
        package let quiet: QuietHours?
    }

    package struct ReadSettings: Ask, Equatable {
        package static let type: MessageType = "notifications.settings.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.account, .customer, .merchant)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Notifications.ReadSettings(account: Samples.customer),
                reply: Samples.settings,
                bareReply: Samples.bareSettings)
        }
        package typealias Reply = SettingsView

        package let account: PartyID
    }

    package struct SetSettings: Ask, Equatable {
        package static let type: MessageType = "notifications.settings.set.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.account, .customer, .merchant)
        package static let faults: [FaultCode] = [.quietHoursInvalid]
        package static var examples: Examples<Self> {
            Examples(
                Notifications.SetSettings(
                    account: Samples.customer, enabled: true, muted: [.offer],
                    quiet: Notifications.QuietHours(from: 1320, until: 420, offset: -420, zone: nil)),
                bare: Notifications.SetSettings(account: Samples.customer, enabled: false, muted: [], quiet: nil),
                reply: Samples.settings,
                bareReply: Samples.bareSettings)
        }
        package typealias Reply = SettingsView

        package let account: PartyID
        package let enabled: Bool
        package let muted: [Kind]
        package let quiet: QuietHours?
    }
}

import Contracts
import Primitives
import Schemas
import Wire

/// Where the account is to be told.
package struct NewEndpoint: RequestBody, Equatable {
    package let type: Int64
    package let registrationId: String?
    package let subscription: Subscription?
    package let url: String?

    /// A browser's, as `PushSubscription.toJSON()` gives it.
    package struct Subscription: Codable, Sendable, Equatable {
        package let endpoint: String
        package let expirationTime: Int64?
        package let keys: Keys

        package struct Keys: Codable, Sendable, Equatable {
            package let p256dh: String
            package let auth: String
        }
    }

    static let notes: [String: SchemaNote] = [
        "type": SchemaNote(
            "1 Android and 2 iOS, with `registrationId`; 3 website, with `subscription`; 4 a merchant's web hook, with "
                + "`url`.", constraints: [.init("minimum", 1), .init("maximum", 4)], example: 1),
        "registrationId": SchemaNote(
            "What the push service calls the app's installation.", lengths: 1...1000, example: "bk3RNwTe3H0:CI2k_HHwg"),
        "subscription": SchemaNote("As `PushSubscription.toJSON()` gives it."),
        "url": SchemaNote("https, with a public address.", lengths: 1...1000, example: nil)
    ]
}

extension SchemaNote {
    fileprivate init(_ summary: String, lengths: ClosedRange<Int64>, example: JSONValue?) {
        self.init(
            summary,
            constraints: [
                .init("minLength", .integer(lengths.lowerBound)), .init("maxLength", .integer(lengths.upperBound))
            ], example: example)
    }
}

extension NewEndpoint.Subscription: Schematic {
    package static let sample = NewEndpoint.Subscription(
        endpoint: "https://push.example.com/abc", expirationTime: nil,
        keys: Keys(
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            auth: "BTBZMqHH6r4Tts7J_aSIgg"))
    package static let schema: JSONValue = [
        "type": "object", "required": ["endpoint", "keys"], "additionalProperties": false,
        "properties": [
            "endpoint": ["type": "string", "maxLength": 1000],
            "expirationTime": ["anyOf": [["type": "integer", "format": "int64"], ["type": "null"]]],
            "keys": [
                "type": "object", "required": ["p256dh", "auth"], "additionalProperties": false,
                "properties": ["p256dh": ["type": "string"], "auth": ["type": "string"]]
            ]
        ]
    ]
    package static let example: JSONValue = [
        "endpoint": .string(sample.endpoint),
        "keys": ["p256dh": .string(sample.keys.p256dh), "auth": .string(sample.keys.auth)]
    ]
}

/// A message to one registration.
package struct NewNotification: RequestBody, Equatable {
    package let type: Int64
    package let registrationId: String
    package let message: String

    static let notes: [String: SchemaNote] = [
        "type": SchemaNote(
            "1 Android, 2 iOS, 3 website.", constraints: [.init("minimum", 1), .init("maximum", 3)], example: 1),
        "registrationId": SchemaNote(
            "Of a website the URL of its subscription.", lengths: 1...1000, example: "bk3RNwTe3H0:CI2k_HHwg"),
        "message": SchemaNote("At most 1,000 bytes of UTF-8.", lengths: 1...1000, example: "Closed on Sunday")
    ]
}

extension RouteTable {
    /// Where an account is told, besides its inbox.
    static let endpoints = [
        Route(
            .post, "/v1/endpoints", "createEndpoint",
            "Registers a phone, a browser or a web hook. The answer has a web hook's secret, and nothing else will",
            for: .holders, key: .required, status: 201, asks: [Notifications.AddEndpoint.self]
        ) { (call: Call, body: NewEndpoint) async throws(Fault) -> Given<Notifications.AddEndpoint.Reply> in
            let reply = try await call.ask(try ask(body, call))
            return Given(reply, replayed: reply.replayed)
        },
        Route(
            .get, "/v1/endpoints", "readEndpoints", "Where the account is told, in the order in which it was added",
            for: .holders, asks: [Notifications.ReadEndpoints.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Notifications.ReadEndpoints.Reply> in
            Given(try await call.ask(Notifications.ReadEndpoints(account: call.account)))
        },
        Route(
            .delete, "/v1/endpoints/{endpoint}", "removeEndpoint", "Removes a registration", for: .holders, status: 204,
            asks: [Notifications.RemoveEndpoint.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Nothing> in
            _ = try await call.ask(Notifications.RemoveEndpoint(account: call.account, endpoint: call.id()))
            return Given(Nothing())
        },
        Route(
            .get, "/v1/endpoints/{endpoint}/deliveries", "readDeliveries",
            "What was sent to a registration, newest first, with the attempts and what came of them", for: .holders,
            query: QueryParameter.page, asks: [Notifications.ReadDeliveries.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Notifications.ReadDeliveries.Reply> in
            Given(
                try await call.ask(
                    Notifications.ReadDeliveries(
                        account: call.account, endpoint: call.id(), before: try call.query.before(),
                        limit: try call.query.limit())))
        },
        Route(
            .post, "/v1/endpoints/{endpoint}/tests", "testEndpoint",
            "Sends a web hook a test, and says what came of its first attempt", for: .merchant, key: .required,
            status: 201, asks: [Notifications.TestEndpoint.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Notifications.OwnDelivery> in
            let tested = try await call.ask(
                Notifications.TestEndpoint(delivery: call.operation(), account: call.account, endpoint: call.id()))
            return Given(tested.delivery, replayed: tested.replayed)
        },
        Route(
            .get, "/v1/push-key", "readPushKey", "The key that browsers subscribe with (`applicationServerKey`)",
            for: .holders, asks: [Notifications.ReadPushKey.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Notifications.ReadPushKey.Reply> in
            Given(try await call.ask(Notifications.ReadPushKey()))
        }
    ]

    private static func ask(_ body: NewEndpoint, _ call: Call) throws(Fault) -> Notifications.AddEndpoint {
        let addresses = [body.registrationId, body.subscription?.endpoint, body.url].compactMap(\.self)
        guard addresses.count == 1 else {
            throw Fault(.malformed, "one of 'registrationId', 'subscription' and 'url' is needed")
        }
        let (isGiven, name): (Bool, String) =
            switch body.type {
            case 1, 2: (body.registrationId != nil, "registrationId")
            case 3: (body.subscription != nil, "subscription")
            case 4: (body.url != nil, "url")
            default: (true, "")
            }
        guard isGiven else { throw Fault(.malformed, "an address of type \(body.type) needs '\(name)'") }
        return Notifications.AddEndpoint(
            endpoint: call.operation(), account: call.account, type: body.type, address: addresses[0],
            p256dh: body.subscription?.keys.p256dh, auth: body.subscription?.keys.auth)
    }

    /// What did not arrive, and what an operator sends.
    static let deadLetters = [
        Route(
            .post, "/v1/notifications", "sendNotification",
            "Sends a message to one registration: sent, queued or failed",
            for: .administrator, key: .required, asks: [Notifications.SendNotification.self]
        ) { (call: Call, body: NewNotification) async throws(Fault) -> Given<Notifications.SendNotification.Reply> in
            let reply = try await call.ask(
                Notifications.SendNotification(
                    notice: call.operation(), type: body.type, registrationId: body.registrationId,
                    message: body.message))
            return Given(reply, replayed: reply.replayed)
        },
        Route(
            .get, "/v1/dead-letters", "readDeadLetters", "Deliveries that were given up, newest first",
            for: .administrator, query: QueryParameter.page, asks: [Notifications.ReadDeadLetters.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Notifications.ReadDeadLetters.Reply> in
            Given(
                try await call.ask(
                    Notifications.ReadDeadLetters(before: try call.query.before(), limit: try call.query.limit())))
        },
        Route(
            .get, "/v1/dead-letters/{delivery}", "readDelivery", "One delivery with what it says",
            for: .administrator, asks: [Notifications.ReadDelivery.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Notifications.ReadDelivery.Reply> in
            Given(try await call.ask(Notifications.ReadDelivery(delivery: call.id())))
        },
        Route(
            .post, "/v1/dead-letters/{delivery}/replay", "replayDelivery",
            "Queues a dead letter again, under the key that its receiver knows", for: .administrator,
            asks: [Notifications.ReplayDelivery.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Notifications.DeliveryView> in
            Given(try await call.ask(Notifications.ReplayDelivery(delivery: call.id())))
        },
        Route(
            .delete, "/v1/dead-letters/{delivery}", "discardDelivery", "Forgets a dead letter", for: .administrator,
            status: 204, asks: [Notifications.DiscardDelivery.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Nothing> in
            _ = try await call.ask(Notifications.DiscardDelivery(delivery: call.id()))
            return Given(Nothing())
        }
    ]
}

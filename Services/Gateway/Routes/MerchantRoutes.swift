import Contracts
import Schemas
import Wire

/// Why a merchant may not charge.
package struct Rejection: RequestBody, Equatable {
    package let reason: String?

    static let notes: [String: SchemaNote] = [
        "reason": SchemaNote(
            "What the merchant is told; at most 250 bytes of UTF-8.", lengths: 1...250,
            example: "We could not find a business of that name.")
    ]
}

extension RouteTable {
    /// Administrators list merchants, see where they are, approve and reject them.
    static let merchants = [
        Route(
            .get, "/v1/merchants", "readMerchants", "Merchants in the order of their ids", for: .administrator,
            query: [.merchantStatus, .after, .limit], asks: [Auth.ReadMerchants.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Auth.ReadMerchants.Reply> in
            Given(
                try await call.ask(
                    Auth.ReadMerchants(
                        status: try call.query.merchantStatus(), after: try call.query.after(),
                        limit: try call.query.limit())))
        },
        Route(
            .get, "/v1/merchants/{merchant}/places", "readMerchantPlaces", "A merchant's places", for: .administrator,
            asks: [Location.ReadPlaces.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Location.ReadPlaces.Reply> in
            // Location lets a merchant read its own places only. The gateway reads them for an administrator, who may
            // see the table of all places.
            Given(try await call.ask(Location.ReadPlaces(merchant: call.id()), as: nil))
        },
        Route(
            .post, "/v1/merchants/{merchant}/approval", "approveMerchant", "Lets a merchant charge",
            for: .administrator, asks: [Auth.DecideMerchant.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Auth.MerchantView> in
            Given(try await call.ask(Auth.DecideMerchant(merchant: call.id(), approved: true, reason: nil)))
        },
        Route(
            .post, "/v1/merchants/{merchant}/rejection", "rejectMerchant",
            "Lets a merchant charge no more, or not at all",
            for: .administrator, bodyIsOptional: true, asks: [Auth.DecideMerchant.self]
        ) { (call: Call, body: Rejection) async throws(Fault) -> Given<Auth.MerchantView> in
            Given(
                try await call.ask(
                    Auth.DecideMerchant(merchant: call.id(), approved: false, reason: body.reason)))
        }
    ]
}

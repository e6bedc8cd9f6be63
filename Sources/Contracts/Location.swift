import Primitives
import Wire

/// Where customers were last, merchants' places, and who is near.
///
/// Latitudes and longitudes are signed millionths of a degree, within ±90 and ±180 degrees.
package enum Location: StateOwner, TableSource {
    package static let service = "location"
    package static var sample: any Fact { Samples.entered }
    package static var sampleTable: PrintedTable { .merchantLocation }

    // MARK: A customer's own position

    /// Where a customer was at a moment, as the customer's device found it.
    package struct Fix: FastCoded, WireValue, Equatable {
        package static let limits: [Limit<Self>] = [
            .example(\.latitude, .number(35_198_284)),
            .example(\.longitude, .number(-111_651_302))
        ]

        package let customer: PartyID
        package let latitude: Int64
        package let longitude: Int64
        /// When the customer was there; where it is absent, now, and after all that came before.
        package let time: Timestamp?
    }

    /// Stores the position of a customer who shares it, in place of the one before.
    ///
    /// What counts is the time of the fix, not that of the message: an older one than the known is left aside, and the
    /// same one again is harmless. A fix from the future is refused, less a minute for clocks that differ.
    package struct UpdatePosition: Ask, FastCoded, Equatable {
        package static let type: MessageType = "location.position.update.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [
            .latitude(\.latitude, or: .coordinateInvalid, example: 35_198_284),
            .longitude(\.longitude, or: .coordinateInvalid, example: -111_651_302)
        ]
        package static let faults: [FaultCode] = [.coordinateInvalid, .fixTimeInvalid, .sharingOff]
        package static var examples: Examples<Self> {
            Examples(
                Location.UpdatePosition(
                    customer: Samples.customer, latitude: 35_198_284, longitude: -111_651_302, time: Samples.time),
                bare: Location.UpdatePosition(
                    customer: Samples.customer, latitude: -90_000_000, longitude: 180_000_000),
                reply: Location.Updated(outcome: .stored))
        }
        package typealias Reply = Updated

        package let customer: PartyID
        package let latitude: Int64
        package let longitude: Int64
        package let time: Timestamp?

        package var fix: Fix { Fix(customer: customer, latitude: latitude, longitude: longitude, time: time) }
    }

    package enum UpdateOutcome: String, Codable, Sendable, CaseIterable {
        /// It is the known position now.
        case stored
        /// A newer one is known, or the position was forgotten since.
        case older
        /// It was past its time to live when it came.
        case expired
    }

    package struct Updated: WireMessage, Equatable {
        package let outcome: UpdateOutcome
    }

    /// Many fixes in one ask, each as `UpdatePosition` takes it, in their order. One that is refused harms no other.
    package struct UpdatePositions: Ask, FastCoded, Equatable {
        package static let type: MessageType = "location.positions.update.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(each: \.fixes, \.customer, .customer)
        package static let limits: [Limit<Self>] = [.count(\.fixes, 0...fixesMax, or: .tooManyFixes)]
        package static let faults: [FaultCode] = [.tooManyFixes]
        package static var examples: Examples<Self> {
            Examples(
                Location.UpdatePositions(fixes: [
                    Location.Fix(
                        customer: Samples.customer, latitude: 35_198_284, longitude: -111_651_302, time: Samples.time),
                    Location.Fix(customer: Samples.friend, latitude: 91_000_000, longitude: 0)
                ]),
                bare: Location.UpdatePositions(fixes: []),
                reply: Location.UpdatePositions.Reply(
                    stored: 1, older: 0, expired: 0,
                    refused: [.init(index: 1, code: FaultCode.coordinateInvalid.code)]),
                bareReply: Location.UpdatePositions.Reply(stored: 0, older: 0, expired: 0, refused: []))
        }
        /// As many as fit into an envelope with room to spare: 135 bytes each.
        package static let fixesMax = 400

        package struct Reply: WireMessage, Equatable {
            package let stored: Int64
            package let older: Int64
            package let expired: Int64
            package let refused: [Refused]
        }

        /// A fix that was not taken.
        package struct Refused: Codable, Sendable, Equatable {
            /// Its place in the ask, from 0.
            package let index: Int64
            /// The code of the refusal that it would have had alone.
            package let code: String
        }

        package let fixes: [Fix]
    }

    /// The last position. For the customer alone, and for services.
    package struct ReadPosition: Ask, Equatable {
        package static let type: MessageType = "location.position.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = [.positionUnknown]
        package static var examples: Examples<Self> {
            Examples(
                Location.ReadPosition(customer: Samples.customer),
                reply: Location.Position(
                    latitude: 35_198_284, longitude: -111_651_302, time: Samples.time, expires: Samples.later))
        }
        package typealias Reply = Position

        package let customer: PartyID
    }

    package struct Position: WireMessage, Equatable {
        package let latitude: Int64
        package let longitude: Int64
        package let time: Timestamp
        /// When it is forgotten unless a newer one comes.
        package let expires: Timestamp
    }

    /// Forgets the last position; fixes from before this moment do not bring one back.
    package struct ForgetPosition: Ask, Equatable {
        package static let type: MessageType = "location.position.forget.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Location.ForgetPosition(customer: Samples.customer),
                reply: Location.ForgetPosition.Reply(forgotten: true))
        }

        package struct Reply: WireMessage, Equatable {
            /// Whether there was one.
            package let forgotten: Bool
        }

        package let customer: PartyID
    }

    /// Begins or ends the sharing of a customer's position. Nobody shares before they said so; whoever ends it is
    /// forgotten at once.
    package struct SetSharing: Ask, Equatable {
        package static let type: MessageType = "location.sharing.set.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Location.SetSharing(customer: Samples.customer, sharing: true),
                reply: Samples.sharingView)
        }
        package typealias Reply = SharingView

        package let customer: PartyID
        package let sharing: Bool
    }

    package struct ReadSharing: Ask, Equatable {
        package static let type: MessageType = "location.sharing.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Location.ReadSharing(customer: Samples.customer),
                reply: Samples.sharingView)
        }
        package typealias Reply = SharingView

        package let customer: PartyID
    }

    package struct SharingView: WireMessage, Equatable {
        package let customer: PartyID
        package let sharing: Bool
        /// How long a position is kept after its fix, where no newer one comes.
        package let keptSeconds: Int64
    }

    // MARK: Merchants' places

    /// A place where a merchant does business; there may be several.
    package struct PlaceView: WireMessage, Equatable {
        package let place: PlaceID
        package let merchant: PartyID
        package let name: String
        package let latitude: Int64
        package let longitude: Int64
    }

    /// Makes a place, or changes it. The merchant chooses its id.
    package struct PutPlace: Ask, Equatable {
        package static let type: MessageType = "location.place.put.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let limits: [Limit<Self>] = [
            .text(\.name, 1...100, or: .placeNameInvalid, example: "Aspen Avenue"),
            .latitude(\.latitude, or: .coordinateInvalid, example: 35_198_284),
            .longitude(\.longitude, or: .coordinateInvalid, example: -111_651_302)
        ]
        package static let faults: [FaultCode] = [
            .coordinateInvalid, .placeNameInvalid, .tooManyPlaces, .placeIDReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Location.PutPlace(
                    place: Samples.place, merchant: Samples.merchant, name: Samples.placeView.name,
                    latitude: Samples.placeView.latitude,
                    longitude: Samples.placeView.longitude),
                reply: Samples.placeView)
        }
        package typealias Reply = PlaceView

        package let place: PlaceID
        package let merchant: PartyID
        /// What customers see: 1 to 100 bytes of UTF-8.
        package let name: String
        package let latitude: Int64
        package let longitude: Int64
    }

    /// Removes a place. Removing one that is not there is no error.
    package struct RemovePlace: Ask, Equatable {
        package static let type: MessageType = "location.place.remove.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Location.RemovePlace(place: Samples.place, merchant: Samples.merchant),
                reply: Location.RemovePlace.Reply(removed: true))
        }

        package struct Reply: WireMessage, Equatable {
            /// Whether there was one.
            package let removed: Bool
        }

        package let place: PlaceID
        package let merchant: PartyID
    }

    /// A merchant's own places, in the order in which they were made.
    package struct ReadPlaces: Ask, Equatable {
        package static let type: MessageType = "location.places.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Location.ReadPlaces(merchant: Samples.merchant),
                reply: Location.ReadPlaces.Reply(places: [Samples.placeView]),
                bareReply: Location.ReadPlaces.Reply(places: []))
        }

        package struct Reply: WireMessage, Equatable {
            package let places: [PlaceView]
        }

        package let merchant: PartyID
    }

    // MARK: Who is near

    /// Customers within 0.10 km of a merchant's place, nearest first, at most `limit` behind the first `skip`.
    ///
    /// Only those who share, and whose fix is younger than ten minutes or than `freshSeconds`. It tells who is
    /// there and about how far away: distances are rounded up to 25 m. Whoever moves a place about finds out more.
    package struct FindCustomers: Ask, Equatable {
        package static let type: MessageType = "location.customers.find.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let limits: [Limit<Self>] = [
            .number(\.freshSeconds, 1...86_400, example: 600),
            .number(\.limit, 1...100, example: 20),
            .number(\.skip, 0...100_000, example: 20)
        ]
        package static let faults: [FaultCode] = [.placeNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Location.FindCustomers(
                    merchant: Samples.merchant, place: Samples.place, freshSeconds: 600, limit: 20, skip: 20),
                bare: Location.FindCustomers(merchant: Samples.merchant, limit: 1),
                reply: Location.FindCustomers.Reply(
                    customers: [Samples.nearby("alice@example.com")], total: 7, next: 21),
                bareReply: Location.FindCustomers.Reply(customers: [Samples.nearby(nil)], total: 1))
        }

        package struct Reply: WireMessage, Equatable {
            package let customers: [NearbyCustomer]
            /// The number of all, shown or not.
            package let total: Int64
            /// Ask for the next page with this as `skip`; absent when there is none.
            package let next: Int64?
        }

        package let merchant: PartyID
        /// One of the merchant's own; all of them where it is absent, and then each customer at the nearest.
        package let place: PlaceID?
        /// 1 to 86,400: how old a fix may be. 86,400 stands for any age, as nothing is kept longer.
        package let freshSeconds: Int64?
        /// 1 to 100.
        package let limit: Int
        /// So many of the nearest are passed over. People move while pages are turned: one may be missed or seen twice.
        package let skip: Int64?
    }

    /// Whether a customer is at one of a merchant's places now, for a charge that is requested there.
    ///
    /// As near and as fresh as `FindCustomers` would show the customer; the refusal says what is missing. For services
    /// and the merchant.
    package struct ProvePresence: Ask, Equatable {
        package static let type: MessageType = "location.presence.prove.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let faults: [FaultCode] = [.placeNotFound, .presenceStale, .presenceFar]
        package static var examples: Examples<Self> {
            Examples(
                Location.ProvePresence(customer: Samples.customer, merchant: Samples.merchant, place: Samples.place),
                bare: Location.ProvePresence(customer: Samples.customer, merchant: Samples.merchant),
                reply: Samples.presence)
        }
        package typealias Reply = Presence

        package let customer: PartyID
        package let merchant: PartyID
        /// The nearest of the merchant's places where none is named.
        package let place: PlaceID?
    }

    /// That a customer was at a merchant's place.
    package struct Presence: FastCoded, WireValue, Equatable {
        package let place: PlaceID
        /// Rounded up to 25 m.
        package let distanceMetres: Int64
        /// Of the fix.
        package let time: Timestamp
    }

    package struct NearbyCustomer: Codable, Sendable, Equatable {
        package let customer: PartyID
        /// Absent while auth cannot be asked.
        package let username: String?
        package let place: PlaceID
        /// Rounded up to 25 m.
        package let distanceMetres: Int64
        /// Of the fix.
        package let time: Timestamp
    }

    /// Which of some merchants have a place within a distance of a point, and how far it is. For services.
    package struct FindNear: Ask, Equatable {
        package static let type: MessageType = "location.near.find.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .services
        package static let limits: [Limit<Self>] = [
            .count(\.merchants, 1...500, or: .malformed),
            .latitude(\.latitude, or: .coordinateInvalid), .longitude(\.longitude, or: .coordinateInvalid),
            .number(\.radiusMetres, 1...50_000, example: 200)
        ]
        package static let faults: [FaultCode] = [.coordinateInvalid]
        package static var examples: Examples<Self> {
            Examples(
                Location.FindNear(
                    merchants: [Samples.merchant], latitude: 35_198_284, longitude: -111_651_302, radiusMetres: 200),
                reply: Location.FindNear.Reply(
                    merchants: [Location.NearMerchant(merchant: Samples.merchant, distanceMetres: 42)]),
                bareReply: Location.FindNear.Reply(merchants: []))
        }

        package struct Reply: WireMessage, Equatable {
            /// In no order.
            package let merchants: [NearMerchant]
        }

        package let merchants: [PartyID]
        /// Millionths of a degree.
        package let latitude: Int64
        package let longitude: Int64
        package let radiusMetres: Int64
    }

    package struct NearMerchant: Codable, Sendable, Equatable {
        package let merchant: PartyID
        /// To its nearest place, rounded up to whole metres.
        package let distanceMetres: Int64
    }

    /// Places of approved merchants within 0.20 km of a customer's last position, nearest first, at most `limit`
    /// behind the first `skip`. A merchant with two of them near is there twice.
    package struct FindMerchants: Ask, Equatable {
        package static let type: MessageType = "location.merchants.find.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [
            .number(\.limit, 1...100, example: 20), .number(\.skip, 0...100_000, example: 20)
        ]
        package static let faults: [FaultCode] = [.positionUnknown]
        package static var examples: Examples<Self> {
            Examples(
                Location.FindMerchants(customer: Samples.customer, limit: 20, skip: 20),
                bare: Location.FindMerchants(customer: Samples.customer, limit: 20),
                reply: Location.FindMerchants.Reply(
                    merchants: [Samples.nearbyPlace("corner.cafe")], total: 30, next: 21),
                bareReply: Location.FindMerchants.Reply(merchants: [Samples.nearbyPlace(nil)], total: 1))
        }

        package struct Reply: WireMessage, Equatable {
            package let merchants: [NearbyMerchant]
            /// The number of all, shown or not.
            package let total: Int64
            /// Ask for the next page with this as `skip`; absent when there is none.
            package let next: Int64?
        }

        package let customer: PartyID
        /// 1 to 100.
        package let limit: Int
        /// So many of the nearest are passed over.
        package let skip: Int64?
    }

    package struct NearbyMerchant: Codable, Sendable, Equatable {
        package let merchant: PartyID
        /// Absent while auth cannot be asked.
        package let username: String?
        /// The merchant's name. Absent while auth cannot be asked.
        package let merchantName: String?
        package let place: PlaceID
        package let name: String
        package let latitude: Int64
        package let longitude: Int64
        /// Rounded up to whole metres.
        package let distanceMetres: Int64
    }
}

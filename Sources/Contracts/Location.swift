import Primitives
import Wire

/// All that one may ask of location, or hear from it: where customers were last, where merchants are, who is near.
///
/// Latitudes and longitudes are signed millionths of a degree, within ±90 and ±180 degrees (001-86, A43).
package enum Location: FactSource {
    package static let service = "location"

    // MARK: A customer's own position

    /// Where a customer was at a moment, as the customer's device found it.
    package struct Fix: Codable, Sendable, Equatable {
        package let customer: PartyID
        package let latitude: Int64
        package let longitude: Int64
        /// When the customer was there; where it is absent, now, and after all that came before.
        package let time: Timestamp?

        package init(customer: PartyID, latitude: Int64, longitude: Int64, time: Timestamp? = nil) {
            self.customer = customer
            self.latitude = latitude
            self.longitude = longitude
            self.time = time
        }
    }

    /// Stores the position of a customer who shares it (001-85), in place of the one before.
    ///
    /// What counts is the time of the fix, not that of the message: an older one than the known is left aside, and the
    /// same one again is harmless. A fix from the future is refused, less a minute for clocks that differ.
    package struct UpdatePosition: Ask, Equatable {
        package static let type: MessageType = "location.position.update.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.coordinateInvalid, .fixTimeInvalid, .sharingOff]
        package typealias Reply = Updated

        package let customer: PartyID
        package let latitude: Int64
        package let longitude: Int64
        package let time: Timestamp?

        package init(customer: PartyID, latitude: Int64, longitude: Int64, time: Timestamp? = nil) {
            self.customer = customer
            self.latitude = latitude
            self.longitude = longitude
            self.time = time
        }

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
        package init(outcome: UpdateOutcome) { self.outcome = outcome }
    }

    /// Many fixes in one ask, each as `UpdatePosition` takes it, in their order. One that is refused harms no other.
    package struct UpdatePositions: Ask, Equatable {
        package static let type: MessageType = "location.positions.update.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.tooManyFixes]
        /// As many as fit into an envelope with room to spare: 135 bytes each.
        package static let fixesMax = 400

        package struct Reply: WireMessage, Equatable {
            package let stored: Int64
            package let older: Int64
            package let expired: Int64
            package let refused: [Refused]

            package init(stored: Int64, older: Int64, expired: Int64, refused: [Refused]) {
                self.stored = stored
                self.older = older
                self.expired = expired
                self.refused = refused
            }
        }

        /// A fix that was not taken.
        package struct Refused: Codable, Sendable, Equatable {
            /// Its place in the ask, from 0.
            package let index: Int64
            /// The code of the refusal that it would have had alone.
            package let code: String

            package init(index: Int64, code: String) {
                self.index = index
                self.code = code
            }
        }

        package let fixes: [Fix]
        package init(fixes: [Fix]) { self.fixes = fixes }
    }

    /// The last position (001-35). For the customer alone, and for services.
    package struct ReadPosition: Ask, Equatable {
        package static let type: MessageType = "location.position.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.positionUnknown]
        package typealias Reply = Position

        package let customer: PartyID
        package init(customer: PartyID) { self.customer = customer }
    }

    package struct Position: WireMessage, Equatable {
        package let latitude: Int64
        package let longitude: Int64
        package let time: Timestamp
        /// When it is forgotten unless a newer one comes.
        package let expires: Timestamp

        package init(latitude: Int64, longitude: Int64, time: Timestamp, expires: Timestamp) {
            self.latitude = latitude
            self.longitude = longitude
            self.time = time
            self.expires = expires
        }
    }

    /// Forgets the last position; fixes from before this moment do not bring one back.
    package struct ForgetPosition: Ask, Equatable {
        package static let type: MessageType = "location.position.forget.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            /// Whether there was one.
            package let forgotten: Bool
            package init(forgotten: Bool) { self.forgotten = forgotten }
        }

        package let customer: PartyID
        package init(customer: PartyID) { self.customer = customer }
    }

    /// Begins or ends the sharing of a customer's position. Nobody shares before they said so; whoever ends it is
    /// forgotten at once.
    package struct SetSharing: Ask, Equatable {
        package static let type: MessageType = "location.sharing.set.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []
        package typealias Reply = SharingView

        package let customer: PartyID
        package let sharing: Bool

        package init(customer: PartyID, sharing: Bool) {
            self.customer = customer
            self.sharing = sharing
        }
    }

    package struct ReadSharing: Ask, Equatable {
        package static let type: MessageType = "location.sharing.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []
        package typealias Reply = SharingView

        package let customer: PartyID
        package init(customer: PartyID) { self.customer = customer }
    }

    package struct SharingView: WireMessage, Equatable {
        package let customer: PartyID
        package let sharing: Bool
        /// How long a position is kept after its fix, where no newer one comes.
        package let keptSeconds: Int64

        package init(customer: PartyID, sharing: Bool, keptSeconds: Int64) {
            self.customer = customer
            self.sharing = sharing
            self.keptSeconds = keptSeconds
        }
    }

    // MARK: Merchants' places

    /// A place where a merchant does business; there may be several (001-90, 001-131).
    package struct PlaceView: WireMessage, Equatable {
        package let place: PlaceID
        package let merchant: PartyID
        package let name: String
        package let latitude: Int64
        package let longitude: Int64

        package init(place: PlaceID, merchant: PartyID, name: String, latitude: Int64, longitude: Int64) {
            self.place = place
            self.merchant = merchant
            self.name = name
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// Makes a place, or changes it. The merchant chooses its id.
    package struct PutPlace: Ask, Equatable {
        package static let type: MessageType = "location.place.put.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [
            .coordinateInvalid, .placeNameInvalid, .tooManyPlaces, .placeIDReused
        ]
        package typealias Reply = PlaceView

        package let place: PlaceID
        package let merchant: PartyID
        /// What customers see: 1 to 100 bytes of UTF-8.
        package let name: String
        package let latitude: Int64
        package let longitude: Int64

        package init(place: PlaceID, merchant: PartyID, name: String, latitude: Int64, longitude: Int64) {
            self.place = place
            self.merchant = merchant
            self.name = name
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// Removes a place. Removing one that is not there is no error.
    package struct RemovePlace: Ask, Equatable {
        package static let type: MessageType = "location.place.remove.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            /// Whether there was one.
            package let removed: Bool
            package init(removed: Bool) { self.removed = removed }
        }

        package let place: PlaceID
        package let merchant: PartyID

        package init(place: PlaceID, merchant: PartyID) {
            self.place = place
            self.merchant = merchant
        }
    }

    /// A merchant's own places, in the order in which they were made.
    package struct ReadPlaces: Ask, Equatable {
        package static let type: MessageType = "location.places.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            package let places: [PlaceView]
            package init(places: [PlaceView]) { self.places = places }
        }

        package let merchant: PartyID
        package init(merchant: PartyID) { self.merchant = merchant }
    }

    // MARK: Who is near

    /// Customers within 0.10 km of a merchant's place, nearest first (001-79, 001-88, A43), at most `limit`.
    ///
    /// Only those who share, and whose fix is younger than ten minutes (A49) or than `freshSeconds`. It tells who is
    /// there and about how far away, never where: distances are rounded up to 25 m, so that several places of one
    /// merchant do not add up to a coordinate.
    package struct FindCustomers: Ask, Equatable {
        package static let type: MessageType = "location.customers.find.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.placeNotFound]

        package struct Reply: WireMessage, Equatable {
            package let customers: [NearbyCustomer]
            /// How many there are, shown or not.
            package let total: Int64

            package init(customers: [NearbyCustomer], total: Int64) {
                self.customers = customers
                self.total = total
            }
        }

        package let merchant: PartyID
        /// One of the merchant's own; all of them where it is absent, and then each customer at the nearest.
        package let place: PlaceID?
        /// 1 to 86,400: how old a fix may be. 86,400 stands for any age (A49), as nothing is kept longer.
        package let freshSeconds: Int64?
        /// 1 to 100. There is no next page: people move faster than pages are turned.
        package let limit: Int

        package init(merchant: PartyID, place: PlaceID? = nil, freshSeconds: Int64? = nil, limit: Int) {
            self.merchant = merchant
            self.place = place
            self.freshSeconds = freshSeconds
            self.limit = limit
        }
    }

    /// Whether a customer is at one of a merchant's places now, for a charge that is requested there (001-3, 001-51).
    ///
    /// As near and as fresh as `FindCustomers` would show the customer; the refusal says what is missing. For services
    /// and the merchant.
    package struct ProvePresence: Ask, Equatable {
        package static let type: MessageType = "location.presence.prove.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.placeNotFound, .presenceStale, .presenceFar]
        package typealias Reply = Presence

        package let customer: PartyID
        package let merchant: PartyID
        package let place: PlaceID

        package init(customer: PartyID, merchant: PartyID, place: PlaceID) {
            self.customer = customer
            self.merchant = merchant
            self.place = place
        }
    }

    /// That a customer was at a merchant's place.
    package struct Presence: WireMessage, Equatable {
        package let place: PlaceID
        /// Rounded up to 25 m.
        package let distanceMetres: Int64
        /// Of the fix.
        package let time: Timestamp

        package init(place: PlaceID, distanceMetres: Int64, time: Timestamp) {
            self.place = place
            self.distanceMetres = distanceMetres
            self.time = time
        }
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

        package init(customer: PartyID, username: String?, place: PlaceID, distanceMetres: Int64, time: Timestamp) {
            self.customer = customer
            self.username = username
            self.place = place
            self.distanceMetres = distanceMetres
            self.time = time
        }
    }

    /// Merchants' places within 0.20 km of a customer's last position, nearest first (001-80, 001-89, A45), at most
    /// `limit`. A merchant with two of them near is there twice.
    package struct FindMerchants: Ask, Equatable {
        package static let type: MessageType = "location.merchants.find.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.positionUnknown]

        package struct Reply: WireMessage, Equatable {
            package let merchants: [NearbyMerchant]
            /// How many there are, shown or not.
            package let total: Int64

            package init(merchants: [NearbyMerchant], total: Int64) {
                self.merchants = merchants
                self.total = total
            }
        }

        package let customer: PartyID
        /// 1 to 100.
        package let limit: Int

        package init(customer: PartyID, limit: Int) {
            self.customer = customer
            self.limit = limit
        }
    }

    package struct NearbyMerchant: Codable, Sendable, Equatable {
        package let merchant: PartyID
        /// Absent while auth cannot be asked.
        package let username: String?
        package let place: PlaceID
        package let name: String
        package let latitude: Int64
        package let longitude: Int64
        /// Rounded up to whole metres.
        package let distanceMetres: Int64

        package init(
            merchant: PartyID, username: String?, place: PlaceID, name: String, latitude: Int64, longitude: Int64,
            distanceMetres: Int64
        ) {
            self.merchant = merchant
            self.username = username
            self.place = place
            self.name = name
            self.latitude = latitude
            self.longitude = longitude
            self.distanceMetres = distanceMetres
        }
    }
}

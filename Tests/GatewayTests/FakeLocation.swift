import Contracts
import Primitives

/// Location in a few lines: everybody is at Flagstaff, and the coffee is near.
enum FakeLocation {
    static let place = PlaceID(high: 0x1, low: 0x5707E)

    static func answer(_ ask: any Ask, place: PlaceID, isBobNear: Bool = true) throws(Fault) -> any Sendable {
        switch ask {
        case is Location.UpdatePosition: Location.Updated(outcome: .stored)
        case is Location.ReadPosition:
            Location.Position(
                latitude: 35_198_284, longitude: -111_651_302, time: FakeServices.time,
                expires: FakeServices.time + .seconds(900))
        case is Location.ForgetPosition: Location.ForgetPosition.Reply(forgotten: true)
        case let ask as Location.ReadSharing:
            Location.SharingView(customer: ask.customer, sharing: true, keptSeconds: 900)
        case let ask as Location.SetSharing:
            Location.SharingView(customer: ask.customer, sharing: ask.sharing, keptSeconds: 900)
        case let ask as Location.PutPlace:
            Location.PlaceView(
                place: ask.place, merchant: ask.merchant, name: ask.name, latitude: ask.latitude,
                longitude: ask.longitude)
        case is Location.RemovePlace: Location.RemovePlace.Reply(removed: true)
        case let ask as Location.ReadPlaces:
            Location.ReadPlaces.Reply(places: [
                Location.PlaceView(
                    place: place, merchant: ask.merchant, name: "Blue Bottle", latitude: 35_198_284,
                    longitude: -111_651_302)
            ])
        case is Location.FindCustomers:
            !isBobNear
                ? Location.FindCustomers.Reply(customers: [], total: 0)
                : Location.FindCustomers.Reply(
                    customers: [
                        Location.NearbyCustomer(
                            customer: FakeServices.bob.account, username: "bob", place: place, distanceMetres: 25,
                            time: FakeServices.time)
                    ], total: 1)
        case is Location.FindMerchants:
            Location.FindMerchants.Reply(
                merchants: [
                    Location.NearbyMerchant(
                        merchant: PartyID(high: 5, low: 5), username: "shop", place: place, name: "Blue Bottle",
                        latitude: 35_198_284, longitude: -111_651_302, distanceMetres: 42)
                ], total: 1)
        default: throw Fault(.unknownType)
        }
    }
}

import Contracts
import Primitives

extension Samples {
    static let place = PlaceID(high: 0x019a_9c3d_2c40_0009, low: 0x91AC_91AC_91AC_91AC)

    static let location: [Sample] =
        ask(
            Location.UpdatePosition(customer: customer, latitude: 35_198_284, longitude: -111_651_302, time: time),
            bare: Location.UpdatePosition(customer: customer, latitude: -90_000_000, longitude: 180_000_000),
            reply: Location.Updated(outcome: .stored))
        + ask(
            Location.UpdatePositions(fixes: [
                Location.Fix(customer: customer, latitude: 35_198_284, longitude: -111_651_302, time: time),
                Location.Fix(customer: friend, latitude: 91_000_000, longitude: 0)
            ]), bare: Location.UpdatePositions(fixes: []),
            reply: Location.UpdatePositions.Reply(
                stored: 1, older: 0, expired: 0,
                refused: [.init(index: 1, code: FaultCode.coordinateInvalid.code)]),
            bareReply: Location.UpdatePositions.Reply(stored: 0, older: 0, expired: 0, refused: []))
        + ask(
            Location.ReadPosition(customer: customer),
            reply: Location.Position(latitude: 35_198_284, longitude: -111_651_302, time: time, expires: later))
        + ask(Location.ForgetPosition(customer: customer), reply: Location.ForgetPosition.Reply(forgotten: true))
        + ask(Location.SetSharing(customer: customer, sharing: true), reply: sharingView)
        + ask(Location.ReadSharing(customer: customer), reply: sharingView)
        + ask(
            Location.PutPlace(
                place: place, merchant: merchant, name: placeView.name, latitude: placeView.latitude,
                longitude: placeView.longitude), reply: placeView)
        + ask(
            Location.RemovePlace(place: place, merchant: merchant), reply: Location.RemovePlace.Reply(removed: true))
        + ask(
            Location.ReadPlaces(merchant: merchant), reply: Location.ReadPlaces.Reply(places: [placeView]),
            bareReply: Location.ReadPlaces.Reply(places: []))
        + ask(
            Location.FindCustomers(merchant: merchant, place: place, freshSeconds: 600, limit: 20),
            bare: Location.FindCustomers(merchant: merchant, limit: 1),
            reply: Location.FindCustomers.Reply(customers: [nearby("alice@example.com")], total: 7),
            bareReply: Location.FindCustomers.Reply(customers: [nearby(nil)], total: 1))
        + ask(
            Location.FindMerchants(customer: customer, limit: 20),
            reply: Location.FindMerchants.Reply(merchants: [nearbyPlace("corner.cafe")], total: 1),
            bareReply: Location.FindMerchants.Reply(merchants: [nearbyPlace(nil)], total: 1))
        + ask(Location.ProvePresence(customer: customer, merchant: merchant, place: place), reply: presence)
        + fact(entered)
        + fact(
            Location.FenceDwelled(customer: customer, merchant: merchant, place: place, entered: time, time: later))
        + fact(
            Location.FenceExited(
                customer: customer, merchant: merchant, place: place, entered: time, reason: .left, time: later))

    static let presence = Location.Presence(place: place, distanceMetres: 25, time: time)
    static let entered = Location.FenceEntered(customer: customer, merchant: merchant, place: place, time: time)

    private static let sharingView = Location.SharingView(customer: customer, sharing: true, keptSeconds: 900)
    private static let placeView = Location.PlaceView(
        place: place, merchant: merchant, name: "Corner \"Café\"", latitude: 35_198_000, longitude: -111_651_000)

    private static func nearby(_ username: String?) -> Location.NearbyCustomer {
        Location.NearbyCustomer(customer: customer, username: username, place: place, distanceMetres: 50, time: time)
    }

    private static func nearbyPlace(_ username: String?) -> Location.NearbyMerchant {
        Location.NearbyMerchant(
            merchant: merchant, username: username, place: place, name: placeView.name,
            latitude: placeView.latitude, longitude: placeView.longitude, distanceMetres: 42)
    }
}

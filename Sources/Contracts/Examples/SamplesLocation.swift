import Primitives

extension Samples {
    package static let place = PlaceID(high: 0x019a_9c3d_2c40_0009, low: 0x91AC_91AC_91AC_91AC)

    package static let presence = Location.Presence(place: place, distanceMetres: 25, time: time)
    package static let entered = Location.FenceEntered(customer: customer, merchant: merchant, place: place, time: time)

    package static let sharingView = Location.SharingView(customer: customer, sharing: true, keptSeconds: 900)
    package static let placeView = Location.PlaceView(
        place: place, merchant: merchant, name: "Corner \"Café\"", latitude: 35_198_000, longitude: -111_651_000)

    package static func nearby(_ username: String?) -> Location.NearbyCustomer {
        Location.NearbyCustomer(customer: customer, username: username, place: place, distanceMetres: 50, time: time)
    }

    package static func nearbyPlace(_ username: String?) -> Location.NearbyMerchant {
        Location.NearbyMerchant(
            merchant: merchant, username: username, merchantName: username.map { _ in "Corner \"Café\"" },
            place: place, name: placeView.name,
            latitude: placeView.latitude, longitude: placeView.longitude, distanceMetres: 42)
    }
}

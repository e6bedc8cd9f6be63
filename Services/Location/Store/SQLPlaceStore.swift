import Bus
import Contracts
import Primitives
import Storage

/// Location's database. An extension stores and publishes changes at fences.
package struct SQLPlaceStore: PlaceStore {
    package let store: Store

    /// - Throws: as `Store.init`.
    package init(_ place: StorePlace) throws { store = try Store(place, migrations: PlaceMigrations.all) }

    /// A store that ends with the process: for tests.
    package init() throws { store = try Store(forTests: PlaceMigrations.all) }

    package func load() async throws(Fault) -> StoredPlaces {
        try await store.read { transaction in
            StoredPlaces(
                places: try transaction.all(
                    "SELECT id, merchant, name, latitude, longitude FROM places ORDER BY number"
                ) { row in
                    guard let point = Coordinate(latitude: try row[3], longitude: try row[4]) else {
                        throw row.damage(3)
                    }
                    return MerchantPlace(id: try row[0], merchant: try row[1], name: try row[2], point: point)
                },
                sharing: try transaction.values("SELECT customer FROM sharing"),
                visits: try transaction.all("SELECT customer, place, merchant, entered, dwelled FROM visits") { row in
                    StoredVisit(
                        customer: try row[0], place: try row[1], merchant: try row[2],
                        visit: Visit(entered: try row[3], dwelled: try row[4]))
                },
                alive: try transaction.value("SELECT time FROM alive"))
        }
    }

    package func put(_ place: MerchantPlace, placesMax: Int) async throws(Fault) -> PlacePutting {
        try await store.write { transaction in
            let owner: PartyID? = try transaction.value("SELECT merchant FROM places WHERE id = ?", place.id)
            if let owner {
                guard owner == place.merchant else { return .taken }
            } else {
                let count: Int? = try transaction.value(
                    "SELECT count(*) FROM places WHERE merchant = ?", place.merchant)
                guard count ?? 0 < placesMax else { return .tooMany }
            }
            try transaction.run(
                """
                INSERT INTO places (id, merchant, name, latitude, longitude) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, latitude = excluded.latitude,
                    longitude = excluded.longitude
                """, place.id, place.merchant, place.name, place.point.latitude, place.point.longitude)
            return .put
        }
    }

    package func remove(_ place: PlaceID, of merchant: PartyID) async throws(Fault) -> Bool {
        try await store.write {
            try $0.run("DELETE FROM places WHERE id = ? AND merchant = ?", place, merchant) > 0
        }
    }

    package func setSharing(_ customer: PartyID, _ sharing: Bool, at time: Timestamp) async throws(Fault) {
        try await store.write { transaction in
            if sharing {
                try transaction.run(
                    "INSERT INTO sharing (customer, since) VALUES (?, ?) ON CONFLICT (customer) DO NOTHING", customer,
                    time)
            } else {
                try transaction.run("DELETE FROM sharing WHERE customer = ?", customer)
            }
        }
    }

    package func noteAlive(at time: Timestamp) async throws(Fault) {
        try await store.write {
            try $0.run(
                "INSERT INTO alive (one, time) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET time = excluded.time",
                time)
        }
    }
}

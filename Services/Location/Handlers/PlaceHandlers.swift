import Bus
import Contracts
import Primitives

/// Makes or changes a merchant's place (001-56, 001-131).
package struct PutPlaceHandler: Answering {
    private let desk: LocationDesk

    package init(_ desk: LocationDesk) { self.desk = desk }

    package func answer(_ ask: Location.PutPlace, in context: AskContext) async throws(Fault) -> Location.PlaceView {
        let place = try MerchantPlace(ask)
        try await desk.turns.take(of: ask.merchant) { () async throws(Fault) in
            switch try await desk.store.put(place, placesMax: desk.rules.placesPerMerchantMax) {
            case .taken: throw Fault(.placeIDReused)
            case .tooMany: throw Fault(.tooManyPlaces)
            case .put: break
            }
            let now = desk.clock.now()
            try desk.with { whereabouts throws(Fault) in
                whereabouts.put(place, at: now, because: context.cause(at: now))
            }
        }
        try await desk.tellChanges()
        return place.view
    }
}

package struct RemovePlaceHandler: Answering {
    private let desk: LocationDesk

    package init(_ desk: LocationDesk) { self.desk = desk }

    package func answer(
        _ ask: Location.RemovePlace, in context: AskContext
    ) async throws(Fault) -> Location.RemovePlace.Reply {
        let removed = try await desk.turns.take(of: ask.merchant) { () async throws(Fault) in
            guard try await desk.store.remove(ask.place, of: ask.merchant) else { return false }
            let now = desk.clock.now()
            try desk.with { whereabouts throws(Fault) in
                whereabouts.remove(ask.place, at: now, because: context.cause(at: now))
            }
            return true
        }
        try await desk.tellChanges()
        return .init(removed: removed)
    }
}

package struct ReadPlacesHandler: Answering {
    private let desk: LocationDesk

    package init(_ desk: LocationDesk) { self.desk = desk }

    package func answer(
        _ ask: Location.ReadPlaces, in context: AskContext
    ) async throws(Fault) -> Location.ReadPlaces.Reply {
        let places = try desk.with { whereabouts throws(Fault) in whereabouts.places(of: ask.merchant) }
        return .init(places: places.map(\.view))
    }
}

extension MerchantPlace {
    /// - Throws: `location.coordinate_invalid`, `location.name_invalid`.
    fileprivate init(_ ask: Location.PutPlace) throws(Fault) {
        guard let point = Coordinate(latitude: ask.latitude, longitude: ask.longitude) else {
            throw Fault(.coordinateInvalid)
        }
        guard ask.name.isShownAndVisible else { throw Fault(.placeNameInvalid) }
        self.init(id: ask.place, merchant: ask.merchant, name: ask.name, point: point)
    }

    fileprivate var view: Location.PlaceView {
        Location.PlaceView(
            place: id, merchant: merchant, name: name, latitude: Int64(point.latitude),
            longitude: Int64(point.longitude))
    }
}

import Bus
import Contracts
import Primitives

/// Makes or changes a merchant's place.
package struct PutPlaceHandler: Answering {
    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package func answer(_ ask: Location.PutPlace, in context: AskContext) async throws(Fault) -> Location.PlaceView {
        let place = try MerchantPlace(ask)
        try await service.turns.take(of: ask.merchant) { () async throws(Fault) in
            switch try await service.store.put(place, placesMax: service.rules.placesPerMerchantMax) {
            case .taken: throw Fault(.placeIDReused)
            case .tooMany: throw Fault(.tooManyPlaces)
            case .put: break
            }
            let now = service.clock.now()
            try service.with { tracker throws(Fault) in
                tracker.put(place, at: now, because: context.cause(at: now))
            }
        }
        try await service.publishChanges()
        return place.view
    }
}

package struct RemovePlaceHandler: Answering {
    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package func answer(
        _ ask: Location.RemovePlace, in context: AskContext
    ) async throws(Fault) -> Location.RemovePlace.Reply {
        let removed = try await service.turns.take(of: ask.merchant) { () async throws(Fault) in
            guard try await service.store.remove(ask.place, of: ask.merchant) else { return false }
            let now = service.clock.now()
            try service.with { tracker throws(Fault) in
                tracker.remove(ask.place, at: now, because: context.cause(at: now))
            }
            return true
        }
        try await service.publishChanges()
        return .init(removed: removed)
    }
}

package struct ReadPlacesHandler: Answering {
    private let service: PresenceService

    package init(_ service: PresenceService) { self.service = service }

    package func answer(
        _ ask: Location.ReadPlaces, in context: AskContext
    ) async throws(Fault) -> Location.ReadPlaces.Reply {
        let places = try service.with { tracker throws(Fault) in tracker.places(of: ask.merchant) }
        return .init(places: places.map(\.view))
    }
}

extension MerchantPlace {
    /// - Throws: `location.coordinate_invalid`, `location.name_invalid`.
    fileprivate init(_ ask: Location.PutPlace) throws(Fault) {
        guard let point = Coordinate(latitude: ask.latitude, longitude: ask.longitude) else {
            throw Fault(.coordinateInvalid)
        }
        guard ask.name.isShownAndVisible else {
            throw Fault(.placeNameInvalid, notShown: "name")
        }
        self.init(id: ask.place, merchant: ask.merchant, name: ask.name, point: point)
    }

    fileprivate var view: Location.PlaceView {
        Location.PlaceView(
            place: id, merchant: merchant, name: name, latitude: Int64(point.latitude),
            longitude: Int64(point.longitude))
    }
}

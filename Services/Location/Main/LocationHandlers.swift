import Bus
import LocationService

extension PresenceService {
    /// One handler for each type that the service answers.
    var handlers: [any Answering] {
        [
            UpdatePositionHandler(self),
            UpdatePositionsHandler(self),
            ReadPositionHandler(self),
            ForgetPositionHandler(self),
            SetSharingHandler(self),
            ReadSharingHandler(self),
            PutPlaceHandler(self),
            RemovePlaceHandler(self),
            ReadPlacesHandler(self),
            FindCustomersHandler(self),
            FindMerchantsHandler(self),
            FindNearHandler(self),
            ProvePresenceHandler(self)
        ]
    }
}

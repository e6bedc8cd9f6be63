/// Refusals that location gives.
extension FaultCode {
    package static let coordinateInvalid = FaultCode(
        "location.coordinate_invalid", 422, .never, "There is no such point on the globe")
    package static let fixTimeInvalid = FaultCode("location.time_invalid", 422, .never, "The time lies in the future")
    package static let tooManyFixes = FaultCode("location.too_many_fixes", 422, .never, "Too many fixes in one ask")
    package static let sharingOff = FaultCode(
        "location.sharing_off", 409, .never, "The customer does not share a position")
    package static let positionUnknown = FaultCode("location.position_unknown", 404, .never, "No position is known")
    package static let placeNotFound = FaultCode("location.place_not_found", 404, .never, "There is no such place")
    package static let placeNameInvalid = FaultCode(
        "location.name_invalid", 422, .never, "The place's name is not valid")
    package static let placeIDReused = FaultCode(
        "location.id_reused", 422, .never, "The same id was used for another place")
    package static let tooManyPlaces = FaultCode(
        "location.too_many_places", 409, .never, "No more places can be added")

    package static let presenceStale = FaultCode(
        "location.presence_stale", 409, .later, "No fresh position of the customer is known")
    package static let presenceFar = FaultCode(
        "location.presence_far", 409, .later, "The customer is not at this place")
}

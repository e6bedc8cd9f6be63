/// Refusals that routines gives.
extension FaultCode {
    package static let routineNameMissing = FaultCode(
        "routines.name_missing", 422, .never, "A name is missing: a text, an emoji or an image")
    package static let routineNameTaken = FaultCode(
        "routines.name_taken", 409, .never, "A routine of this name exists")
    package static let routineActionsInvalid = FaultCode(
        "routines.actions_invalid", 422, .never, "A routine has 1 to 20 actions")
    package static let routineTagInvalid = FaultCode("routines.tag_invalid", 422, .never, "The tag is not valid")
    package static let routineLabelInvalid = FaultCode("routines.label_invalid", 422, .never, "The name is not valid")
    package static let routineTimeInvalid = FaultCode(
        "routines.time_invalid", 422, .never, "An action takes 1 to 240 minutes")
    package static let routineNotFound = FaultCode(
        "routines.routine_not_found", 404, .never, "There is no such routine")
    package static let tooManyRoutines = FaultCode(
        "routines.too_many_routines", 409, .never, "No more routines can be added")
    package static let routineImageInvalid = FaultCode(
        "routines.image_invalid", 422, .never, "This image cannot be used")
    package static let routineImageNotFound = FaultCode(
        "routines.image_not_found", 404, .never, "There is no such image")
    package static let tooManyRoutineImages = FaultCode(
        "routines.too_many_images", 409, .never, "No more images can be added")
    package static let dayEmpty = FaultCode("routines.day_empty", 422, .never, "A schedule needs 1 to 40 entries")
    package static let dayPast = FaultCode("routines.day_past", 422, .never, "This day is over")
    package static let tooManyDays = FaultCode(
        "routines.too_many_days", 409, .never, "No more schedules can be kept for the days to come")
    package static let dayExists = FaultCode("routines.day_exists", 409, .never, "This day has a schedule")
    package static let dayOverlaps = FaultCode("routines.day_overlaps", 422, .never, "Two entries are at the same time")
    package static let dayEntryInvalid = FaultCode("routines.entry_invalid", 422, .never, "An entry is not valid")
    package static let dayTooLarge = FaultCode("routines.day_too_large", 422, .never, "The schedule is too long")
    package static let dayZoneInvalid = FaultCode(
        "routines.zone_invalid", 422, .never, "There is no such time zone")
    package static let dayNotFound = FaultCode("routines.day_not_found", 404, .never, "There is no schedule")
    package static let dayActionNotFound = FaultCode(
        "routines.action_not_found", 404, .never, "There is no such action")
    package static let dayActionOver = FaultCode(
        "routines.action_over", 409, .never, "The time of this action has passed")
    package static let routinesIDReused = FaultCode(
        "routines.id_reused", 422, .never,
        "The same id was used before, for something else or for what was removed since")
}

/// Refusals that notifications gives.
extension FaultCode {
    package static let addressInvalid = FaultCode(
        "notifications.address_invalid", 422, .never, "This is not a valid address")
    package static let noticeIDReused = FaultCode(
        "notifications.id_reused", 422, .never,
        "The same id was used before, for something else or for what was removed since")
    package static let noticeNotFound = FaultCode(
        "notifications.notice_not_found", 404, .never, "There is no such notice")
    package static let messageInvalid = FaultCode(
        "notifications.message_invalid", 422, .never, "The message is not valid")
    package static let endpointInvalid = FaultCode(
        "notifications.endpoint_invalid", 422, .never, "The endpoint is not valid")
    package static let endpointNotFound = FaultCode(
        "notifications.endpoint_not_found", 404, .never, "There is no such registration")
    package static let tooManyEndpoints = FaultCode(
        "notifications.too_many_endpoints", 409, .never, "No more registrations can be added")
    package static let quietHoursInvalid = FaultCode(
        "notifications.quiet_hours_invalid", 422, .never, "The quiet hours are not valid")
    package static let deliveryNotFound = FaultCode(
        "notifications.delivery_not_found", 404, .never, "There is no such delivery")
    package static let deliveryNotReplayable = FaultCode(
        "notifications.delivery_not_replayable", 409, .never, "The delivery arrived, or has nothing left to send")
}

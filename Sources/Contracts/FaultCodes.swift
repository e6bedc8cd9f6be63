/// Refusals that the bus gives, and those that any ask may meet. A service's own stand beside its messages.
extension FaultCode {
    package static let malformed = FaultCode("bus.malformed", 400, .never, "The message is malformed")
    package static let tooLarge = FaultCode("bus.too_large", 413, .never, "The message is too large")
    package static let unknownType = FaultCode("bus.unknown_type", 404, .never, "The service does not answer this type")
    package static let noWorker = FaultCode("bus.no_worker", 503, .later, "The service is not available")
    package static let queueFull = FaultCode("bus.queue_full", 503, .later, "Too many asks are waiting")
    package static let deadlineExceeded = FaultCode(
        "bus.deadline_exceeded", 504, .later, "The deadline passed before anything was done")
    package static let outcomeUnknown = FaultCode(
        "bus.outcome_unknown", 504, .sameKey, "The deadline passed before the outcome was known")
    package static let workerLost = FaultCode(
        "bus.worker_lost", 503, .sameKey, "The service stopped before it answered")
    package static let cancelled = FaultCode("bus.cancelled", 499, .sameKey, "The caller cancelled the request")
    package static let unavailable = FaultCode("bus.unavailable", 503, .sameKey, "The service cannot answer at present")
    package static let forbidden = FaultCode("bus.forbidden", 403, .never, "This account may not do this")

    /// Those that any ask may meet.
    package static let common: [FaultCode] = [
        .malformed, .tooLarge, .unknownType, .noWorker, .queueFull, .deadlineExceeded, .outcomeUnknown, .workerLost,
        .cancelled, .unavailable, .forbidden
    ]
}

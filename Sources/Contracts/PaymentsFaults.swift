/// Refusals that payments gives.
extension FaultCode {
    package static let chargeNotFound = FaultCode("payments.charge_not_found", 404, .never, "There is no such charge")
    package static let chargeIDReused = FaultCode(
        "payments.id_reused", 422, .never, "The same id was used for another charge")
    package static let chargeCaptured = FaultCode("payments.charge_captured", 409, .never, "The charge is already paid")
    package static let chargeDeclined = FaultCode("payments.charge_declined", 409, .never, "The charge was declined")
    package static let chargeCancelled = FaultCode("payments.charge_cancelled", 409, .never, "The charge was cancelled")
    package static let chargeExpired = FaultCode("payments.charge_expired", 409, .never, "The charge has expired")
    package static let chargeNotCaptured = FaultCode(
        "payments.charge_not_captured", 409, .never, "Only a paid charge can be refunded")
    package static let codeInvalid = FaultCode("payments.code_invalid", 422, .never, "This is not a valid pay code")
    package static let codeExpired = FaultCode("payments.code_expired", 410, .never, "The pay code has expired")
    package static let codeUsed = FaultCode("payments.code_used", 409, .never, "The pay code was already used")
    package static let merchantNotFound = FaultCode(
        "payments.merchant_not_found", 404, .never, "There is no such merchant")
    package static let merchantNotApproved = FaultCode(
        "payments.merchant_not_approved", 403, .never, "The merchant has not been approved")
    package static let customerNotFound = FaultCode(
        "payments.customer_not_found", 404, .never, "There is no such customer")
    package static let amountTooLarge = FaultCode(
        "payments.amount_too_large", 422, .never, "The amount is above the limit")
    package static let paymentsDisabled = FaultCode(
        "payments.disabled", 409, .later, "The customer has disabled payments")
    package static let presenceRequired = FaultCode(
        "payments.presence_required", 422, .never, "The request must name the customer's place")
    package static let tooManyGuesses = FaultCode(
        "payments.too_many_guesses", 429, .later, "Too many wrong codes were typed")
    package static let tooManyPermissions = FaultCode(
        "payments.too_many_permissions", 409, .never, "No more merchants can be allowed")
    package static let tooManyRequests = FaultCode(
        "payments.too_many_requests", 429, .later, "Too many requests wait, or have not been paid")
    package static let memoTooLong = FaultCode("payments.memo_too_long", 422, .never, "The text is too long")
}

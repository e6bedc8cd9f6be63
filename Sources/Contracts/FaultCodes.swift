/// Every refusal that exists, by the service that gives it.
extension FaultCode {
    // MARK: The bus: any ask

    package static let malformed = FaultCode("bus.malformed", 400, .never, "The message is malformed")
    package static let tooLarge = FaultCode("bus.too_large", 413, .never, "The message is too large")
    package static let unknownType = FaultCode("bus.unknown_type", 404, .never, "The service does not answer this type")
    package static let noWorker = FaultCode("bus.no_worker", 503, .later, "The service is not there")
    package static let queueFull = FaultCode("bus.queue_full", 503, .later, "Too many asks are waiting")
    package static let deadlineExceeded = FaultCode(
        "bus.deadline_exceeded", 504, .later, "The deadline passed before anything was done")
    package static let outcomeUnknown = FaultCode(
        "bus.outcome_unknown", 504, .sameKey, "The deadline passed before the outcome was known")
    package static let workerLost = FaultCode(
        "bus.worker_lost", 503, .sameKey, "The service stopped before it answered")
    package static let cancelled = FaultCode("bus.cancelled", 499, .sameKey, "The asker gave up")
    package static let unavailable = FaultCode("bus.unavailable", 503, .sameKey, "The service is in trouble")
    package static let forbidden = FaultCode("bus.forbidden", 403, .never, "The actor may not do this")

    /// Those that any ask may meet.
    package static let common: [FaultCode] = [
        .malformed, .tooLarge, .unknownType, .noWorker, .queueFull, .deadlineExceeded, .outcomeUnknown, .workerLost,
        .cancelled, .unavailable, .forbidden
    ]

    // MARK: wallet

    package static let idReused = FaultCode(
        "wallet.id_reused", 422, .never, "The same id was used for something else")
    package static let insufficientFunds = FaultCode("wallet.insufficient_funds", 402, .never, "Insufficient funds")
    package static let amountInvalid = FaultCode("wallet.amount_invalid", 422, .never, "The amount is not valid")
    package static let currencyMismatch = FaultCode("wallet.currency_mismatch", 422, .never, "Wrong currency")
    package static let noCard = FaultCode("wallet.no_card", 409, .never, "No card")
    package static let cardNotFound = FaultCode("wallet.card_not_found", 404, .never, "There is no such card")
    package static let cardInvalid = FaultCode(
        "wallet.card_invalid", 422, .never, "A card has 16 digits and a code of 8")
    package static let cardTaken = FaultCode("wallet.card_taken", 409, .never, "This card is already registered")
    package static let tooManyCards = FaultCode("wallet.too_many_cards", 409, .never, "No more cards can be added")
    package static let accountNotFound = FaultCode("wallet.account_not_found", 404, .never, "There is no such account")
    package static let holdNotFound = FaultCode("wallet.hold_not_found", 404, .never, "There is no such hold")
    package static let holdCaptured = FaultCode("wallet.hold_captured", 409, .never, "The hold is already captured")
    package static let holdVoided = FaultCode("wallet.hold_voided", 409, .never, "The hold is void")
    package static let holdExpired = FaultCode("wallet.hold_expired", 409, .never, "The hold has expired")
    package static let paymentNotFound = FaultCode("wallet.payment_not_found", 404, .never, "There is no such payment")
    package static let paymentClosed = FaultCode("wallet.payment_closed", 409, .never, "The payment was closed")
    package static let paymentPosted = FaultCode("wallet.payment_posted", 409, .never, "The payment is already made")
    package static let refundTooLarge = FaultCode(
        "wallet.refund_too_large", 422, .never, "More would be refunded than was paid")
    package static let selfTransfer = FaultCode("wallet.self_transfer", 422, .never, "From and to are the same account")

    // MARK: payments

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
        "payments.presence_required", 422, .never, "The place where the customer is has to be named")
    package static let tooManyRequests = FaultCode(
        "payments.too_many_requests", 429, .later, "Too many requests wait, or have not been paid")
    package static let memoTooLong = FaultCode("payments.memo_too_long", 422, .never, "The text is too long")

    // MARK: location

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

    // MARK: offers

    package static let offerNotFound = FaultCode("offers.offer_not_found", 404, .never, "There is no such offer")
    package static let couponNotUsable = FaultCode(
        "offers.coupon_not_usable", 409, .never, "The coupon cannot be used for this")
    package static let couponUsedUp = FaultCode("offers.coupon_used_up", 409, .never, "The coupon is used up")
    package static let couponMinimum = FaultCode(
        "offers.coupon_minimum", 422, .never, "The amount is below what the coupon asks for")
    package static let idReusedForCoupon = FaultCode(
        "offers.id_reused", 422, .never, "The same id was used for something else")
    package static let offerInvalid = FaultCode("offers.offer_invalid", 422, .never, "The offer is not valid")
    package static let offerChanged = FaultCode(
        "offers.offer_changed", 409, .never, "The offer has been changed since")
    package static let offerDecided = FaultCode(
        "offers.offer_decided", 409, .never, "The offer was decided on otherwise")
    package static let offerNotLive = FaultCode(
        "offers.offer_not_live", 409, .never, "Only accepted and enabled offers are sent, in their time")
    package static let tooManyOffers = FaultCode("offers.too_many_offers", 409, .never, "No more offers can be added")
    package static let offerCoordinateInvalid = FaultCode(
        "offers.coordinate_invalid", 422, .never, "There is no such point on the globe")
    package static let offerPlaceNotFound = FaultCode("offers.place_not_found", 404, .never, "There is no such place")
    package static let offerMerchantNotFound = FaultCode(
        "offers.merchant_not_found", 404, .never, "There is no such merchant")
    package static let offerCustomerNotFound = FaultCode(
        "offers.customer_not_found", 404, .never, "There is no such customer")
    package static let tooManySubscriptions = FaultCode(
        "offers.too_many_subscriptions", 409, .never, "No more merchants can be subscribed to")
    package static let preferencesInvalid = FaultCode(
        "offers.preferences_invalid", 422, .never, "The preferences are not valid")

    // MARK: notifications

    package static let addressInvalid = FaultCode(
        "notifications.address_invalid", 422, .never, "This is not a valid address")
    package static let noticeIDReused = FaultCode(
        "notifications.id_reused", 422, .never, "The same id was used for something else")
    package static let noticeNotFound = FaultCode(
        "notifications.notice_not_found", 404, .never, "There is no such notice")
    package static let messageInvalid = FaultCode(
        "notifications.message_invalid", 422, .never, "The message is not valid")
    package static let endpointInvalid = FaultCode(
        "notifications.endpoint_invalid", 422, .never, "Nothing can be sent there")
    package static let tooManyEndpoints = FaultCode(
        "notifications.too_many_endpoints", 409, .never, "No more registrations can be added")
    package static let quietHoursInvalid = FaultCode(
        "notifications.quiet_hours_invalid", 422, .never, "The quiet hours are not valid")
    package static let deliveryNotFound = FaultCode(
        "notifications.delivery_not_found", 404, .never, "There is no such delivery")
    package static let deliveryNotReplayable = FaultCode(
        "notifications.delivery_not_replayable", 409, .never, "The delivery arrived, or has nothing left to send")

    // MARK: auth

    package static let usernameTaken = FaultCode("auth.username_taken", 409, .never, "The username is taken")
    package static let usernameInvalid = FaultCode("auth.username_invalid", 422, .never, "The username is not valid")
    package static let passwordInvalid = FaultCode(
        "auth.password_invalid", 422, .never, "A password has 8 to 128 bytes")
    package static let nameInvalid = FaultCode("auth.name_invalid", 422, .never, "The name is not valid")
    package static let emailInvalid = FaultCode(
        "auth.email_invalid", 422, .never, "The e-mail address is not valid")
    package static let birthdateInvalid = FaultCode(
        "auth.birthdate_invalid", 422, .never, "The date of birth is not valid")
    package static let profileInvalid = FaultCode(
        "auth.profile_invalid", 422, .never, "What the account says of itself is not valid")
    package static let reasonInvalid = FaultCode("auth.reason_invalid", 422, .never, "The reason is not valid")
    package static let resetInvalid = FaultCode(
        "auth.reset_invalid", 401, .never, "The code is wrong, or its time is up")
    package static let registrationReused = FaultCode(
        "auth.id_reused", 422, .never, "The same id was used for another registration")
    package static let wrongCredentials = FaultCode(
        "auth.wrong_credentials", 401, .never, "The username or the password is wrong")
    package static let passwordRequired = FaultCode(
        "auth.password_required", 403, .never, "The present password has to be given too")
    package static let transfersHeld = FaultCode(
        "auth.transfers_held", 403, .later, "Transfers to others are held for a while")
    package static let lastAdministrator = FaultCode(
        "auth.last_administrator", 409, .never, "This is the only administrator")
    package static let tooManyAttempts = FaultCode("auth.too_many_attempts", 429, .later, "Too many attempts")
    package static let sessionNotFound = FaultCode(
        "auth.session_not_found", 401, .never, "There is no such session, or it has ended")
    package static let letterNotFound = FaultCode("auth.letter_not_found", 404, .never, "There is no such letter")
    package static let partyNotFound = FaultCode("auth.account_not_found", 404, .never, "There is no such account")
    package static let pinInvalid = FaultCode("auth.pin_invalid", 422, .never, "A PIN has four digits")
    package static let pinNotSet = FaultCode("auth.pin_not_set", 409, .never, "No PIN is set")
    package static let pinWrong = FaultCode("auth.pin_wrong", 401, .never, "Invalid Pin")
    package static let pinDelayed = FaultCode("auth.pin_delayed", 429, .later, "Too many wrong PINs; wait")
    package static let pinLocked = FaultCode("auth.pin_locked", 423, .never, "The PIN is locked")
    package static let pinRequired = FaultCode("auth.pin_required", 403, .never, "The PIN has to be entered first")
    package static let busy = FaultCode("auth.busy", 503, .later, "Too many log-ins at once")
}

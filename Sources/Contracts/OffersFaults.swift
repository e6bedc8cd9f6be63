/// Refusals that offers gives.
extension FaultCode {
    package static let offerNotFound = FaultCode("offers.offer_not_found", 404, .never, "There is no such offer")
    package static let couponNotUsable = FaultCode(
        "offers.coupon_not_usable", 409, .never, "The coupon cannot be used for this")
    package static let couponUsedUp = FaultCode("offers.coupon_used_up", 409, .never, "The coupon is used up")
    package static let couponMinimum = FaultCode(
        "offers.coupon_minimum", 422, .never, "The amount is below the coupon's minimum")
    package static let idReusedForCoupon = FaultCode(
        "offers.id_reused", 422, .never, "The same id was used for something else")
    package static let offerInvalid = FaultCode("offers.offer_invalid", 422, .never, "The offer is not valid")
    package static let offerChanged = FaultCode(
        "offers.offer_changed", 409, .never, "The offer has been changed since")
    package static let offerDecided = FaultCode(
        "offers.offer_decided", 409, .never, "The offer already has another decision")
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
}

extension FaultCode {
    package static let pageInvalid = FaultCode("storefront.page_invalid", 422, .never, "The page is not valid")
    package static let contrastTooLow = FaultCode(
        "storefront.contrast_too_low", 422, .never, "The colours are hard to read on each other")
    package static let pageMerchantNotFound = FaultCode(
        "storefront.merchant_not_found", 404, .never, "There is no such merchant")
    package static let logoInvalid = FaultCode(
        "storefront.logo_invalid", 422, .never, "This image cannot be used")
    package static let logoNotFound = FaultCode(
        "storefront.logo_not_found", 404, .never, "This merchant has no logo of this kind")
    package static let pageNotFound = FaultCode("storefront.page_not_found", 404, .never, "This merchant has no page")
}

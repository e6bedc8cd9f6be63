/// Every route there is. What is not listed here does not exist, neither in the router nor in the document.
package enum RouteTable {
    package static let all: [Route] =
        accounts + categories + profiles + passwordResets + merchants + sessions + pins + cards + payments
        + paymentSettings
        + payCodes + charges + chargePermissions + chargeAnswers + activities + sales + transfers + merchantAccount
        + location + places
        + offers
        + offerApprovals + deals + dealSubscriptions + notices + endpoints + noticeSettings + deadLetters + tables
        + ordering + routines + storefront + desk
        + devices + ops + service

    /// The document of these routes. Making it takes some milliseconds, and megabytes that its JSON does not need.
    package static var document: OpenAPIDocument { OpenAPIDocument(all) }
}

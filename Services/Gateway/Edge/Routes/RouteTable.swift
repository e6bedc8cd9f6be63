/// Every route there is. What is not listed here does not exist, neither in the router nor in the document.
package enum RouteTable {
    package static let all: [Route] =
        accounts + profiles + passwordResets + merchants + sessions + pins + cards + payments + paymentSettings
        + rewards + payCodes + charges + chargeAnswers + transfers + merchantAccount + location + places + offers
        + offerApprovals + deals + dealSubscriptions + notices + endpoints + noticeSettings + deadLetters + tables
        + devices + service

    /// The document of these routes. Made once: it takes some milliseconds.
    package static let document = OpenAPIDocument(all)
}

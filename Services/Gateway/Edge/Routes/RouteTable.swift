/// Every route there is. What is not listed here does not exist, neither in the router nor in the document.
package enum RouteTable {
    package static let all: [Route] =
        accounts + sessions + pins + cards + payments + paymentSettings + rewards + payCodes + charges + chargeAnswers
        + transfers + merchantAccount + location + places + notices + endpoints
        + noticeSettings + deadLetters + devices + service

    /// The document of these routes. Made once: it takes some milliseconds.
    package static let document = OpenAPIDocument(all)
}

import Primitives

/// A way out of the house: one attempt at one delivery. Never throws: what went wrong is the attempt's outcome.
package protocol Provider: Sendable {
    func send(_ delivery: Delivery, at now: Timestamp) async -> DeliveryRules.Attempt
}

extension DeliveryRules.Attempt {
    /// What a status means where a receiver has no say of its own: 408, 425, 429 and 5xx may pass, all else will not.
    static func of(_ answer: HTTPAnswer) -> DeliveryRules.Attempt {
        switch answer.status {
        case 200..<300: .delivered()
        case 408, 425, 429, 500...: .failed("HTTP \(answer.status)", retryAfter: answer.retryAfter)
        default: .refused("HTTP \(answer.status)")
        }
    }
}

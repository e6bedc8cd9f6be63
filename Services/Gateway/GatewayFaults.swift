import Contracts

/// Refusals that the gateway itself gives, before anything is asked of anyone.
extension FaultCode {
    package static let notFound = FaultCode("gateway.not_found", 404, .never, "There is nothing at this path")
    package static let methodNotAllowed = FaultCode(
        "gateway.method_not_allowed", 405, .never, "This path does not take this method")
    package static let mediaTypeUnsupported = FaultCode(
        "gateway.media_type_unsupported", 415, .never, "Bodies are application/json")
    package static let tokenMissing = FaultCode("gateway.token_missing", 401, .never, "A bearer token is needed")
    package static let keyMissing = FaultCode("gateway.key_missing", 400, .never, "An Idempotency-Key is needed")
    package static let keyInvalid = FaultCode("gateway.key_invalid", 400, .never, "The Idempotency-Key is not valid")
    package static let keyInFlight = FaultCode(
        "gateway.key_in_flight", 409, .sameKey, "A request with this Idempotency-Key is still running")
    package static let rateLimited = FaultCode("gateway.rate_limited", 429, .later, "Too many requests")
    package static let accountBusy = FaultCode(
        "gateway.account_busy", 429, .later, "Too many requests of this account are running")
    package static let deviceNotFound = FaultCode(
        "gateway.device_not_found", 404, .never, "There is no such device, or it was closed")
    package static let deviceReused = FaultCode(
        "gateway.device_reused", 422, .never, "The same key was used for a device that pays another merchant")
    package static let deviceBusy = FaultCode(
        "gateway.device_busy", 429, .later, "Too many touches of this device are waiting")
    package static let touchReused = FaultCode(
        "gateway.touch_reused", 422, .never, "The same touchId was used for another touch")
    package static let tooManyDevices = FaultCode("gateway.too_many_devices", 503, .later, "Too many devices are open")
    package static let tooManyListeners = FaultCode(
        "gateway.too_many_listeners", 429, .later, "Too many listen to this device")
    package static let tooManyStreams = FaultCode(
        "gateway.too_many_streams", 429, .later, "Too many event streams and downloads are open")
    package static let requestUnreadable = FaultCode(
        "gateway.request_unreadable", 400, .never, "The request cannot be read")
    package static let headTooLarge = FaultCode(
        "gateway.head_too_large", 431, .never, "The request's line and header fields are too long")
    package static let requestLate = FaultCode(
        "gateway.request_late", 408, .later, "The rest of the request did not come in time")
    package static let tooManyConnections = FaultCode(
        "gateway.too_many_connections", 503, .later, "There is no room for this connection or what it sends")
    package static let noPayCode = FaultCode("gateway.no_pay_code", 404, .never, "The device shows no pay code")

    package static let passwordsDiffer = FaultCode(
        "gateway.passwords_differ", 422, .never, "The password and its confirmation differ")
    package static let crossSite = FaultCode(
        "gateway.cross_site", 403, .never, "Requests with a cookie have to come from a page of this gateway")
    package static let websiteOnly = FaultCode(
        "gateway.website_only", 403, .never, "This is done on the merchant's website only")
    package static let otherRole = FaultCode(
        "gateway.other_role", 403, .never, "This account has another role than the log-in names")

    package static let gateway: [FaultCode] = [
        .notFound, .methodNotAllowed, .mediaTypeUnsupported, .tokenMissing, .keyMissing, .keyInvalid, .keyInFlight,
        .rateLimited, .accountBusy, .deviceNotFound, .deviceReused, .deviceBusy, .touchReused, .tooManyDevices,
        .tooManyListeners, .tooManyStreams, .requestUnreadable, .headTooLarge, .requestLate, .tooManyConnections,
        .noPayCode, .passwordsDiffer, .crossSite, .websiteOnly, .otherRole
    ]

    /// What any ask of the bus may be refused with, as it is seen through the gateway.
    static let throughBus = FaultCode.common.filter { $0 != .unknownType }
}

extension FaultCode {
    fileprivate var advice: String? {
        if self == .insufficientFunds {
            return """
                No money was moved, and this outcome stays. Once there is enough money: the merchant sends a request \
                for money again, the customer shows a new code, and anything else is sent with a new Idempotency-Key
                """
        }
        if code.hasSuffix(".id_reused") {
            return """
                This request did nothing. An earlier one with the same Idempotency-Key, of other content or for \
                something that was removed since, may have been carried out: find out what it did before you send this \
                one with a new key
                """
        }
        guard code.hasPrefix("bus.") else { return nil }
        return switch retry {
        case .later: "Nothing was done: send the request again later"
        case .sameKey:
            """
            Whether it was done is not known: send the same request again. With the same Idempotency-Key it is done \
            once at most
            """
        case .never: nil
        }
    }
}

extension Fault {
    /// With whether anything was done, and what to do next, where the refusal itself says neither.
    var withAdvice: Fault {
        guard detail == nil else { return self }
        var advised = self
        advised.detail = code.advice
        return advised
    }

    /// The refusal as clients see it.
    ///
    /// That a service does not know a type is a fault of the installation, not a thing that the client cannot find; and
    /// a status that is none must not become one.
    var atTheEdge: Fault {
        if code == .unknownType { return Fault(.unavailable) }
        guard (400...599).contains(code.status) else {
            return Fault(
                FaultCode(code.code, 500, code.retry, code.title), detail, retryAfterSeconds: retryAfterSeconds,
                replayed: replayed)
        }
        return self
    }
}

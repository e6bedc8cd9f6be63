import Contracts
import Primitives

/// What may be registered as an endpoint.
package struct AddressRules: Sendable {
    package static let registrationBytesMax = 1000

    /// `BILLFOLD_PUSH_PRIVATE`: allows http and private addresses, for tests and for push services in the own network.
    package let allowsPrivate: Bool

    package init(allowsPrivate: Bool = false) { self.allowsPrivate = allowsPrivate }

    func channel(_ type: Int64) throws(Fault) -> Medium {
        guard let channel = Medium(rawValue: type), channel != .mail else {
            throw Fault(.endpointInvalid, "'type' is 1 (Android), 2 (iOS), 3 (website) or 4 (web hook)")
        }
        return channel
    }

    /// An address as it is kept and compared.
    func checked(_ address: String, _ channel: Medium) throws(Fault) -> String {
        try check(address, channel)
        // Hexadecimal digits: two spellings are one phone.
        return channel == .ios ? address.lowercased() : address
    }

    private func check(_ address: String, _ channel: Medium) throws(Fault) {
        switch channel {
        case .android, .mail:
            guard (1...Self.registrationBytesMax).contains(address.utf8.count),
                address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else { throw Fault(.endpointInvalid, "a registration id is visible ASCII") }
        case .ios:
            guard (64...200).contains(address.utf8.count), address.utf8.count % 2 == 0,
                address.utf8.allSatisfy({ isHex($0) })
            else { throw Fault(.endpointInvalid, "a device token is 64 to 200 hexadecimal digits") }
        case .website, .hook:
            guard let url = WebAddress(address) else {
                throw Fault(
                    .endpointInvalid,
                    "a URL is https:// and a host in ASCII, without a user, without '#' and characters that URLs escape"
                )
            }
            guard url.isSecure || allowsPrivate else {
                throw Fault(.endpointInvalid, "a URL has to begin with https://")
            }
            // Names are resolved and checked at each attempt.
            if !allowsPrivate, let bytes = IPAddress.bytes(url.host), !PublicAddress.contains(bytes) {
                throw Fault(.endpointInvalid, "the URL must lead to a public address")
            }
        }
    }

    func endpoint(
        _ ask: Notifications.AddEndpoint, _ channel: Medium, secret: [UInt8]?, at now: Timestamp
    ) throws(Fault) -> Endpoint {
        let address = try checked(ask.address, channel)
        var keys: (p256dh: [UInt8], auth: [UInt8])?
        if channel == .website {
            guard let p256dh = ask.p256dh.flatMap(Base64URL.decode), let auth = ask.auth.flatMap(Base64URL.decode),
                auth.count == 16, WebPushMessage.isPublicKey(p256dh)
            else { throw Fault(.endpointInvalid, "a subscription has the keys 'p256dh' and 'auth' (RFC 8291)") }
            keys = (p256dh, auth)
        } else if ask.p256dh != nil || ask.auth != nil {
            throw Fault(.endpointInvalid, "only a website's subscription has keys")
        }
        return Endpoint(
            id: ask.endpoint, account: ask.account, channel: channel, address: address, p256dh: keys?.p256dh,
            auth: keys?.auth, secret: secret, created: now)
    }

    private func isHex(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...102).contains(byte | 0x20)
    }
}

import Glibc

/// An IP address as its 128 bits; one of version 4 is `::ffff:a.b.c.d`, as systems with both write it.
package struct IPAddress: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    private static let mappedPrefix: UInt64 = 0xFFFF_0000_0000

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Nil unless the text is an address in its usual form, without a port.
    package init?(_ text: some StringProtocol) {
        var v4 = in_addr()
        var v6 = in6_addr()
        let text = String(text)
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(high: 0, low: Self.mappedPrefix | UInt64(UInt32(bigEndian: v4.s_addr)))
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self = withUnsafeBytes(of: v6) { bytes in
                IPAddress(
                    high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                    low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
            }
        } else {
            return nil
        }
    }

    private var isVersion4: Bool { high == 0 && low >> 32 == Self.mappedPrefix >> 32 }

    package var isLoopback: Bool { isVersion4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

    /// What counts as one client: an IPv6 customer holds 2^64 addresses, so that their network is one. IPv4 as it is.
    package var client: IPAddress { isVersion4 ? self : IPAddress(high: high, low: 0) }

    /// Addresses that begin alike: `10.0.0.0/8`, `2001:db8::/32`, or one address.
    package struct Range: Hashable, Sendable {
        private let base: IPAddress
        private let bits: Int

        /// Nil unless the text is an address, or one with the number of its leading bits that count.
        package init?(_ text: some StringProtocol) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard let base = IPAddress(parts[0]), parts.count <= 2 else { return nil }
            let (skipped, most) = base.isVersion4 ? (96, 32) : (0, 128)
            var bits = most
            if parts.count == 2 {
                guard let stated = Int(parts[1]), (0...most).contains(stated) else { return nil }
                bits = stated
            }
            self.base = base
            self.bits = skipped + bits
        }

        package func contains(_ address: IPAddress) -> Bool {
            let highMask = bits >= 64 ? UInt64.max : ~(UInt64.max >> bits)
            let lowMask = bits <= 64 ? 0 : ~(bits >= 128 ? 0 : UInt64.max >> (bits - 64))
            return (address.high ^ base.high) & highMask == 0 && (address.low ^ base.low) & lowMask == 0
        }
    }
}

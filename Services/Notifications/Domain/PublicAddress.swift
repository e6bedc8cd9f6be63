/// Which IP addresses are public. Users give us URLs, and we connect to public addresses only: others belong to our own
/// network.
package enum PublicAddress {
    /// - Parameter bytes: 4 of IPv4, 16 of IPv6, as on the wire.
    package static func contains(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: containsV4(bytes)
        case 16: containsV6(bytes)
        default: false
        }
    }

    /// The IANA special-purpose registry (RFC 6890 and its successors), multicast and reserved ranges.
    private static func containsV4(_ bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (224...255, _, _): false
        case (100, 64...127, _): false  // carrier-grade NAT
        case (169, 254, _): false  // link-local; cloud metadata
        case (172, 16...31, _), (192, 168, _): false
        case (192, 0, 0), (192, 0, 2), (198, 51, 100), (203, 0, 113): false
        case (192, 88, 99): false  // 6to4 relay
        case (198, 18...19, _): false
        default: true
        }
    }

    /// Global unicast (2000::/3) only, without ranges that embed an IPv4 address or are set apart.
    private static func containsV6(_ bytes: [UInt8]) -> Bool {
        // ::ffff:0:0/96, IPv4-mapped, and 64:ff9b::/96, NAT64: as public as the address inside.
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return containsV4(Array(bytes[12...]))
        }
        if bytes[..<4].elementsEqual([0, 0x64, 0xFF, 0x9B]), bytes[4..<12].allSatisfy({ $0 == 0 }) {
            return containsV4(Array(bytes[12...]))
        }
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0x20, 0x01, 0x00...0x01, _): return false  // 2001::/23, Teredo and protocol assignments
        case (0x20, 0x01, 0x0D, 0xB8): return false  // documentation
        case (0x20, 0x02, _, _): return containsV4(Array(bytes[2..<6]))  // 6to4
        case (0x3F, 0xFF, 0x00...0x0F, _): return false  // documentation
        default: return true
        }
    }
}

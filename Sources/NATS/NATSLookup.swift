import CLinux
import Glibc

/// A server's addresses, which are looked up while the thread that wants them goes on.
final class NATSLookup {
    private let lookup: UnsafeMutablePointer<billfold_lookup>

    /// - Parameter host: a name, an IPv4 address, or an IPv6 address without brackets.
    init(_ host: String, port: Substring) throws(NATSFault) {
        guard let lookup = billfold_begin_lookup(host, String(port)) else {
            throw .lost("\(host) cannot be looked up")
        }
        self.lookup = lookup
    }

    deinit { billfold_end_lookup(lookup) }

    /// In the order in which they are to be tried; nil while the lookup is under way.
    func found() throws(NATSFault) -> [NATSAddress]? {
        guard billfold_lookup_is_over(lookup) != 0 else { return nil }
        var addresses: [NATSAddress] = []
        var next = billfold_found(lookup)
        while let entry = next?.pointee {
            addresses.append(NATSAddress(entry))
            next = entry.ai_next
        }
        guard !addresses.isEmpty else { throw .lost("\(String(cString: lookup.pointee.request.name)) has no address") }
        return addresses
    }
}

/// An IPv4 or IPv6 address and a port, as the kernel has them.
struct NATSAddress {
    let family: Int32
    let bytes: [UInt8]

    init(_ entry: addrinfo) {
        family = entry.ai_family
        bytes = Array(UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen)))
    }
}

import CLinux
import Glibc

/// An IPv4 address and port.
package struct HTTPAddress: Sendable {
    package let text: String
    private let host: in_addr
    private let port: UInt16

    /// - Parameter text: such as `127.0.0.1:8080`.
    package init(_ text: String) throws(LoadUsageError) {
        let parts = text.split(separator: ":")
        var host = in_addr()
        guard parts.count == 2, let port = UInt16(parts[1]), inet_pton(AF_INET, String(parts[0]), &host) == 1 else {
            throw LoadUsageError("'\(text)' is not an IPv4 address and a port, as 127.0.0.1:8080")
        }
        (self.text, self.host, self.port) = (text, host, port)
    }

    /// Binds a socket to one of this machine's loopback addresses by number, from 127.0.0.1 on. Does nothing for an
    /// address of another network.
    func bind(_ descriptor: Int32, toLoopback number: Int) -> Bool {
        guard UInt32(bigEndian: host.s_addr) >> 24 == 127 else { return true }
        var one: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &one, socklen_t(MemoryLayout<Int32>.size))
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = (0x7F00_0001 + UInt32(number)).bigEndian
        return withUnsafePointer(to: &own) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    func connect(_ descriptor: Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = host
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

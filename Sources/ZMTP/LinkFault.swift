import Glibc

/// Why a connection ended.
package enum LinkFault: Error, Equatable, CustomStringConvertible {
    /// The peer closed it.
    case closed
    case notZMTP3
    /// A security mechanism other than NULL.
    case mechanism
    /// A kind of socket that cannot meet ours.
    case wrongPeer
    /// A name that begins with a zero byte (RFC 23).
    case forbiddenName
    case brokenFrame
    case frameTooLarge
    case messageTooLarge
    /// What the kernel said.
    case system(Int32)

    /// The kernel's reason; 0 for any other.
    package var code: Int32 { if case .system(let code) = self { code } else { 0 } }

    package var description: String {
        switch self {
        case .closed: "closed by the peer"
        case .notZMTP3: "the peer does not speak ZMTP 3"
        case .mechanism: "the peer asks for another security mechanism than NULL"
        case .wrongPeer: "the peer's kind of socket cannot be met by ours"
        case .forbiddenName: "the peer names itself with a zero byte in front"
        case .brokenFrame: "a frame that ZMTP does not have"
        case .frameTooLarge: "a frame above the bound"
        case .messageTooLarge: "a message above the bound"
        case .system(let code): String(cString: strerror(code))
        }
    }
}

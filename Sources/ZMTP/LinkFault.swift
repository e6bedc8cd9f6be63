/// Why a connection ended.
package enum LinkFault: Error, Equatable {
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
}

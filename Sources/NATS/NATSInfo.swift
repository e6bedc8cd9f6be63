import Wire

/// What a server says of itself, at first and when it changes.
package struct NATSInfo: Equatable {
    package var requiresTLS = false
    package var offersTLS = false
    /// To be signed by who has a key.
    package var nonce: String?
    /// What a message's body may have.
    package var bodyBytesMax = 1 << 20
    /// `HOST:PORT` of the cluster's servers.
    package var servers: [String] = []
    /// Whether it is about to stop, and wants its clients to leave.
    package var isLeaving = false

    package init() {}

    package init(_ json: UnsafeRawBufferPointer) throws(NATSFault) {
        let read: JSONValue
        do throws(WireError) { read = try JSONValue(parsing: json) } catch {
            throw .lost("what the server says of itself cannot be read: \(error.reason)")
        }
        requiresTLS = read["tls_required"] == .bool(true)
        offersTLS = requiresTLS || read["tls_available"] == .bool(true)
        isLeaving = read["ldm"] == .bool(true)
        if case .string(let text)? = read["nonce"] { nonce = text }
        if case .integer(let count)? = read["max_payload"] { bodyBytesMax = max(0, Int(count)) }
        if case .array(let urls)? = read["connect_urls"] {
            servers = urls.compactMap { if case .string(let url) = $0 { url } else { nil } }
        }
    }
}

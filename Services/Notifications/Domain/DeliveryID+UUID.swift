import Contracts
import Primitives

extension DeliveryID {
    /// The 16 bytes in the form of a UUID (RFC 9562 section 4), as APNs requires.
    package var uuid: String {
        let text = hex
        var parts: [Substring] = []
        var rest = text[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return parts.joined(separator: "-")
    }
}

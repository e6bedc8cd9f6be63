import CNATS
import Glibc

/// A message that has come in, in libnats's memory until ``free()``.
package struct NATSMessage {
    private let raw: OpaquePointer

    init(_ raw: OpaquePointer) { self.raw = raw }

    /// Nil for a message that wants no answer.
    package var replySubject: UnsafePointer<CChar>? { natsMsg_GetReply(raw) }

    package var subject: UnsafeBufferPointer<UInt8> {
        guard let text = natsMsg_GetSubject(raw) else { return UnsafeBufferPointer(start: nil, count: 0) }
        let count = strlen(text)
        return UnsafeRawBufferPointer(start: text, count: count).assumingMemoryBound(to: UInt8.self)
    }

    package var body: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: natsMsg_GetData(raw), count: Int(natsMsg_GetDataLength(raw)))
    }

    /// Whether the server says that nobody subscribes to what was asked.
    package var saysNobody: Bool { natsMsg_GetDataLength(raw) == 0 && natsMsg_IsNoResponders(raw) }

    package func free() { natsMsg_Destroy(raw) }
}

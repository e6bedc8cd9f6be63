import Contracts
import NIOCore
import TouchApp
import Wire

/// The text of server-sent events (HTML Standard, section 9.2.6).
enum EventText {
    /// - Parameter data: JSON, which is one line: it escapes line breaks.
    static func of(_ event: String, _ data: [UInt8], id: String? = nil) -> [UInt8] {
        Array(((id.map { "id: \($0)\n" } ?? "") + "event: \(event)\ndata: ").utf8) + data + Array("\n\n".utf8)
    }

    /// A comment: that the connection is there.
    static let heartbeat = ByteBuffer(string: ":\n\n")
    static let closed = ByteBuffer(bytes: of("closed", Array("{}".utf8)))

    /// The event's id is the notice's number, with which a client goes on after a break (`Last-Event-ID`).
    static func of(_ notice: Notifications.NoticeView) -> [UInt8] {
        of("notice", notice.json, id: String(notice.number))
    }

    static func of(_ news: Device.News) -> ByteBuffer {
        switch news {
        case .display(let shown):
            ByteBuffer(bytes: of("display", shown.display.json, id: String(shown.revision)))
        case .heartbeat: heartbeat
        case .closed: closed
        }
    }
}

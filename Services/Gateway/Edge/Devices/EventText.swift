import Contracts
import TouchApp
import Wire

/// The text of server-sent events (HTML Standard, section 9.2.6).
enum EventText {
    /// The event's id is the notice's number, with which a client goes on after a break (`Last-Event-ID`).
    static func of(_ notice: Notifications.NoticeView) -> [UInt8] {
        Array("id: \(notice.number)\nevent: notice\ndata: ".utf8) + notice.json + Array("\n\n".utf8)
    }

    static func of(_ news: Device.News) -> [UInt8] {
        switch news {
        case .display(let shown):
            var text = Array("id: \(shown.revision)\nevent: display\ndata: ".utf8)
            text += shown.display.json  // One line: JSON escapes line breaks.
            return text + Array("\n\n".utf8)
        case .beat: return Array(":\n\n".utf8)
        case .closed: return Array("event: closed\ndata: {}\n\n".utf8)
        }
    }
}

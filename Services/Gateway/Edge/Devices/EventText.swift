import TouchApp
import Wire

/// The text of server-sent events (HTML Standard, section 9.2.6).
enum EventText {
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

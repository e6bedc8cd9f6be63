import Contracts

/// What a routine belongs to: a time of day, or something of the whole day.
package struct Tag: Sendable, Equatable {
    /// Trimmed and in lower case.
    package let text: String

    /// - Throws: `routines.tag_invalid`.
    package init(_ text: String) throws(Fault) {
        let text = text.trimmed.lowercased()
        guard text.isShownAndVisible, (1...30).contains(text.utf8.count) else { throw Fault(.routineTagInvalid) }
        self.text = text
    }

    /// The tags that name a time of day, in minutes after midnight.
    package static let windows: [(tag: String, minutes: Range<Int>)] = [
        ("morning", 360..<720), ("afternoon", 720..<1020), ("evening", 1020..<1260), ("night", 1260..<1440)
    ]

    /// The minutes of the day that routines of this tag may have.
    package var window: Range<Int> { Self.window(of: text) }

    package static func window(of text: String?) -> Range<Int> {
        windows.first { $0.tag == text }?.minutes ?? 0..<Schedule.dayMinutes
    }
}

extension String {
    var trimmed: String {
        let start = unicodeScalars.firstIndex { !$0.properties.isWhitespace } ?? endIndex
        guard let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(self[start..<unicodeScalars.index(after: last)])
    }
}

import Contracts

/// What may be noted.
enum NoteRules {
    /// - Throws: `routines.text_invalid`.
    static func check(_ text: String, bytesMax: Int) throws(Fault) {
        guard (1...bytesMax).contains(text.utf8.count), text.unicodeScalars.contains(where: isVisible) else {
            throw Fault(.routinesTextInvalid, "a note has 1 to \(bytesMax) bytes, and something to see")
        }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool { !scalar.properties.isWhitespace }
}

extension String {
    /// Whether others can see all that is in the text: nothing that controls a screen, reorders the text around it or
    /// is invisible. The one rule for memos, names, titles, contents and messages.
    ///
    /// Refused are control characters, line and paragraph separators, and what Unicode calls ignorable: marks,
    /// overrides and isolates of direction, joiners, fillers, tags. Allowed of these is what writing needs: a zero
    /// width joiner between two emoji, a joiner or non-joiner behind a letter or sign of a script that joins (Arabic to
    /// Khmer, Mongolian), and one variation selector behind a character that is seen.
    package var isShown: Bool {
        // Most texts.
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return true }
        var before: Unicode.Scalar?
        var isEmojiDue = false
        for scalar in unicodeScalars {
            if isEmojiDue, !scalar.isPictorial { return false }
            isEmojiDue = false
            if scalar.properties.isDefaultIgnorableCodePoint {
                guard let before, !before.properties.isDefaultIgnorableCodePoint || before.isEmojiSelector else {
                    return false
                }
                switch scalar.value {
                case 0x200D where before.isPictorial || before.isEmojiSelector: isEmojiDue = true
                case 0x200C, 0x200D: guard before.isOfJoiningScript else { return false }
                default:
                    guard scalar.properties.isVariationSelector, !before.properties.isWhitespace,
                        !before.properties.isDefaultIgnorableCodePoint
                    else { return false }
                }
            } else {
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: return false
                // Numbers' signs of Arabic and Syriac are seen; what annotates between lines is not.
                case .format where (0xFFF9...0xFFFB).contains(scalar.value): return false
                default: break
                }
            }
            before = scalar
        }
        return !isEmojiDue
    }

    /// The same of a text that has to say something.
    package var isShownAndVisible: Bool {
        unicodeScalars.contains { !$0.properties.isWhitespace } && isShown
    }
}

extension Unicode.Scalar {
    /// An emoji, or what changes its skin; digits, which Unicode counts among them, are none.
    fileprivate var isPictorial: Bool { value > 0xFF && (properties.isEmoji || properties.isEmojiModifier) }

    fileprivate var isEmojiSelector: Bool { value == 0xFE0F }

    /// Arabic, Syriac, N'Ko, the scripts of India, Tibetan, Myanmar, Khmer and Mongolian: there a joiner chooses a
    /// letter's form.
    fileprivate var isOfJoiningScript: Bool {
        switch value {
        case 0x0620...0x0DFF, 0x0F00...0x109F, 0x1780...0x18AF, 0x1CD0...0x1CFF, 0xA8E0...0xA8FF, 0xFB50...0xFDFF,
            0xFE70...0xFEFE:
            break
        default: return false
        }
        switch properties.generalCategory {
        case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: return true
        default: return false
        }
    }
}

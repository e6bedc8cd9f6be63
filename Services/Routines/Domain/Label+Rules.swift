import Contracts
import Foundation

extension Routines.Label {
    /// The label with its text trimmed.
    ///
    /// - Throws: `routines.name_missing` where there is nothing to read or to see, `routines.label_invalid`.
    package func checked() throws(Fault) -> Routines.Label {
        let text = text?.trimmed
        let images = images ?? []
        if text?.isEmpty ?? true, emoji == nil, images.isEmpty { throw Fault(.routineNameMissing) }
        if let text, !text.isEmpty {
            guard text.isShownAndVisible else { throw Fault(.routineLabelInvalid, "the text cannot be shown") }
        }
        if let emoji {
            guard emoji.count == 1, emoji.isShownAndVisible, emoji.unicodeScalars.contains(where: \.isEmoji) else {
                throw Fault(.routineLabelInvalid, "'emoji' must be one emoji")
            }
        }
        for image in images where Offered.pictures.contains(image) == false {
            guard Routines.ImageID(image) != nil else {
                throw Fault(.routineLabelInvalid, "an image must be an offered picture or an image of the account")
            }
        }
        return Routines.Label(
            text: text.flatMap { $0.isEmpty ? nil : $0 }, emoji: emoji, images: images.isEmpty ? nil : images)
    }

    /// The account's own images that it shows.
    package var ownImages: [Routines.ImageID] { (images ?? []).compactMap { Routines.ImageID($0) } }

    /// What two names are compared by: the text in one case and one Unicode form; without a text, what is seen.
    package var key: String {
        if let text { return "text " + text.lowercased().precomposedStringWithCanonicalMapping }
        if let emoji { return "emoji " + emoji }
        return "images " + (images ?? []).joined(separator: " ")
    }

    /// The same with the words of an offered picture where it has no other, for who can show words only.
    package func spoken(in language: Language) -> Routines.Label {
        guard text == nil, emoji == nil, let picture = images?.first,
            let words = Offered.words(for: picture, in: language)
        else { return self }
        return Routines.Label(text: words, images: images)
    }
}

extension Unicode.Scalar {
    /// Digits count as emoji for Unicode, and as none here unless a sign of its own turns them into one.
    fileprivate var isEmoji: Bool { value == 0x20E3 || value > 0xFF && properties.isEmoji }
}

import Contracts
import Foundation
import Primitives

extension Storefront.Theme {
    /// What words need on their ground, by WCAG 2.2 level AA.
    package static let contrastMin = 4.5

    /// - Throws: `storefront.page_invalid` for what is no colour, `storefront.contrast_too_low`.
    package func check() throws(Fault) {
        let (paper, ink, accent) = (try colour(paper), try colour(ink), try colour(accent))
        for (name, colour) in [("ink", ink), ("accent", accent)] {
            let contrast = colour.contrast(with: paper)
            guard contrast >= Self.contrastMin else {
                throw Fault(
                    .contrastTooLow,
                    "'\(name)' on 'paper' has \(Self.words(contrast)) to 1, and \(Self.words(Self.contrastMin)) are needed"
                )
            }
        }
    }

    /// White or black, whichever is easier to read on the accent: one of them always has 4.5.
    package var onAccent: String {
        guard let accent = Colour(accent), let white = Colour("#ffffff"), let black = Colour("#000000") else {
            return "#ffffff"
        }
        return accent.contrast(with: white) >= accent.contrast(with: black) ? "#ffffff" : "#000000"
    }

    /// Whether the paper is darker than the ink.
    package var isDark: Bool {
        guard let paper = Colour(paper), let ink = Colour(ink) else { return false }
        return paper.luminance < ink.luminance
    }

    private func colour(_ text: String) throws(Fault) -> Colour {
        guard let colour = Colour(text) else { throw Fault(.pageInvalid, "'\(text)' is no colour such as #00558c") }
        return colour
    }

    /// With two decimals, cut off: 4.499 is not 4.50.
    private static func words(_ contrast: Double) -> String {
        let hundredths = Int(contrast * 100)
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}

extension Storefront.Page {
    /// JSON of a page in bytes. An envelope of 64 KiB holds it in base64, as a row of a state that is handed over.
    private static let bytesMax = 45_000

    /// Checks a page beyond its fields' limits.
    ///
    /// - Throws: `storefront.page_invalid`, `storefront.contrast_too_low`.
    package func checkWhole() throws(Fault) {
        try theme.check()
        guard json.count <= Self.bytesMax else {
            throw Fault(.pageInvalid, "the page is longer than \(Self.bytesMax) bytes of JSON")
        }
        let texts = [name, logo, address, phone] + events.map(\.name)
        guard texts.allSatisfy(\.isShownAndVisible), ([welcome, about] + events.map(\.text)).allSatisfy(Self.isText)
        else { throw Fault(.pageInvalid, "each text must have a visible character") }
        guard TimeZone(identifier: zone) != nil else { throw Fault(.pageInvalid, "'zone' is no time zone") }
        for span in hours where span.closes <= span.opens {
            throw Fault(.pageInvalid, "'closes' must be later than 'opens'")
        }
        for day in 1...7 {
            let spans = hours.filter { $0.day == day }.sorted { $0.opens < $1.opens }
            for (one, next) in zip(spans, spans.dropFirst()) where next.opens < one.closes {
                throw Fault(.pageInvalid, "hours of one day overlap")
            }
        }
    }

    /// Paragraphs may have lines.
    private static func isText(_ text: String) -> Bool {
        text.split(separator: "\n").allSatisfy(\.description.isShown) && text.contains { !$0.isWhitespace }
    }

    /// The newest event first, the week from Monday on.
    package var sorted: Storefront.Page {
        Storefront.Page(
            name: name, logo: logo, theme: theme, welcome: welcome, about: about, address: address, phone: phone,
            zone: zone, hours: hours.sorted { ($0.day, $0.opens) < ($1.day, $1.opens) },
            events: events.enumerated().sorted { ($1.element.date, $0.offset) < ($0.element.date, $1.offset) }
                .map(\.element))
    }
}

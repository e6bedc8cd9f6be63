import Primitives
import Testing

@Suite("texts that others see")
struct ShownTextTests {
    @Test(
        "are written as people write",
        arguments: [
            "", "Coffee & cake, 2 × 1.50", "Käse, 咖啡, кофе, قهوة, קפה", "a\u{A0}b", "e\u{301}", "1️⃣", "❤️", "✌🏽", "👩‍🍳", "👩🏽‍🍳",
            "🏳️‍🌈", "👨‍👩‍👧‍👦", "می\u{200C}خواهم", "ශ්\u{200D}රී", "क्\u{200D}ष", "അവന്\u{200D}", "葛\u{E0100}", "\u{600}١٢"
        ])
    func shown(text: String) { #expect(text.isShown) }

    @Test(
        "hold nothing that is invisible, reorders what is around it or controls a screen",
        arguments: [
            "a\0b", "a\nb", "a\tb", "\u{1B}[2J", "a\u{7F}", "a\u{85}b", "a\u{2028}b", "a\u{2029}b",
            "\u{200B}", "a\u{200B}b", "a\u{200C}b", "a\u{200D}b", "a\u{200E}b", "a\u{200F}b", "\u{61C}a",
            "\u{202A}a", "\u{202B}a", "a\u{202C}", "a\u{202D}b", "evil\u{202E}dog", "a\u{2060}b", "a\u{2063}b",
            "a\u{2066}b",
            "a\u{2067}b", "a\u{2068}b", "a\u{2069}b", "\u{FEFF}a", "a\u{FEFF}b", "pay\u{AD}ment", "\u{3164}",
            "a\u{115F}b",
            "a\u{34F}b", "a\u{180E}b", "\u{FFF9}a\u{FFFB}", "🏴\u{E0067}\u{E007F}", "\u{FE0F}a", "a\u{FE0F}\u{FE0F}",
            " \u{FE0F}", "👩\u{200D}", "👩\u{200D}a", "👩\u{200D}\u{200D}🍳", "\u{200D}👩", "1\u{200D}2",
            "می\u{200C}\u{200C}خواهم", "\u{200C}می", "κ\u{200D}α"
        ])
    func notShown(text: String) {
        #expect(!text.isShown)
        #expect(!text.isShownAndVisible)
    }

    @Test("say something where they have to", arguments: [("", false), (" \u{A0} ", false), (" a ", true)])
    func visible(text: String, isVisible: Bool) { #expect(text.isShownAndVisible == isVisible) }
}

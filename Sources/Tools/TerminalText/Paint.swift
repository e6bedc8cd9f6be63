/// ANSI colours, or none.
package struct Paint {
    package let isOn: Bool

    package init(isOn: Bool) { self.isOn = isOn }

    package func strong(_ text: String) -> String { painted(text, "1") }
    package func quiet(_ text: String) -> String { painted(text, "2") }
    package func good(_ text: String) -> String { painted(text, "32") }
    package func bad(_ text: String) -> String { painted(text, "1;31") }
    package func waiting(_ text: String) -> String { painted(text, "33") }

    private func painted(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

import Foundation

/// Colours as people see them: WCAG 2.2, success criterion 1.4.3.
package struct Colour: Sendable, Equatable {
    let red: Int
    let green: Int
    let blue: Int

    /// `#rrggbb`; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), let value = Int(text.dropFirst(), radix: 16),
            text.dropFirst().allSatisfy(\.isHexDigit)
        else { return nil }
        (red, green, blue) = (value >> 16, value >> 8 & 255, value & 255)
    }

    /// The relative luminance, 0 to 1.
    package var luminance: Double {
        func linear(_ part: Int) -> Double {
            let share = Double(part) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// 1 to 21.
    package func contrast(with other: Colour) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }
}

/// A language that people read, by its ISO 639-1 code.
package enum Language: String, Codable, Sendable, CaseIterable {
    case en, de
}

import Foundation

extension LoadRun {
    /// The run as a file: sorted keys, a value a line, so that two of them can be compared by any tool.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return try encoder.encode(self)
    }

    /// Reads what `json()` wrote. Throws `LoadFormatError` for another format.
    package init(json: Data) throws {
        struct Header: Decodable { let format: String }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        let format = try decoder.decode(Header.self, from: json).format
        guard format == Self.currentFormat else { throw LoadFormatError(format: format) }
        self = try decoder.decode(Self.self, from: json)
    }
}

/// A stored run of a format that this version does not know.
package struct LoadFormatError: Error, Equatable, CustomStringConvertible {
    package let format: String

    package init(format: String) { self.format = format }

    package var description: String { "the run is stored as \(format); this version reads \(LoadRun.currentFormat)" }
}

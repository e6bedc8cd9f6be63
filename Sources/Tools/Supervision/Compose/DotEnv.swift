import Foundation

/// The settings of a file of `NAME=value` lines, as docker compose reads `.env`: `export` may stand before a name, and
/// a comment behind a value. Values are taken as they are: nothing in them is replaced.
///
/// Source: [Env file syntax](https://docs.docker.com/compose/how-tos/environment-variables/variable-interpolation/).
package enum DotEnv {
    /// - Returns: no settings where there is no such file.
    package static func read(_ path: String) throws(ComposeError) -> [String: String] {
        let bytes: Data
        do { bytes = try Data(contentsOf: URL(filePath: path)) } catch CocoaError.fileReadNoSuchFile {
            return [:]
        } catch {
            throw ComposeError("\(path) cannot be read, and its settings count: nothing was done")
        }
        do throws(ComposeError) { return try settings(String(decoding: bytes, as: UTF8.self)) } catch {
            throw ComposeError("\(path): \(error)")
        }
    }

    package static func settings(_ text: String) throws(ComposeError) -> [String: String] {
        var settings: [String: String] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            var words = line.trimmingCharacters(in: .whitespaces)[...]
            guard !words.isEmpty, words.first != "#" else { continue }
            if let export = words.prefixMatch(of: /export\s+/) { words = words[export.range.upperBound...] }
            guard let match = words.wholeMatch(of: /([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)/) else {
                throw ComposeError("line \(index + 1) is not NAME=value")
            }
            guard let value = value(match.2) else {
                throw ComposeError("line \(index + 1): behind the quotation marks of a value only a comment may stand")
            }
            settings[String(match.1)] = value
        }
        return settings
    }

    /// Nil for one in quotation marks with something behind it, or without the second one.
    private static func value(_ words: Substring) -> String? {
        guard let quote = words.first, quote == "\"" || quote == "'" else {
            return words.firstMatch(of: /^#|\s#/).map { words[..<$0.range.lowerBound] }.map(trimmed) ?? trimmed(words)
        }
        guard let end = words.dropFirst().firstIndex(of: quote) else { return nil }
        let rest = words[words.index(after: end)...]
        guard rest.wholeMatch(of: /\s*|\s+#.*/) != nil else { return nil }
        return String(words[words.index(after: words.startIndex)..<end])
    }

    private static func trimmed(_ words: Substring) -> String { words.trimmingCharacters(in: .whitespaces) }
}

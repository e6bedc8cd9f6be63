import Bus
import Wire

/// Texts that readers of JSON disagree about: each is refused, and no process ends of one.
enum OddText {
    /// A text that nothing holds, in whose place something goes that `JSONValue` cannot say.
    private static let mark = "billfold-check-odd"
    /// Deeper than the stack of a recursive reader, and still within an envelope.
    private static let depth = 20_000

    /// `data` with odd texts in the place of its members.
    static func variants(of data: JSONValue) -> [Malformed] {
        guard case .object(let members) = data, let first = members.first else { return [] }
        func with(_ odd: String, for key: String) -> [UInt8] {
            let text = data.replacing([key][...], by: .string(mark)).text
            return Array(
                text.split(separator: "\"\(mark)\"", maxSplits: 1, omittingEmptySubsequences: false)
                    .joined(separator: odd).utf8)
        }
        let nest = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        var variants = [
            Malformed(what: "with '\(first.key)' nested \(depth) deep", data: with(nest, for: first.key)),
            Malformed(what: "with the key '\(first.key)' escaped", data: Array(escapingKey(first.key, in: data).utf8)),
            Malformed(
                what: "with '\(first.key)' twice, once escaped",
                data: Array("{\"\(escaped(first.key))\":\(first.value.text),\(data.text.dropFirst())".utf8)),
            Malformed(what: "with something behind it", data: Array("\(data.text) {}".utf8)),
            Malformed(what: "with a comma too many", data: Array("\(data.text.dropLast()),}".utf8))
        ]
        if let key = members.first(where: { $0.value.typeName == .string })?.key {
            for odd in [#""\ud800""#, #""\udc00\ud800""#, #""\u0000""#] {
                variants.append(Malformed(what: "with \(odd) for '\(key)'", data: with(odd, for: key)))
            }
        }
        if let key = members.first(where: { $0.value.typeName == .integer })?.key {
            for odd in ["1180591620717411303424", "-9223372036854775809", "1e400", "NaN", "007"] {
                variants.append(Malformed(what: "with \(odd) for '\(key)'", data: with(odd, for: key)))
            }
        }
        return variants
    }

    /// Envelopes that are odd outside of their `data`; the envelope's own reader says which are none.
    static let envelopes: [(what: String, frame: [UInt8])] = {
        let rest = #""source":"check","type":"x.y.z.v1","data":{}}"#
        let nest = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        return [
            ("half of a surrogate pair as id", #"{"specversion":"1.0","id":"\ud800","# + rest),
            ("U+0000 in the id", #"{"specversion":"1.0","id":"a\u0000","# + rest),
            ("the key 'id' escaped", #"{"specversion":"1.0","\u0069d":"a","# + rest),
            ("'id' twice, once escaped", #"{"specversion":"1.0","id":"a","\u0069d":"b","# + rest),
            ("an attribute nested \(depth) deep", #"{"specversion":"1.0","id":"a","x":"# + nest + "," + rest),
            ("2^70 as an attribute", #"{"specversion":"1.0","id":"a","x":1180591620717411303424,"# + rest),
            ("something behind it", #"{"specversion":"1.0","id":"a","# + rest + "{}")
        ].map { (what: $0.0, frame: Array($0.1.utf8)) }.filter { (try? Envelope(json: $0.frame)) == nil }
    }()

    private static func escapingKey(_ key: String, in data: JSONValue) -> String {
        data.text.split(separator: "\"\(key)\":", maxSplits: 1, omittingEmptySubsequences: false)
            .joined(separator: "\"\(escaped(key))\":")
    }

    /// A name with its first letter, which is one of ASCII, as `\u00…`.
    private static func escaped(_ name: String) -> String {
        let code = String(name.utf8.first ?? 0x61, radix: 16)
        return "\\u00\(code)\(name.dropFirst())"
    }
}

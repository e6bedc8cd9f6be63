import Contracts
import Wire

/// Ways in which an ask's `data` breaks its contract. Made from data that is right; the contract's own reader says of
/// each whether it is wrong, so that nothing is called wrong that is not.
package struct Malformed: Sendable {
    /// `without 'amount'`.
    package let what: String
    package let data: [UInt8]

    /// Of one ask: more would only say the same again.
    private static let countMax = 80
    /// Objects within objects that are looked into.
    private static let depthMax = 3

    package static func variants<A: Ask>(of ask: A) -> [Malformed] {
        guard let right = try? JSONValue(parsing: ask.json) else { return [] }  // a contract writes what it can read
        var variants = [
            Malformed(what: "as an array", data: Array("[]".utf8)),
            Malformed(what: "as a text", data: Array("\"data\"".utf8))
        ]
        variants += changed(right, at: [], in: right)
        if case .object(let members) = right, let first = members.first {
            let twice = JSONValue.object(members + [first])
            variants.append(Malformed(what: "with '\(first.key)' twice", data: Array(twice.text.utf8)))
        }
        variants += OddText.variants(of: right)
        return Array(variants.filter { (try? A(json: $0.data)) == nil }.prefix(countMax))
    }

    /// A text that no ask holds, in whose place something goes that `JSONValue` cannot say.
    private static let mark = "billfold-check-mark"

    private static func changed(_ value: JSONValue, at path: [String], in whole: JSONValue) -> [Malformed] {
        guard case .object(let members) = value, path.count < depthMax else { return [] }
        func with(_ members: [JSONValue.Member]) -> [UInt8] {
            Array(whole.replacing(path[...], by: .object(members)).text.utf8)
        }
        var variants = [
            Malformed(
                what: path.isEmpty
                    ? "with an unknown field" : "with an unknown field in '\(path.joined(separator: "."))'",
                data: with(members + [JSONValue.Member("unheard", 1)]))
        ]
        for (index, member) in members.enumerated() {
            let name = (path + [member.key]).joined(separator: ".")
            var less = members
            less.remove(at: index)
            variants.append(Malformed(what: "without '\(name)'", data: with(less)))
            var other = members
            other[index] = JSONValue.Member(member.key, ["of": "another type"])
            variants.append(Malformed(what: "with another type for '\(name)'", data: with(other)))
            if case .integer = member.value {
                other[index] = JSONValue.Member(member.key, .string(mark))
                for number in ["1.5", "1e2", "100.0"] {
                    let text = String(decoding: with(other), as: UTF8.self)
                        .split(separator: "\"\(mark)\"", omittingEmptySubsequences: false).joined(separator: number)
                    variants.append(Malformed(what: "with \(number) for '\(name)'", data: Array(text.utf8)))
                }
            }
            variants += changed(member.value, at: path + [member.key], in: whole)
        }
        return variants
    }
}

extension JSONValue {
    func replacing(_ path: ArraySlice<String>, by value: JSONValue) -> JSONValue {
        guard let key = path.first, case .object(let members) = self else { return value }
        return .object(
            members.map { member in
                member.key != key
                    ? member : Member(key, member.value.replacing(path.dropFirst(), by: value))
            })
    }

    /// The same without one of an object's members.
    func without(_ key: String) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.key != key })
    }
}

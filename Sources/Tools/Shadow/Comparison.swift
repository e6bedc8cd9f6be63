import Primitives
import Sodium
import Wire

/// Finds where two answers to one ask differ without a reason that the contracts give.
package struct Comparison: Sendable {
    /// Between two clocks reads of one machine that should be the same moment.
    package static let clockMilliseconds: Int64 = 50

    private let rules: AnswerRules
    package private(set) var twins = Twins()
    /// The longest time after the live service's answer at which the candidate has answered.
    private var lagMilliseconds: Int64 = 0

    package init(_ rules: AnswerRules) { self.rules = rules }

    /// The candidate has answered so long after the live service was asked: its clock reads may be as much later.
    package mutating func lagged(_ milliseconds: Int64) { lagMilliseconds = max(lagMilliseconds, milliseconds) }

    /// What a client or another service has sent.
    package mutating func give(_ text: [UInt8]) { twins.give(text) }

    /// Where they differ. Of refusals only what programs decide by is compared: texts are for people (RFC 9457, 3.1).
    ///
    /// Ids that the two have made become twins if nothing differs.
    /// - Parameters:
    ///   - ignored: kinds of differences that are none, as `Difference.kind` names them.
    ///   - liveLag: the live answer was given so many milliseconds after the candidate's: it may say later moments.
    package mutating func differences(
        _ live: ComparedAnswer, _ shadow: ComparedAnswer, ignoring ignored: Set<String> = [], liveLag: Int64 = 0
    ) -> [Difference] {
        let clock = Self.clockMilliseconds
        var look = Look(rules: rules, twins: twins, later: -(liveLag + clock)...(lagMilliseconds + clock))
        if live.type != shadow.type {
            look.found.append(Difference(path: "type", live: .string(live.type), shadow: .string(shadow.type)))
        }
        if live.type != shadow.type || !live.type.hasSuffix(".reply") {
            for member in ["code", "status", "retry"] where live.data[member] != shadow.data[member] {
                guard live.type == shadow.type || (member == "code" && shadow.data[member] != nil) else { continue }
                look.found.append(
                    Difference(path: "data.\(member)", live: live.data[member], shadow: shadow.data[member]))
            }
        } else {
            look.compare(live.data, shadow.data, Place(path: "data", name: "data", schema: rules.data(of: live.type)))
        }
        let found = look.found.filter { !ignored.contains($0.kind) }
        if found.isEmpty { twins = look.twins }
        return found
    }
}

/// Where in an answer a value stands.
private struct Place {
    let path: String
    /// Of the field; of an element, its list's.
    let name: String
    let schema: JSONValue?
}

/// One look at two answers.
private struct Look {
    let rules: AnswerRules
    var twins: Twins
    /// Milliseconds by which a moment of the candidate's may be later than the live one.
    let later: ClosedRange<Int64>
    var found: [Difference] = []

    mutating func compare(_ live: JSONValue?, _ shadow: JSONValue?, _ place: Place) {
        guard found.count < ComparedAnswer.differencesMax else { return }
        switch (live, shadow) {
        case (.object(let one)?, .object(let other)?):
            for member in one { compare(member.value, shadow?[member.key], field(member.key, place)) }
            for member in other where live?[member.key] == nil {
                compare(nil, member.value, field(member.key, place))
            }
        case (.array(let one)?, .array(let other)?):
            if one.count != other.count {
                let (count, others) = (JSONValue.integer(Int64(one.count)), JSONValue.integer(Int64(other.count)))
                found.append(Difference(path: "\(place.path).count", live: count, shadow: others))
            }
            let schema = rules.element(of: place.schema)
            for (index, pair) in zip(one, other).enumerated() {
                compare(pair.0, pair.1, Place(path: "\(place.path)[\(index)]", name: place.name, schema: schema))
            }
        case (.string(let one)?, .string(let other)?):
            if !isSame(one, other, place) { found.append(Difference(path: place.path, live: live, shadow: shadow)) }
        default:
            // A field that may be absent may be null (docs/wire.md, "Strictness").
            guard (live ?? .null) != (shadow ?? .null) else { return }
            found.append(Difference(path: place.path, live: live, shadow: shadow))
        }
    }

    private static func digest(_ token: String) -> String { hexDigits(Digest.sha256(Array(token.utf8))) }

    private func field(_ name: String, _ place: Place) -> Place {
        Place(path: "\(place.path).\(name)", name: name, schema: rules.field(name, of: place.schema))
    }

    private mutating func isSame(_ live: String, _ shadow: String, _ place: Place) -> Bool {
        switch rules.rule(place.name, place.schema) {
        case .prose: return live.isEmpty == shadow.isEmpty
        case .same: return live == shadow || twins.translated(live) == shadow
        case .time:
            if live == shadow { return true }
            guard let one = Timestamp(rfc3339: Array(live.utf8)), let other = Timestamp(rfc3339: Array(shadow.utf8))
            else { return false }
            return later.contains(other.milliseconds - one.milliseconds)
        case .made:
            guard twins.mayBe(live, shadow) else { return false }
            twins.learn(live, shadow)
            // Sessions are asked for by the digests of their tokens.
            if place.name == "token" { twins.learn(Self.digest(live), Self.digest(shadow)) }
            return true
        }
    }
}

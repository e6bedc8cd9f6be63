/// Which scenarios are played, and how often: `card=8,code=1,charge=1`.
package struct Mix: Sendable, Equatable {
    package struct Part: Sendable, Equatable {
        package let scenario: String
        package let weight: Double
    }

    /// Each scenario once, weights above zero.
    package let parts: [Part]

    package init(parts: [Part]) { self.parts = parts }

    /// - Parameter known: the scenarios that there are.
    package static let weightMax = 1_000_000.0

    package init(_ text: String, known: [String]) throws(LoadUsageError) {
        var parts: [Part] = []
        for item in text.split(separator: ",") {
            let pair = item.split(separator: "=", omittingEmptySubsequences: false)
            let name = String(pair[0].drop(while: \.isWhitespace))
            guard known.contains(name) else {
                throw LoadUsageError("there is no scenario '\(name)'; there are \(known.joined(separator: ", "))")
            }
            guard !parts.contains(where: { $0.scenario == name }) else {
                throw LoadUsageError("the mix names '\(name)' twice")
            }
            let weight = pair.count == 1 ? 1 : pair.count == 2 ? Double(pair[1]) : nil
            guard let weight, (0...Self.weightMax).contains(weight) else {
                throw LoadUsageError(
                    "'\(item)' is not a scenario and its weight, as card=8; a weight can be 0 to 1000000")
            }
            if weight > 0 { parts.append(Part(scenario: name, weight: weight)) }
        }
        guard !parts.isEmpty else { throw LoadUsageError("the mix has no scenario with a weight above 0") }
        self.parts = parts
    }

    package var description: String {
        parts.map { "\($0.scenario)=\($0.weight == $0.weight.rounded() ? "\(Int($0.weight))" : "\($0.weight)")" }
            .joined(separator: ",")
    }
}

/// Something that the caller of the command asked for and cannot have, and why.
package struct LoadUsageError: Error, Equatable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

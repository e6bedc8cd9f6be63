/// A type, as its file declares it.
package struct Declaration: Equatable, Sendable {
    package enum Kind: Sendable {
        case record, choice, alias
    }

    package struct Member: Equatable, Sendable {
        package let name: String
        /// As the file has it; empty for a case.
        package let type: String
        /// The value where an initialiser is given none.
        package let fallback: String?
        package let comment: String

        var isOptional: Bool { type.hasSuffix("?") }
    }

    package let kind: Kind
    /// `Wallet`, `PostTransfer`: from the outermost type inwards.
    package let path: [String]
    /// `Source` of `ReadFacts<Source: FactSource>`.
    package let parameters: [String]
    package let conformances: [String]
    package let comment: String
    /// A record's stored fields, or a choice's cases.
    package internal(set) var members: [Member] = []
    /// The value of `type`: the message's name, unless it depends on a generic parameter.
    package internal(set) var messageType: String?
    /// The value of a service's `service`.
    package internal(set) var serviceName: String?
    package internal(set) var hasInit = false
    package internal(set) var hasCodec = false
    package internal(set) var hasLimits = false

    package var name: String { path.joined(separator: ".") }
    var isGeneric: Bool { !parameters.isEmpty }
    var needsCodec: Bool { conforms(to: "FastCoded") && !hasCodec }

    /// A `FactConsumer` or `StateOwner` is a `DataOwner`, which is a `FactSource`.
    func conforms(to name: String) -> Bool {
        let refinements = [
            "FactSource": ["DataOwner", "FactConsumer", "StateOwner"], "DataOwner": ["FactConsumer", "StateOwner"]
        ]
        return ([name] + refinements[name, default: []]).contains(where: conformances.contains)
    }
}

import Wire

/// The name of a message: `service.noun.verb.vN`.
///
/// It is at once the CloudEvents `type`, the route of an ask (its first part names the service) and the topic of a
/// fact. A change that breaks readers is a new version beside the old one.
@usableFromInline
package struct MessageType: Hashable, Sendable, CustomStringConvertible {
    package let name: String
    /// The service that answers or publishes it.
    package let service: String

    package init(_ name: String) {
        self.name = name
        service = String(name.utf8.prefix { $0 != UInt8(ascii: ".") }) ?? name
    }

    /// The type of the reply to this ask.
    package var reply: String { name + ".reply" }
    /// The type of the refusal of this ask.
    package var fault: String { name + ".fault" }

    @usableFromInline
    package var description: String { name }
}

extension MessageType: ExpressibleByStringLiteral {
    @usableFromInline
    package init(stringLiteral value: String) { self.init(value) }
}

/// What may be done when the outcome of an ask is unknown.
@usableFromInline
package enum RetryClass: UInt8, Sendable, CaseIterable {
    /// Each ask counts; asking again is a new act. Never resent.
    case once = 0
    /// The ask carries a key; asked again with the same key it has no second effect and gets the first outcome.
    case keyed = 1
    /// Asking again is harmless.
    case idempotent = 2
}

/// A request to one service and what it answers.
@usableFromInline
package protocol Ask: WireMessage, Shape {
    associatedtype Reply: WireMessage
    static var type: MessageType { get }
    /// What it does to the service.
    static var effect: Effect<Self> { get }
    /// On whose behalf it may be made.
    static var access: Access<Self> { get }
    /// Refusals of its own; those of every ask are in `FaultCode.common`.
    static var faults: [FaultCode] { get }
    static var examples: Examples<Self> { get }
}

/// Something that has happened, told by its owner to whoever listens. Named in the past tense.
package protocol Fact: WireMessage, Shape {
    static var type: MessageType { get }
    static var examples: FactExamples<Self> { get }
}

/// A process on the bus. Its name is the first part of the types of all that it answers and publishes.
package protocol BusService: Sendable {
    static var service: String { get }
    /// The documentation comment: what the service is for.
    static var summary: String { get }
}

/// A process that publishes facts; its name is the `source` of their envelopes.
package protocol FactSource: BusService {
    /// A fact of its own, for examples of pages of facts.
    static var sample: any Fact { get }
}

/// A service with data of its own, which it publishes facts about and copies when it is asked to.
package protocol DataOwner: FactSource {
    /// Whose facts it applies to its data.
    static var consumes: [any FactSource.Type] { get }
    /// The secret without which its data cannot be used; nil where there is none.
    static var key: ServiceKey? { get }
}

/// A service whose state another program can take over while it serves.
package protocol StateOwner: DataOwner {
    /// The tables that are its state, in memory or on the disk. Programs in other languages have the same.
    static var stateTables: [StateTable] { get }
}

/// A service that applies other services' facts to its data, and can be told where to go on in them.
package protocol FactConsumer: DataOwner {
    /// What its data lacks when facts are left out, in one sentence for the operator.
    static var withoutFacts: String { get }
    /// What happens when facts are applied a second time, in one sentence for the operator.
    static var withRepeatedFacts: String { get }
}

extension DataOwner {
    package static var consumes: [any FactSource.Type] { [] }
    package static var key: ServiceKey? { nil }
}

/// Where a service looks for its key.
package struct ServiceKey: Sendable, Equatable {
    /// The file's name beside the service's data.
    package let file: String
    /// The setting that names another file.
    package let setting: String

    package init(file: String, setting: String) {
        self.file = file
        self.setting = setting
    }
}

/// A process that has some of the printed tables.
package protocol TableSource: BusService {
    /// A table of its own, for examples.
    static var sampleTable: PrintedTable { get }
}

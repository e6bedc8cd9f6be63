import Contracts
import Primitives
import Wire

/// Schemas and messages of the whole catalogue, as a document's components.
package struct MessageSchemas {
    /// What a message's `data` holds, by the message's type; shapes that several messages share, by their names; and
    /// what is around them. Sorted.
    package let schemas: [JSONValue.Member]
    /// Whole events by their types, and `fault`, which is every refusal. Sorted.
    package let messages: [JSONValue.Member]

    package init() {
        var set = SchemaSet(Self.style)
        var messages: [JSONValue.Member] = [.init("fault", EventSchemas.fault)]
        for ask in Self.asks {
            messages.append(
                .init(
                    ask.type.name,
                    EventSchemas.message(
                        ask.type.name, .ask, set.describe(ask), Self.nonEmpty(ask.summary))))
            messages.append(
                .init(
                    ask.type.reply,
                    EventSchemas.message(
                        ask.type.reply, .reply, set.describe(Self.reply(of: ask)),
                        "The reply to `\(ask.type.name)`.")))
        }
        for fact in Catalogue.facts {
            // A head tells how far the sequence has come and is no part of it.
            let part: EventSchemas.Part = fact.type.name.hasSuffix(".facts.head.v1") ? .head : .fact
            messages.append(
                .init(
                    fact.type.name,
                    EventSchemas.message(fact.type.name, part, set.describe(fact), Self.nonEmpty(fact.summary))))
        }
        let around = ["Envelope": EventSchemas.envelope, "Problem": EventSchemas.problem]
        schemas = set.components.merging(around) { $1 }.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) }
        self.messages = messages.sorted { $0.key < $1.key }
    }

    private static var asks: [any Ask.Type] { Catalogue.asks + Catalogue.takeOvers }

    private static var style: SchemaSet.Style {
        let names = names
        return SchemaSet.Style(
            mayStandBesideReference: false, name: { names[ObjectIdentifier($0)] ?? SchemaSet.name(of: $0) },
            account: { SchemaAccount(of: $0) })
    }

    private static func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }

    /// A message as it may look, with what it must have.
    package static func example(of ask: any Ask.Type) -> JSONValue {
        var set = SchemaSet(style)
        return set.describe(ask).example
    }

    /// Messages by their types; a reply that only one ask has, by that one's.
    private static var names: [ObjectIdentifier: String] {
        var names: [ObjectIdentifier: String] = [:]
        for (reply, asks) in Dictionary(grouping: asks, by: { ObjectIdentifier(reply(of: $0)) })
        where asks.count == 1 {
            names[reply] = asks[0].type.reply
        }
        for ask in asks { names[ObjectIdentifier(ask)] = ask.type.name }
        for fact in Catalogue.facts { names[ObjectIdentifier(fact)] = fact.type.name }
        return names
    }

    private static func reply(of ask: any Ask.Type) -> any Decodable.Type {
        func open<A: Ask>(_ ask: A.Type) -> any Decodable.Type { A.Reply.self }
        return open(ask)
    }

    /// The name of the schema that an ask's reply shares with other messages.
    static func sharedReply(of type: String) -> String? {
        guard let ask = asks.first(where: { $0.type.name == type }) else { return nil }
        let reply = reply(of: ask)
        return names[ObjectIdentifier(reply)] ?? SchemaSet.name(of: reply)
    }

    /// One event's schema with all that it refers to, for whoever wants no whole document. Nil where no message has
    /// this type.
    package func schema(of type: String) -> JSONValue? {
        guard let payload = messages.first(where: { $0.key == type })?.value["payload"],
            case .object(let members) = payload
        else { return nil }
        return .object(
            [.init("$schema", "http://json-schema.org/draft-07/schema#"), .init("title", .string(type))] + members + [
                // Where references of the whole document point to, so that they need not be rewritten.
                .init("components", ["schemas": .object(schemas(referredToBy: payload))])
            ])
    }

    /// The schemas that a part of the document refers to, by itself or through others. Sorted.
    func schemas(referredToBy value: JSONValue) -> [JSONValue.Member] {
        let parts = Dictionary(uniqueKeysWithValues: schemas.map { ($0.key, $0.value) })
        var needed: Set<String> = []
        func collect(_ value: JSONValue) {
            switch value {
            case .object(let members):
                for member in members {
                    if member.key == "$ref", case .string(let target) = member.value,
                        let name = target.split(separator: "/").last.map(String.init), needed.insert(name).inserted,
                        let part = parts[name]
                    {
                        collect(part)
                    }
                    collect(member.value)
                }
            case .array(let elements): for element in elements { collect(element) }
            default: break
            }
        }
        collect(value)
        return schemas.filter { needed.contains($0.key) }
    }
}

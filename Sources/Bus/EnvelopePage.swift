import Contracts
import Wire

/// `ReadFacts` with a reply that is parsed into envelopes in one pass; each fact refers to a part of the page's text.
struct ReadEnvelopes<Source: FactSource>: Ask, FastCoded {
    static var type: MessageType { ReadFacts<Source>.type }
    static var effect: Effect<Self> { .reads }
    static var access: Access<Self> { .any(.administrator) }
    static var faults: [FaultCode] { ReadFacts<Source>.faults }
    static var summary: String { ReadFacts<Source>.summary }
    static var fields: [Field<Self>] { [Field("after", \.after), Field("limit", \.limit)] }
    static var examples: Examples<Self> {
        Examples(Self(after: 40, limit: 1000), reply: EnvelopePage(facts: [], head: 42))
    }
    typealias Reply = EnvelopePage

    let after: Int64
    let limit: Int

    func fastWrite(to writer: inout JSONWriter) {
        ReadFacts<Source>(after: after, limit: limit).fastWrite(to: &writer)
    }

    static func fastRead(_ reader: inout JSONReader) throws(WireError) -> ReadEnvelopes<Source> {
        let ask = try ReadFacts<Source>.fastRead(&reader)
        return ReadEnvelopes(after: ask.after, limit: ask.limit)
    }
}

/// A `FactsPage` as parsed envelopes.
package struct EnvelopePage: FastCoded {
    package let facts: [Envelope]
    package let head: Int64

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> EnvelopePage {
        let text = reader.text
        var facts: [Envelope]?
        var head: Int64?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "facts":
                guard facts == nil else { throw WireError(.duplicateKey, path: "facts") }
                var list: [Envelope] = []
                list.reserveCapacity(64)
                try reader.array { reader throws(WireError) in
                    list.append(try Envelope(&reader, of: text))
                }
                facts = list
            case "head": try reader.take(&head, key)
            default: throw reader.unknown(key)
            }
        }
        return EnvelopePage(facts: try required(facts, "facts"), head: try required(head, "head"))
    }

    package func fastWrite(to writer: inout JSONWriter) {
        FactsPage(facts: facts.map { RawJSON($0.json) }, head: head).fastWrite(to: &writer)
    }
}

extension EnvelopePage: Codable {
    package init(from decoder: any Decoder) throws { throw WireError(.invalidValue(why: "can be read from text only")) }
    package func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "facts are written as text"))
    }
}

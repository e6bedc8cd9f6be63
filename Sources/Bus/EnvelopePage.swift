import Contracts
import Wire

/// `ReadFacts` with a reply that is parsed into envelopes in one pass; each fact refers to a part of the page's text.
struct ReadEnvelopes<Source: FactSource>: Ask, HandCoded {
    static var type: MessageType { ReadFacts<Source>.type }
    static var retry: RetryClass { ReadFacts<Source>.retry }
    static var faults: [FaultCode] { ReadFacts<Source>.faults }
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
struct EnvelopePage: HandCoded {
    let facts: [Envelope]
    let head: Int64

    static func fastRead(_ reader: inout JSONReader) throws(WireError) -> EnvelopePage {
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

    func fastWrite(to writer: inout JSONWriter) {
        FactsPage(facts: facts.map { RawJSON($0.json) }, head: head).fastWrite(to: &writer)
    }
}

extension EnvelopePage: Codable {
    init(from decoder: any Decoder) throws { throw WireError(.invalidValue(why: "can be read from text only")) }
    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "facts are written as text"))
    }
}

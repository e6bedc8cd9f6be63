import Contracts
import Foundation
import Schemas
import Testing
import Wire

@Suite("Documents of the bus")
struct DocumentTests {
    private static let document = AsyncAPIDocument().value

    @Test("the page about ZeroMQ is in docs as it is served")
    func page() throws {
        let file = ContractsSource.folder.appending(path: "../../docs/zeromq-binding.md").standardized
        let wanted = Data(ZeroMQBinding.page.utf8)
        if GoldenFolder.isWriting { try wanted.write(to: file) }
        #expect(try Data(contentsOf: file) == wanted, "BILLFOLD_WRITE_GOLDEN=1 writes it")
    }

    @Test("every ask, reply and fact has its message and its operation, and nothing else has")
    func complete() {
        let all = Catalogue.asks + Catalogue.takeOvers
        let asks = all.map { $0.type.name }
        let facts = Catalogue.facts.map { $0.type.name }
        let messages = Self.document.names("components", "messages")
        #expect(messages == Set(asks + all.map { $0.type.reply } + facts + ["fault"]))
        #expect(Self.document.names("operations") == Set(asks + facts))
        let services = Set(
            Catalogue.asks.map { $0.type.service } + Catalogue.takeOvers.map { "next.\($0.type.service)" })
        #expect(
            Self.document.names("channels") == services.union(services.map { $0 + ".answers" }).union(facts))
        for service in services { #expect(Self.document["channels"]?[service]?["description"] != "", "\(service)") }
    }

    @Test(
        "refers to nothing that it does not have, and has no schema that nothing refers to",
        arguments: [nil] + AsyncAPIDocument.services.map(Optional.init))
    func references(service: String?) {
        let document = AsyncAPIDocument(of: service).value
        var referred: Set<String> = []
        document.visitMembers { member in
            if member.key == "$ref", case .string(let target) = member.value { referred.insert(target) }
        }
        for target in referred { #expect(document.pointed(target) != nil, "\(target)") }
        for name in document.names("components", "schemas") {
            #expect(referred.contains(SchemaSet.reference(name)), "\(name)")
        }
    }

    @Test(
        "one service's document has its messages and the refusals, and nobody else's",
        arguments: AsyncAPIDocument.services)
    func ofOneService(service: String) {
        let document = AsyncAPIDocument(of: service).value
        let asks = (Catalogue.asks + Catalogue.takeOvers).map { $0.type }.filter { $0.service == service }
        let names = [service] + Catalogue.takeOvers.filter { $0.type.service == service }.map { _ in "next.\(service)" }
        let facts = Catalogue.facts.map { $0.type.name }.filter { $0.hasPrefix(service + ".") }
        #expect(
            document.names("components", "messages") == Set(asks.flatMap { [$0.name, $0.reply] } + facts + ["fault"]))
        #expect(document.names("operations") == Set(asks.map { $0.name } + facts))
        #expect(document.names("channels") == Set(names + names.map { $0 + ".answers" } + facts))
    }

    @Test(
        "the page of one service has its messages, fields and refusals, and leads to nothing that it lacks",
        arguments: AsyncAPIDocument.services)
    func pageOfOneService(service: String) {
        let page = ServicePage(of: service).markdown
        let headings = Set(
            page.matches(of: /(?m)^###+ (.+)$/).map { String($0.output.1) })
        for ask in Catalogue.asks where ask.type.service == service {
            #expect(headings.contains(ask.type.name))
            for code in ask.faults { #expect(page.contains("| `\(code.code)` | \(code.status) |"), "\(code)") }
        }
        for fact in Catalogue.facts where fact.type.name.hasPrefix(service + ".") {
            #expect(headings.contains(fact.type.name))
        }
        for link in page.matches(of: /\[([A-Za-z0-9_.]+)\]\(#/) {
            #expect(headings.contains(String(link.output.1)), "\(link.output.0)")
        }
        let schemas = AsyncAPIDocument(of: service).value["components"]?["schemas"]
        for name in AsyncAPIDocument(of: service).value.names("components", "schemas").subtracting(["Problem"]) {
            guard case .object(let fields) = schemas?[name]?["properties"] else { continue }
            for field in fields { #expect(page.contains("`\(field.key)`"), "\(name) lacks \(field.key)") }
        }
    }

    @Test("each ask says who may be its actor", arguments: Catalogue.asks.map { $0.type.name })
    func actors(type: String) {
        #expect(Self.document["operations"]?[type]?["x-billfold-actors"] != nil)
    }

    @Test("descriptions name messages and fields as they are on the wire, and nothing of the source")
    func names() {
        // The second is the W3C Push API's.
        var (described, known): ([String], Set<String>) = ([], ["service.noun.verb.vN", "applicationServerKey"])
        Self.document["components"]?.visitMembers { member in
            switch (member.key, member.value) {
            case ("description", .string(let text)): described.append(text)
            case ("properties", .object(let fields)): known.formUnion(fields.map(\.key))
            case ("enum", .array(let cases)):
                known.formUnion(cases.compactMap { if case .string(let name) = $0 { name } else { nil } })
            default: break
            }
        }
        #expect(described.count > 500)
        for text in described {
            for match in text.matches(of: /`([A-Za-z]+(?:\.[A-Za-z]+)*(?:\([A-Za-z:]*\))?)`/) {
                let quoted = String(match.output.1)
                guard quoted.contains(where: { $0.isUppercase || $0 == "(" }) else { continue }
                #expect(known.contains(quoted), "\(quoted) in: \(text)")
            }
            #expect(text.firstMatch(of: /\bA\d+\b|\b00\d-\d+/) == nil, "a requirement's number in: \(text)")
        }
    }

    @Test("lists everything in order")
    func order() {
        let facts = Set(Catalogue.facts.map { $0.type.name })
        for path in [["components", "schemas"], ["components", "messages"], ["operations"]] {
            guard case .object(let members)? = path.reduce(Optional(Self.document), { $0?[$1] }) else {
                Issue.record("\(path) is missing")
                continue
            }
            let keys = members.map(\.key)
            // Asks come before facts.
            let parts =
                path == ["operations"] ? [keys.filter { !facts.contains($0) }, keys.filter(facts.contains)] : [keys]
            #expect(keys == parts.flatMap { $0.sorted() })
            #expect(Set(keys).count == keys.count)
        }
    }

    @Test("a schema lists what the type decodes, with its comments and limits")
    func schemas() {
        let ask = Self.document["components"]?["schemas"]?["wallet.payment.post.v1"]
        #expect(ask?["required"] == ["payment", "customer", "merchant", "amount", "memo"])
        #expect(ask?["additionalProperties"] == false)
        #expect(ask?["properties"]?["memo"]?["maxLength"] == 512)
        let updated = Self.document["components"]?["schemas"]?["location.position.update.v1.reply"]
        let outcome = updated?["properties"]?["outcome"]
        #expect(outcome?["enum"] == ["stored", "older", "expired"])
        let page = Self.document["components"]?["schemas"]?["FactsPage"]?["properties"]?["facts"]
        #expect(page?["items"]?["$ref"] == "#/components/schemas/Envelope")
        let drops = Self.document["components"]?["schemas"]?["broker.queues.read.v1.reply"]?["properties"]?["drops"]
        #expect(drops?["additionalProperties"] == ["type": "integer"])
    }

    @Test("each keyed ask has its key: fields that it needs, and no other ask has one")
    func keys() {
        for ask in Catalogue.asks {
            #expect(ask.key.isEmpty == (ask.retry != .keyed), "\(ask.type)")
            guard case .array(let needed)? = Self.document["components"]?["schemas"]?[ask.type.name]?["required"] else {
                #expect(ask.key.isEmpty, "\(ask.type) needs nothing")
                continue
            }
            for field in ask.key { #expect(needed.contains(.string(field)), "\(ask.type) does not need \(field)") }
        }
    }

    @Test("each example can be read as its message", arguments: Catalogue.asks.map { $0.type.name })
    func examples(type: String) throws {
        let ask = try #require(Catalogue.asks.first { $0.type.name == type })
        func read<A: Ask>(_ ask: A.Type) throws {
            _ = try A(json: example(A.type.name))
            _ = try A.Reply(json: example(A.type.reply))
        }
        try read(ask)
    }

    private func example(_ type: String) throws -> [UInt8] {
        guard case .array(let examples)? = Self.document["components"]?["messages"]?[type]?["examples"],
            let data = examples.first?["payload"]?["data"]
        else { throw WireError(.missingField, path: type) }
        return Array(data.text.utf8)
    }

    @Test("one event's schema stands alone")
    func alone() throws {
        let schema = try #require(MessageSchemas().schema(of: "wallet.cards.read.v1.reply"))
        var referred: Set<String> = []
        schema.visitMembers { member in
            if member.key == "$ref", case .string(let target) = member.value { referred.insert(target) }
        }
        #expect(referred.count >= 3)
        for target in referred { #expect(schema.pointed(target) != nil, "\(target)") }
        #expect(MessageSchemas().schema(of: "wallet.card.lose.v1") == nil)
    }
}

extension JSONValue {
    fileprivate func names(_ path: String...) -> Set<String> {
        guard case .object(let members)? = path.reduce(Optional(self), { $0?[$1] }) else { return [] }
        return Set(members.map(\.key))
    }

    /// What a local reference points to.
    fileprivate func pointed(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(Optional(self)) { $0?[String($1)] }
    }

    fileprivate func visitMembers(_ body: (Member) -> Void) {
        switch self {
        case .object(let members):
            for member in members {
                body(member)
                member.value.visitMembers(body)
            }
        case .array(let elements): for element in elements { element.visitMembers(body) }
        default: break
        }
    }
}

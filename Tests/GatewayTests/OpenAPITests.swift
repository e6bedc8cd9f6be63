import Contracts
import Foundation
import GatewayService
import Testing
import Wire

@Suite("OpenAPI document")
struct OpenAPITests {
    private let document = Self.made
    private static let made = RouteTable.document.value

    @Test("is served, and is JSON")
    func served() async throws {
        let answer = try await GatewayHarness().send("GET", "/openapi.json")
        #expect(answer.status == 200)
        let parsed = try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any]
        #expect(parsed?["openapi"] as? String == "3.1.0")
    }

    @Test("has every route and nothing else")
    func complete() {
        let described = document["paths"]?.members.flatMap { path in
            path.value.members.map { "\($0.key.uppercased()) \(path.key)" }
        }
        let routed = RouteTable.all.map { "\($0.method.rawValue) \($0.path.text)" }
        #expect(described?.sorted() == routed.sorted())
        #expect(Set(RouteTable.all.map(\.name)).count == RouteTable.all.count)
    }

    @Test("refers to nothing that it does not have, and has nothing that it does not refer to")
    func references() {
        var referred: Set<String> = []
        func collect(_ value: JSONValue) {
            for member in value.members {
                if member.key == "$ref", let target = member.value.string { referred.insert(target) }
                collect(member.value)
            }
            for element in value.elements { collect(element) }
        }
        collect(document)
        var present: Set<String> = []
        for section in ["schemas", "headers"] {
            for member in document["components", section]?.members ?? [] {
                present.insert("#/components/\(section)/\(member.key)")
            }
        }
        #expect(referred == present)
    }

    @Test("has no reader of its own: schemas list what the types decode")
    func schemas() {
        let payment = document["components", "schemas", "NewPayment"]
        #expect(payment?["properties"]?.members.map(\.key) == ["merchant", "amount", "card", "memo"])
        #expect(payment?["required"] == ["merchant", "amount"])
        #expect(payment?["additionalProperties"] == false)
        let receipt = document["components", "schemas", "PaymentsReceipt"]
        #expect(receipt?["required"]?.elements.count == 9)
        #expect(receipt?["properties", "cardBalance"]?["$ref"] == "#/components/schemas/Money")
        let page = document["components", "schemas", "WalletReadEntriesReply"]
        #expect(page?["properties", "entries", "items"]?["$ref"] == "#/components/schemas/WalletEntryView")
        #expect(page?["required"] == ["entries"])
    }

    @Test("every request's example can be read as that request", arguments: RouteTable.all.filter(\.takesBody))
    func examples(route: Route) throws {
        let example = try #require(route.exampleBody)
        func read<M: WireMessage>(_ type: M.Type) throws { _ = try M(json: Array(example.utf8)) }
        switch route.body {
        case .none: break
        case .required(let type), .optional(let type): try read(type)
        }
    }

    @Test("says who may call, and what key is wanted", arguments: RouteTable.all)
    func conditions(route: Route) throws {
        let operation = try #require(document["paths", route.path.text, route.method.rawValue.lowercased()])
        #expect((operation["security"] == []) == (route.access == .everyone))
        let key = operation["parameters"]?.elements.first { $0["name"] == "Idempotency-Key" }
        #expect(key?["required"] == (route.key == .none ? nil : .bool(route.key == .required)))
        #expect(operation["responses", "\(route.status)"] != nil)
        for status in ["404", "405"] { #expect(operation["responses", status] != nil) }
    }
}

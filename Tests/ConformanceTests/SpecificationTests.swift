import Conformance
import Contracts
import Foundation
import Testing

@Suite("The specifications")
struct SpecificationTests {
    @Test("every ask of a service that can be checked has one example")
    func coverage() {
        for specification in Specification.all {
            let wanted = Catalogue.asks.map { $0.type }.filter { $0.service == specification.service }
            let had = specification.types
            #expect(Set(had) == Set(wanted), "\(specification.service)")
            #expect(Set(had).count == had.count, "\(specification.service) has two examples of one ask")
        }
        let services = Set(Catalogue.asks.map { $0.type.service })
        #expect(Set(Specification.all.map(\.service)) == services.subtracting([Broker.service, Gateway.service]))
    }

    @Test("cases have names of their own, by which one can ask for them")
    func names() {
        for specification in Specification.all {
            let names = specification.cases.map(\.name)
            #expect(Set(names).count == names.count, "\(specification.service)")
            for name in names {
                #expect(name.wholeMatch(of: /[a-z]+(\.[a-z]+\.[a-z]+\.v[1-9][0-9]*)?\/[a-z-]+/) != nil, "\(name)")
            }
            #expect(specification.cases.allSatisfy { !$0.asserts.isEmpty && !$0.asserts.hasSuffix(".") })
        }
    }

    @Test("what is keyed is repeated, asked at once and asked with other content")
    func keyed() {
        let cases = Set(Specification.all.flatMap(\.cases).map(\.name))
        // Their key is all that they say.
        let keyOnly: Set = [
            Payments.DeclineCharge.type.name, Payments.CancelCharge.type.name, Ordering.DiscardOrder.type.name,
            Ordering.FinishOrder.type.name
        ]
        for ask in Catalogue.asks where ask.retry == .keyed {
            for kind in ["answered", "malformed", "deadline", "version", "again", "at-once"] {
                #expect(cases.contains("\(ask.type)/\(kind)"), "\(ask.type)/\(kind)")
            }
            #expect(cases.contains("\(ask.type)/reused") || keyOnly.contains(ask.type.name), "\(ask.type)/reused")
        }
    }

    @Test("what leaves nothing behind does not stop anything, and every service has each kind of case")
    func reaches() {
        for specification in Specification.all {
            let byReach = Dictionary(grouping: specification.cases, by: { "\($0.reach)" }).mapValues(\.count)
            #expect(byReach["controlling", default: 0] >= 4, "\(specification.service)")
            #expect(
                byReach["reading", default: 0] > 10 && byReach["changing", default: 0] > 10, "\(specification.service)")
        }
    }

    @Test("the page names every kind of case, and what may be left out")
    func page() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/conformance.md").standardized
        let page = try String(contentsOf: path, encoding: .utf8)
        for kind in Set(Specification.all.flatMap(\.cases).compactMap { $0.name.split(separator: "/").last }) {
            #expect(page.contains("`\(kind)`"), "\(kind)")
        }
    }
}

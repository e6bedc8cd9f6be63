import Conformance
import Contracts
import Foundation
import Testing

@Suite("The books")
struct BookTests {
    @Test("every ask of a service that can be checked has one example")
    func coverage() {
        for book in Book.all {
            let wanted = Catalogue.asks.map { $0.type }.filter { $0.service == book.service }
            let had = book.types
            #expect(Set(had) == Set(wanted), "\(book.service)")
            #expect(Set(had).count == had.count, "\(book.service) has two examples of one ask")
        }
        let services = Set(Catalogue.asks.map { $0.type.service })
        #expect(Set(Book.all.map(\.service)) == services.subtracting([Broker.service]))
    }

    @Test("cases have names of their own, by which one can ask for them")
    func names() {
        for book in Book.all {
            let names = book.cases.map(\.name)
            #expect(Set(names).count == names.count, "\(book.service)")
            for name in names {
                #expect(name.wholeMatch(of: /[a-z]+(\.[a-z]+\.[a-z]+\.v[1-9][0-9]*)?\/[a-z-]+/) != nil, "\(name)")
            }
            #expect(book.cases.allSatisfy { !$0.asserts.isEmpty && !$0.asserts.hasSuffix(".") })
        }
    }

    @Test("what is keyed is repeated, asked at once and asked with other content")
    func keyed() {
        let cases = Set(Book.all.flatMap(\.cases).map(\.name))
        // Their key is all that they say.
        let keyOnly: Set = [Payments.DeclineCharge.type.name, Payments.CancelCharge.type.name]
        for ask in Catalogue.asks where ask.retry == .keyed {
            for kind in ["answered", "malformed", "deadline", "version", "again", "at-once"] {
                #expect(cases.contains("\(ask.type)/\(kind)"), "\(ask.type)/\(kind)")
            }
            #expect(cases.contains("\(ask.type)/reused") || keyOnly.contains(ask.type.name), "\(ask.type)/reused")
        }
    }

    @Test("what leaves nothing behind does not stop anything, and every service has each kind of case")
    func reaches() {
        for book in Book.all {
            let byReach = Dictionary(grouping: book.cases, by: { "\($0.reach)" }).mapValues(\.count)
            #expect(byReach["controlling"] == 4, "\(book.service)")
            #expect(byReach["reading", default: 0] > 10 && byReach["changing", default: 0] > 10, "\(book.service)")
        }
    }

    @Test("the page names every kind of case, and what may be left out")
    func page() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/conformance.md").standardized
        let page = try String(contentsOf: path, encoding: .utf8)
        for kind in Set(Book.all.flatMap(\.cases).compactMap { $0.name.split(separator: "/").last }) {
            #expect(page.contains("`\(kind)`"), "\(kind)")
        }
    }
}

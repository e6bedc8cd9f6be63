import Contracts
import Primitives

/// A service that the kit can check. Conforming is all that it takes to be found by `billfold check`.
package protocol Specified: BusService {
    static var specification: Specification { get }
}

/// What the kit knows of one service: an example of each of its asks, and what else it does.
package struct Specification: Sendable {
    package let service: String
    /// Services that it is of no use without, in the order in which they are started.
    package let needs: [String]
    let examples: [any AskExample]
    /// Its facts; nil where it publishes none.
    let log: FactsSpecification?
    /// What is asked in numbers while its process is stopped.
    let load: ProcessCases.Load?
    /// Cases that follow from no single ask's class.
    var others: [Case] = []

    package static let all = Catalogue.services.compactMap { ($0 as? any Specified.Type)?.specification }

    package static func of(_ service: String) -> Specification? { all.first { $0.service == service } }

    /// In the order in which they are run: what asks nothing of others first, what stops the process last.
    package var cases: [Case] {
        ServiceCases.cases(of: self) + examples.flatMap(\.cases) + others + StateCases.cases(of: service)
            + ProcessCases.cases(of: self)
    }

    /// Whether a service may leave an ask out.
    package func isOptional(_ type: MessageType) -> Bool { examples.contains { $0.type == type && $0.isOptional } }

    /// Types that have an example: all of the service's in the catalogue, which a test sees to.
    package var types: [MessageType] { examples.map(\.type) }
}

extension Example where A.Reply == FactsPage {
    /// `<service>.facts.read.v1`, which `FactsSpecification` looks into.
    init<Source: FactSource>(facts source: Source.Type) where A == ReadFacts<Source> {
        self.init(
            nobody: ReadFacts(after: 0, limit: 1), nobodyFinds: .replied,
            make: { _ in ReadFacts(after: 0, limit: 10) }, isMoving: true)
    }
}

extension Example where A.Reply == ServiceStats {
    init<Service: BusService>(stats service: Service.Type) where A == ReadStats<Service> {
        self.init(
            nobody: ReadStats(), nobodyFinds: .replied, make: { _ in ReadStats() }, isMoving: true,
            expect: { _, stats, _ in
                try require(stats.service == Service.service, "it calls itself \(stats.service)")
                try require(stats.uptimeMilliseconds >= 0, "its uptime is below zero")
            })
    }
}

extension Example {
    /// What a process remembers of what it has answered: for `billfold trace`, which shows a gap without it.
    init<Service: BusService>(spans service: Service.Type) where A == ReadSpans<Service> {
        self.init(
            nobody: ReadSpans(id: nil, refused: true, limit: 1), nobodyFinds: .replied,
            make: { _ in ReadSpans(id: nil, refused: false, limit: 10) }, isOptional: true, isMoving: true)
    }
}

extension Example where A.Reply == TablePage {
    /// A printed table: for programs that were written against it; nothing in the set asks for one.
    init<Service: BusService>(table: PrintedTable, of service: Service.Type) where A == ReadTable<Service> {
        self.init(
            nobody: ReadTable(table: table, after: 0, limit: 1), nobodyFinds: .replied,
            make: { _ in ReadTable(table: table, after: 0, limit: 10) }, isOptional: true)
    }
}

extension Example where A.Reply == DataCopy {
    /// A copy of the data (`billfold backup`). Asked for with a path that cannot be used: nothing is to be written
    /// anywhere.
    init<Service: BusService>(backup service: Service.Type) where A == WriteBackup<Service> {
        self.init(
            nobody: WriteBackup(directory: "not/absolute"), nobodyFinds: .refused(.malformed), isOptional: true)
    }
}

extension Example where A.Reply == CursorMoved {
    /// Where a reader goes on (`billfold cure`). Asked for a source that no service has: no cursor is to be moved.
    init<Service: FactConsumer>(cursor service: Service.Type) where A == MoveCursor<Service> {
        self.init(
            nobody: MoveCursor(source: "nobody", from: 0, to: 0), nobodyFinds: .refused(.malformed), isOptional: true)
    }
}

extension Example where A.Reply == FollowedState {
    /// The beginning of a hand-over, for a program that takes the service's place.
    init<Service: StateOwner>(follow service: Service.Type) where A == FollowState<Service> {
        self.init(nobody: FollowState(), nobodyFinds: .replied, isOptional: true, isMoving: true)
    }
}

extension Example where A.Reply == StatePage {
    /// A table of a hand-over. Asked for of one that there is not.
    init<Service: StateOwner>(state service: Service.Type) where A == ReadState<Service> {
        self.init(
            nobody: ReadState(copy: 0, table: "nothing", limit: 1), nobodyFinds: .refused(.malformed),
            isOptional: true)
    }
}

extension Example where A.Reply == SealedState {
    /// The end of a hand-over. Asked for of one that there is not: nothing is to stand still.
    init<Service: StateOwner>(seal service: Service.Type) where A == SealState<Service> {
        self.init(nobody: SealState(copy: 0, isSealed: true), nobodyFinds: .refused(.malformed), isOptional: true)
    }
}

extension Money {
    static let cent = Money(1)
    /// One more, for the same key with other content.
    var more: Money { Money(amount + 1, currency) }
}

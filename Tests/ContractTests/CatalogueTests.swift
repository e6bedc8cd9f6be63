import Contracts
import Foundation
import Testing

@Suite("The catalogue")
struct CatalogueTests {
    private static let services = Set(Catalogue.services.map { $0.service })

    @Test("every type is named service.noun.verb.vN, once")
    func names() {
        let types = Catalogue.asks.map { $0.type } + Catalogue.facts.map { $0.type }
        for type in types {
            #expect(type.name.wholeMatch(of: /[a-z]+\.[a-z]+\.[a-z]+\.v[1-9][0-9]*/) != nil, "\(type)")
            #expect(Self.services.contains(type.service), "\(type)")
        }
        #expect(Set(types).count == types.count)
    }

    @Test("each service is listed once and answers what every service answers")
    func everyService() {
        #expect(Self.services.count == Catalogue.services.count)
        #expect(Self.services == Set(Catalogue.asks.map { $0.type.service }))
        let asks = Set(Catalogue.asks.map { $0.type.name })
        func services(answering ask: String) -> Set<String> {
            Set(Catalogue.services.map { $0.service }.filter { asks.contains("\($0).\(ask)") })
        }
        let (sources, owners) = (Catalogue.services.filter { $0 is any FactSource.Type }, Catalogue.dataOwners)
        #expect(services(answering: "stats.read.v1") == Self.services)
        #expect(services(answering: "spans.read.v1") == Self.services)
        #expect(services(answering: "facts.read.v1") == Set(sources.map { $0.service }))
        #expect(services(answering: "backup.write.v1") == Set(owners.map { $0.service }))
        #expect(Set(Catalogue.facts.map { $0.type.service }) == Set(sources.map { $0.service }))
    }

    @Test("data is copied before that of the sources whose facts are in it")
    func copyOrder() {
        let order = Catalogue.dataOwners.map { $0.service }
        for (place, owner) in Catalogue.dataOwners.enumerated() {
            for source in owner.consumes {
                #expect(order[(place + 1)...].contains(source.service), "\(owner.service) consumes \(source.service)")
            }
        }
    }

    @Test("an ask that only looks says so; one that changes something says how")
    func effects() {
        for ask in Catalogue.asks {
            let verb = ask.type.name.split(separator: ".")[2]
            let looks = ["read", "find", "search", "explain", "count", "prove"].contains(verb)
            #expect(ask.isReading == looks, "\(ask.type)")
            // What moves money is keyed: asked twice it moves once.
            if verb == "post" || verb == "capture" { #expect(ask.retry == .keyed, "\(ask.type)") }
        }
        // Each try counts towards a lock, each copy and hand-over is another one, a moved cursor is elsewhere.
        let once = Catalogue.asks.map { $0.retry == .once ? $0.type.name : "" }
            .filter { type in
                !type.isEmpty
                    && ![".backup.write.v1", ".cursor.move.v1", ".state.follow.v1"].contains { type.hasSuffix($0) }
            }
        #expect(
            Set(once) == [
                Auth.OpenSession.type.name, Auth.VerifyPIN.type.name, Auth.ChangePassword.type.name,
                Auth.UseReset.type.name, Auth.RestoreAddress.type.name, Auth.RemoveAdministrator.type.name
            ])
    }

    @Test("an ask's refusals are its own, each named once, and given by a service that it reaches")
    func faults() throws {
        let known = try Self.declaredCodes()
        for ask in Catalogue.asks {
            #expect(Set(ask.faults).count == ask.faults.count, "\(ask.type) names a refusal twice")
            #expect(Set(ask.faults).isDisjoint(with: FaultCode.common), "\(ask.type) names a common refusal")
            for code in ask.faults {
                #expect(known.contains(code.code), "\(code) is not declared")
                // These hand on what those say whom they ask.
                let givers =
                    switch ask.type.service {
                    case Payments.service: [Payments.service, Wallet.service, Location.service, Offers.service]
                    case Ordering.service: [Ordering.service, Payments.service, Wallet.service]
                    default: [ask.type.service]
                    }
                #expect(givers.contains(String(code.code.prefix { $0 != "." })), "\(ask.type) cannot give \(code)")
            }
        }
    }

    @Test("every code is declared once and used by some ask")
    func codes() throws {
        let declared = try Self.declaredCodes()
        #expect(Set(declared).count == declared.count)
        let used = Set(FaultCode.common + Catalogue.asks.flatMap { $0.faults }).map(\.code)
        // The gateway's own: the session tells it before it asks anybody.
        let elsewhere: Set = [FaultCode.transfersHeld.code]
        #expect(Set(declared).subtracting(used).subtracting(elsewhere) == [])
        #expect(Set(used).subtracting(declared) == [])
    }

    @Test("codes, statuses and advice go together")
    func advice() {
        for code in Set(FaultCode.common + Catalogue.asks.flatMap { $0.faults }) {
            #expect(code.code.wholeMatch(of: /[a-z]+\.[a-z_]+/) != nil, "\(code)")
            #expect((400...599).contains(code.status), "\(code)")
            #expect(!code.title.isEmpty && !code.title.hasSuffix("."), "\(code)")
            // What will not pass by itself is the asker's to mend; what may is ours.
            if (500...599).contains(code.status) { #expect(code.retry != .never, "\(code)") }
            if code.retry == .never { #expect(code.status < 500, "\(code)") }
        }
        // Where something may have happened, only the same key is safe.
        for code in [FaultCode.outcomeUnknown, .workerLost, .cancelled, .unavailable] {
            #expect(code.retry == .sameKey)
        }
    }

    /// The codes that the sources declare: the language has no list of a type's constants.
    private static func declaredCodes() throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(
            at: ContractsSource.folder, includingPropertiesForKeys: nil)
        let codes = try files.filter { $0.pathExtension == "swift" }.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).matches(of: /FaultCode\(\s*"([^"]+)"/).map {
                String($0.output.1)
            }
        }
        try #require(codes.count > 50)
        return codes
    }
}

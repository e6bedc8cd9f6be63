import Bus
import Contracts
import Primitives

/// Reads the snapshot of a running set over the bus. See `Snapshot` for the order, which is what makes them fit
/// together while the set goes on.
package struct SnapshotReader: Sendable {
    /// Asks at once, so that the audit leaves room for payments.
    static let width = 16
    /// Entries that the wallet checks at a time. It posts nothing meanwhile.
    static let stretch = 500

    package typealias Progress = (_ what: String) -> Void

    let bus: Bus
    /// How long payments may take to answer, and a reader to have read what there was when the audit began. Longer than
    /// the ten seconds after which it passes the queue of a paused source.
    let patience: Duration
    /// A head that the ledger must have; nil for none but those that the wallet knows.
    let anchor: Wallet.Anchor?

    package init(_ bus: Bus, patience: Duration = .seconds(20), anchor: Wallet.Anchor? = nil) {
        self.bus = bus
        self.patience = patience
        self.anchor = anchor
    }

    /// - Throws: `MissingServices`; `Fault` of a service that stops to answer; `WireError` for a fact that cannot be
    ///   read.
    package func read(progress: Progress = { _ in }) async throws -> Snapshot {
        var snapshot = Snapshot()
        try await MissingServices.expectNone(on: bus)
        progress("heads")
        snapshot.heads = try await heads()
        let ledger = try await bus.ask(Wallet.ReadLedger(), in: bus.patient)
        snapshot.ledger.entries = ledger.entries
        progress("readers")
        snapshot.readers = try await readers(snapshot.heads)

        var damaged: Set<PartyID> = []
        for source in Catalogue.dataOwners {
            if source.service == Payments.service {
                progress("charges")
                do { damaged = try await readCharges(into: &snapshot) } catch let fault as Fault {
                    snapshot.silence = fault
                }
            }
            progress(source.service)
            try await readFacts(source, into: &snapshot)
        }
        snapshot.limits = try await limits(Set(snapshot.redemptions.map(\.coupon)))
        do { try await readCharges(of: damaged, into: &snapshot) } catch let fault as Fault { snapshot.silence = fault }
        try await readUnsettled(into: &snapshot)
        progress("ledger")
        try await verify(into: &snapshot)
        return snapshot
    }

    // MARK: Heads and readers

    private func heads() async throws -> Snapshot.Heads {
        var heads = Snapshot.Heads()
        for source in Catalogue.dataOwners { heads.bySource[source.service] = try await head(source) }
        return heads
    }

    private func head<Source: FactSource>(_ source: Source.Type) async throws -> Int64 {
        try await bus.ask(ReadFacts<Source>(after: Int64.max - 1, limit: 1), in: bus.patient).head
    }

    /// How far each has read, once all have read what there was, or time is up.
    private func readers(_ begun: Snapshot.Heads) async throws -> [Snapshot.Reader] {
        let end = bus.clock.now() + patience
        while true {
            var samples: [(String, ServiceStats.Sample, isDiverged: Bool)] = []
            for reader in Catalogue.dataOwners where !reader.consumes.isEmpty {
                samples += try await positions(reader)
            }
            // Behind the positions, so that none of them can be ahead of it.
            let now = try await heads()
            let readers = samples.map { service, sample, isDiverged in
                let source = sample.labels["source"] ?? ""
                return Snapshot.Reader(
                    service: service, source: source, position: sample.value, head: now[source],
                    isDiverged: isDiverged)
            }
            let isDone = readers.allSatisfy { $0.position >= begun[$0.source] }
            if isDone || bus.clock.now() >= end || readers.contains(where: \.isDiverged) { return readers }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func positions<Service: BusService>(
        _ service: Service.Type
    ) async throws -> [(String, ServiceStats.Sample, isDiverged: Bool)] {
        let stats = try await bus.ask(ReadStats<Service>(), in: bus.patient).metrics
        let diverged = stats.filter { $0.name == "facts_diverged" && $0.value > 0 }.compactMap { $0.labels["source"] }
        return stats.filter { $0.name == "facts_position" }.map { sample in
            (Service.service, sample, diverged.contains(sample.labels["source"] ?? ""))
        }
    }

    private func readFacts<Source: FactSource>(_ source: Source.Type, into snapshot: inout Snapshot) async throws {
        var log = Snapshot.Log()
        log.faults = try await FactReader<Source>.read(bus, after: 0, through: try await head(source)) { fact, _ in
            log.facts += 1
            try read(fact, of: Source.service, into: &snapshot)
        }
        snapshot.logs[Source.service] = log
    }

    /// Files a fact about money, offers, orders, notices or fences; of any other source the log alone is checked.
    private func read(_ fact: Envelope, of source: String, into snapshot: inout Snapshot) throws {
        switch source {
        case Notifications.service: try readNotice(fact, into: &snapshot)
        case Offers.service: try readRedemption(fact, into: &snapshot)
        case Ordering.service: try readOrder(fact, into: &snapshot)
        case Payments.service: try readCapture(fact, into: &snapshot)
        case Location.service: try readFence(fact, into: &snapshot)
        case Wallet.service: try readMove(fact, into: &snapshot)
        default: break
        }
    }
}

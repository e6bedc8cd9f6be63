import Audit
import Bus
import Contracts
import Primitives

extension EvidenceReader {
    /// Last positions that are read one by one.
    private static let positionsRead = 1000

    /// What location knows; nil in a run without walks. Its facts are committed before its answers, so that all of them
    /// are there when the last operation has ended.
    func readWalks(_ journal: Journal, _ progress: Progress) async throws -> WalkEvidence? {
        guard let before = baseline.locationHead else { return nil }
        var evidence = WalkEvidence(run: stage.run, walks: stage.walks.walks)
        let head = try await bus.ask(ReadFacts<Location>(after: Int64.max - 1, limit: 1), in: bus.patient).head
        evidence.logFaults = try await FactReader<Location>.read(
            bus, after: before, through: head, progress: { progress("location's facts", $0, $1) },
            take: { fact, _ in if let event = try fenceFact(fact) { evidence.events.append(event) } })
        evidence.positions = try await readPositions(evidence.walks, journal, progress)
        // Read last: a process that was started later than the answers came would excuse too much, not too little.
        evidence.birth = locationBirth()
        return evidence
    }

    /// Nil for an event of a customer outside of this run.
    private func fenceFact(_ fact: Envelope) throws -> FenceFact? {
        switch fact.type {
        case Location.FenceEntered.type.name:
            let published = try Location.FenceEntered(json: fact.data)
            return fenceFact(
                .entered, published.customer, published.merchant, published.place, published.time, published.time)
        case Location.FenceDwelled.type.name:
            let published = try Location.FenceDwelled(json: fact.data)
            return fenceFact(
                .dwelled, published.customer, published.merchant, published.place, published.time, published.entered)
        case Location.FenceExited.type.name:
            let published = try Location.FenceExited(json: fact.data)
            return fenceFact(
                .exited(published.reason.rawValue), published.customer, published.merchant, published.place,
                published.time, published.entered)
        default: return nil
        }
    }

    private func fenceFact(
        _ kind: FenceFact.Kind, _ customer: PartyID, _ merchant: PartyID, _ place: PlaceID, _ time: Timestamp,
        _ entered: Timestamp
    ) -> FenceFact? {
        guard let customer = population.number(ofCustomer: customer) else { return nil }
        let owner = population.number(ofPlace: place)
        return FenceFact(
            kind: kind, customer: customer, merchant: owner == population.number(ofMerchant: merchant) ? owner : nil,
            time: time, entered: entered)
    }

    /// Of customers whose last walk was acknowledged to its end; of many, some by chance.
    private func readPositions(
        _ walks: [WalkPool.Walk], _ journal: Journal, _ progress: Progress
    ) async throws -> [PositionRead] {
        var last: [Int: Int] = [:]
        for (place, walk) in walks.enumerated() { last[walk.customer] = place }
        var chosen = last.values.filter { journal[walks[$0].operation].outcome == .acknowledged }.sorted()
        if chosen.count > Self.positionsRead {
            var dice = Dice(seed: seed)
            chosen.shuffle(using: &dice)
            chosen = Array(chosen.prefix(Self.positionsRead))
        }
        let count = chosen.count
        return try await pipelined(chosen, width: 64, on: bus) { place in
            try await position(of: population.customer(walks[place].customer), after: place)
        } done: {
            progress("last positions", $0, count)
        }
    }

    private func position(of customer: PartyID, after walk: Int) async throws -> PositionRead {
        do throws(Fault) {
            let known = try await bus.ask(Location.ReadPosition(customer: customer), in: bus.patient)
            return PositionRead(
                walk: walk, refusal: nil, point: Coordinate(latitude: known.latitude, longitude: known.longitude),
                time: known.time)
        } catch {
            guard error.code == .positionUnknown else { throw error }
            return PositionRead(walk: walk, refusal: error.code.code, point: nil, time: nil)
        }
    }
}

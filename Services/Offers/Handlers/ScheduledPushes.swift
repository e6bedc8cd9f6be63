import Bus
import Contracts
import Primitives

// Offers that are sent by themselves at their time.

extension DealService {
    /// Offers that one query reads.
    private static let offersAtOnce = 10
    /// Customers in one transaction, and positions that are read at once.
    private static let customersAtOnce = 200
    private static let positionPatience = Duration.seconds(5)

    /// Sends offers whose time has come to all whom they are for. Call it every second or so.
    ///
    /// - Throws: `bus.unavailable`, or location's fault when an offer is about a place. The offer stays due then.
    package func pushDue() async throws(Fault) {
        var failure: Fault?
        // They stay due, and do not keep the others from being sent.
        var waiting: Set<OfferID> = []
        while true {
            let limit = Self.offersAtOnce + waiting.count
            let due = try await store.due(at: clock.now(), limit: limit)
            var isDone = true
            for offer in due where !waiting.contains(offer.id) {
                guard failure == nil || offer.area == nil else {
                    waiting.insert(offer.id)
                    continue
                }
                do throws(Fault) { isDone = try await push(offer) && isDone } catch {
                    failure = failure ?? error
                    waiting.insert(offer.id)
                }
            }
            // One that was changed meanwhile is left to the next sweep.
            if !isDone || due.count < limit { break }
        }
        if let failure { throw failure }
    }

    /// - Returns: false if the offer was changed meanwhile.
    private func push(_ offer: Offer) async throws(Fault) -> Bool {
        let subscribers = try store.index { index throws(Fault) in index.subscribers(of: offer) }
        for start in stride(from: 0, to: subscribers.count, by: Self.customersAtOnce) {
            let some = subscribers[start..<min(start + Self.customersAtOnce, subscribers.count)]
            let now = clock.now()
            let customers = try store.index { index throws(Fault) in
                some.filter { index.mayBeSent(offer, $0, at: now) }
            }
            let candidates = try await candidates(customers, for: offer)
            if candidates.isEmpty { continue }
            guard try await store.send(due: offer, to: candidates, at: clock.now()) else { return false }
        }
        try await store.notePushed(offer, at: clock.now())
        return true
    }

    /// Customers with their positions, if the offer is about a place.
    private func candidates(_ customers: [PartyID], for offer: Offer) async throws(Fault) -> [Candidate] {
        guard offer.area != nil else { return customers.map { Candidate(customer: $0, place: nil, position: nil) } }
        let found = await withTaskGroup(of: Result<Candidate, Fault>.self) { [self] group in
            for customer in customers {
                group.addTask { [self] in
                    do throws(Fault) {
                        return .success(
                            Candidate(customer: customer, place: nil, position: try await place(of: customer)))
                    } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var candidates: [Candidate] = []
        for one in found { candidates.append(try one.get()) }
        return candidates
    }

    /// A customer's last position; nil if there is none.
    private func place(of customer: PartyID) async throws(Fault) -> Coordinate? {
        let context = AskContext(deadline: clock.now() + Self.positionPatience)
        do throws(Fault) {
            let known = try await bus.ask(Location.ReadPosition(customer: customer), in: context)
            return Coordinate(latitude: known.latitude, longitude: known.longitude)
        } catch  where error.code == .positionUnknown {
            return nil
        }
    }
}

extension OfferIndex {
    /// Whether the rules allow an offer to be sent to a customer, apart from the place and what was sent lately.
    fileprivate func mayBeSent(_ offer: Offer, _ customer: PartyID, at now: Timestamp) -> Bool {
        let target = Target(offer)
        return Targeting.allows(
            Targeting.sent.filter { $0 != .place }, target, subject(customer, for: target),
            Moment(now: now, position: nil))
    }
}

import Checks
import LoadReport
import Primitives

/// What the verdict asks about event streams.
enum StreamChecks {
    /// Each request for money reached each open app of its customer, and nobody else's.
    static func told(_ evidence: Evidence, _ streams: StreamEvidence) -> MoneyVerdict.Check {
        var findings = Findings(
            "streams_told",
            "Each request for money came once over each event stream of its customer, and over nobody "
                + "else's", about: "streams")
        var customers: [ChargeID: Int] = [:]
        for number in 0..<evidence.journal.count where asksForMoney(evidence.journal[number]) {
            let intent = evidence.journal[number]
            let customer = evidence.population.owner(ofCard: Int(intent.card))
            customers[intent.charge] = customer
            guard intent.outcome == .acknowledged else { continue }
            for stream in streams.streams(ofCustomer: customer) {
                findings.examined += 1
                if streams.told[.init(charge: intent.charge, stream: stream)] == nil {
                    findings.add(
                        "stream #\(stream) of customer #\(customer) was never told of \(LedgerChecks.name(number, intent))"
                    )
                }
            }
        }
        for one in streams.told.keys {
            guard let customer = customers[one.charge], customer != streams.customer(ofStream: one.stream) else {
                continue
            }
            findings.add(
                "stream #\(one.stream) of customer #\(streams.customer(ofStream: one.stream)) was told of charge "
                    + "\(one.charge.hex), which is customer #\(customer)'s")
        }
        for one in streams.toldTwice {
            findings.add("stream #\(one.stream) was told of charge \(one.charge.hex) more than once")
        }
        return findings.check
    }

    /// How many requests the streams have to tell of.
    static func expected(_ journal: Journal, _ population: Population, _ streams: StreamEvidence) -> Int {
        (0..<journal.count).reduce(0) { sum, number in
            let intent = journal[number]
            guard asksForMoney(intent), intent.outcome == .acknowledged else { return sum }
            let customer = population.owner(ofCard: Int(intent.card))
            return sum + streams.streams(ofCustomer: customer).reduce(0) { count, _ in count + 1 }
        }
    }

    /// How long after its request was due each of them arrived on each stream, of the requests due from a moment on.
    static func pushes(_ journal: Journal, _ streams: StreamEvidence, since start: UInt64) -> LatencySummary {
        var due: [ChargeID: UInt64] = [:]
        for number in 0..<journal.count where asksForMoney(journal[number]) && journal[number].due >= start {
            due[journal[number].charge] = journal[number].due
        }
        var tally = Tally()
        for (one, arrival) in streams.told {
            guard let due = due[one.charge] else { continue }
            tally.answered(nanoseconds: arrival - min(arrival, due))
        }
        return tally.summary
    }

    private static let scenarios = Set(
        ScenarioList.all.enumerated().filter { LoadPlan.scenariosWithStreams.contains($0.element.name) }.map(\.offset))

    private static func asksForMoney(_ intent: Intent) -> Bool {
        intent.kind == .payment && scenarios.contains(Int(intent.scenario))
    }
}

import Audit
import Checks
import Primitives

/// What the verdict asks about walks: location's facts and answers against the generator's journal. Each function is
/// one check, on its own.
enum WalkChecks {
    private static let subject = "walks"

    static func all(_ evidence: Evidence, _ walks: WalkEvidence) -> [MoneyVerdict.Check] {
        [publishedFences(evidence, walks), visitsInOrder(evidence, walks), positionsKept(evidence, walks)]
    }

    // MARK: Walks and facts

    /// From each walk to its facts, and back from each fact to its walk.
    private static func publishedFences(_ evidence: Evidence, _ walks: WalkEvidence) -> MoneyVerdict.Check {
        var findings = Findings(
            "fences_told",
            "Each walk into a fence led to one enter and one exit, by the right fixes, and each walk past it to none",
            about: subject)
        for fault in walks.logFaults { findings.add(fault) }
        let index = WalkIndex(walks.walks)
        var (enters, exits) = (
            [Int](repeating: 0, count: walks.walks.count), [Int](repeating: 0, count: walks.walks.count)
        )
        for event in walks.events {
            if event.merchant == nil, evidence.isSharedSet { continue }
            findings.examined += 1
            guard let place = index.walk(of: event.customer, at: event.entered),
                event.merchant == merchant(walks.walks[place], evidence)
            else {
                findings.add("\(words(event)), and did not walk there then")
                continue
            }
            switch event.kind {
            case .entered:
                enters[place] += 1
                if let wrong = wrongEnter(event, walks.walks[place], walks) {
                    findings.add("\(words(event)), \(wrong)")
                }
            case .dwelled: break
            case .exited:
                exits[place] += 1
                guard isDone(walks.walks[place], evidence) else { continue }
                if let wrong = wrongExit(event, walks.walks[place], walks) {
                    findings.add("\(words(event)), \(wrong)")
                }
            }
        }
        for (place, walk) in walks.walks.enumerated() {
            findings.examined += 1
            let expected = Track(walk.operation, run: walks.run).entering == nil ? 0 : 1
            // One that was not answered to its end may have led to less, never to more.
            let isShort = isDone(walk, evidence) && enters[place] < expected
            if isShort || enters[place] > expected {
                findings.add(
                    "\(isShort ? "lost enter" : "too many enters"): \(name(walk, evidence)) led to \(enters[place]) "
                        + "instead of \(expected)")
            }
            if isDone(walk, evidence), exits[place] < enters[place] {
                findings.add("lost exit: \(name(walk, evidence)) has ended, and nothing tells that the customer left")
            }
            if exits[place] > enters[place] {
                findings.add(
                    "too many exits: \(name(walk, evidence)) led to \(exits[place]), and to \(enters[place]) enters")
            }
        }
        return findings.check
    }

    private static func wrongEnter(_ event: FenceFact, _ walk: WalkPool.Walk, _ walks: WalkEvidence) -> String? {
        guard let step = Track(walk.operation, run: walks.run).entering else { return "and only passed by" }
        let expected = Timestamp(milliseconds: walk.start + Int64(step))
        return event.time == expected ? nil : "but the first fix within is of \(expected.rfc3339)"
    }

    private static func wrongExit(_ event: FenceFact, _ walk: WalkPool.Walk, _ walks: WalkEvidence) -> String? {
        let leaving = Track(walk.operation, run: walks.run).leaving
        let steps = event.time.milliseconds - walk.start
        if !(Int64(leaving.lowerBound)...Int64(leaving.upperBound)).contains(steps) {
            let expected = Timestamp(milliseconds: walk.start + Int64(leaving.upperBound))
            return "but the fix outside is of \(expected.rfc3339)"
        }
        if case .exited(let reason) = event.kind, reason != "left" { return "and is said to have been \(reason)" }
        return nil
    }

    // MARK: Facts alone

    /// By location's log alone, whatever was walked.
    private static func visitsInOrder(_ evidence: Evidence, _ walks: WalkEvidence) -> MoneyVerdict.Check {
        struct Stay: Hashable {
            let customer: Int
            let merchant: Int?
        }
        var findings = Findings(
            "visits_in_order",
            "Enter, stay and exit follow one another for each customer and place, times never go back, and nobody is "
                + "within when all walks have ended",
            about: subject)
        var open: [Stay: (event: FenceFact, dwelled: Bool)] = [:]
        var published: [Int: Timestamp] = [:]
        for event in walks.events {
            findings.examined += 1
            if let before = published[event.customer], event.time < before {
                findings.add("\(words(event)): earlier than what was told before, of \(before.rfc3339)")
            }
            published[event.customer] = event.time
            let stay = Stay(customer: event.customer, merchant: event.merchant)
            switch event.kind {
            case .entered:
                if let first = open[stay] {
                    findings.add("\(words(event)), without an exit since \(first.event.time.rfc3339)")
                }
                open[stay] = (event, false)
            case .dwelled:
                if open[stay]?.event.time != event.entered || open[stay]?.dwelled == true {
                    findings.add("\(words(event)), in no visit that was told of, or a second time")
                }
                open[stay]?.dwelled = true
            case .exited:
                if open[stay]?.event.time != event.entered {
                    findings.add("\(words(event)), from no visit that was told of")
                }
                open[stay] = nil
            }
        }
        let index = WalkIndex(walks.walks)
        for (stay, visit) in open.sorted(by: { $0.value.event.time < $1.value.event.time }) {
            if stay.merchant == nil, evidence.isSharedSet { continue }
            // A walk that is not known to have ended may not have.
            if let place = index.walk(of: stay.customer, at: visit.event.time), !isDone(walks.walks[place], evidence) {
                continue
            }
            findings.add("\(words(visit.event)), and is still within")
        }
        return findings.check
    }

    // MARK: Positions

    private static func positionsKept(_ evidence: Evidence, _ walks: WalkEvidence) -> MoneyVerdict.Check {
        let unknown = walks.positions.count { $0.refusal != nil }
        var findings = Findings(
            "positions_kept",
            "Each customer is where the last acknowledged fix says (\(walks.positions.count), by chance"
                + (unknown > 0
                    ? "; \(unknown) not known, which a restart of location excuses for older fixes)" : ")"),
            about: subject)
        for read in walks.positions {
            findings.examined += 1
            let walk = walks.walks[read.walk]
            let last = Track.length - 1
            let expected = Timestamp(milliseconds: walk.start + Int64(last))
            let what = "customer #\(walk.customer)"
            if let refusal = read.refusal {
                // Positions are in memory only (ADR 17).
                if let birth = walks.birth, expected < birth { continue }
                findings.add(
                    "\(what) is not known any more (\(refusal)); the fix of \(expected.rfc3339) was acknowledged")
                continue
            }
            if read.time != expected {
                findings.add(
                    "\(what) is shown by a fix of \(read.time?.rfc3339 ?? "no time"); that of \(expected.rfc3339) was "
                        + "acknowledged")
            } else if read.point
                != Track(walk.operation, run: walks.run).point(
                    last, around: evidence.population.point(ofPlace: merchant(walk, evidence)))
            {
                findings.add("\(what) is shown somewhere else than the fix of \(expected.rfc3339) says")
            }
        }
        return findings.check
    }

    // MARK: Words

    private static func merchant(_ walk: WalkPool.Walk, _ evidence: Evidence) -> Int {
        Int(evidence.journal[walk.operation].merchant)
    }

    private static func isDone(_ walk: WalkPool.Walk, _ evidence: Evidence) -> Bool {
        evidence.journal[walk.operation].outcome == .acknowledged
    }

    private static func name(_ walk: WalkPool.Walk, _ evidence: Evidence) -> String {
        "walk of customer #\(walk.customer) to merchant #\(merchant(walk, evidence)) (operation \(walk.operation))"
    }

    /// "customer #3 entered merchant #1's place at 2026-…". Times only: positions are personal data.
    private static func words(_ event: FenceFact) -> String {
        let verb =
            switch event.kind {
            case .entered: "entered"
            case .dwelled: "stayed at"
            case .exited: "left"
            }
        let place = event.merchant.map { "merchant #\($0)'s place" } ?? "a place not in play"
        return "customer #\(event.customer) \(verb) \(place) at \(event.time.rfc3339)"
    }
}

/// Finds a customer's walk by the time of one of its fixes.
private struct WalkIndex {
    private let walks: [WalkPool.Walk]
    /// Places in `walks`, by customer, in the order of their times.
    private var places: [Int: [Int]] = [:]

    init(_ walks: [WalkPool.Walk]) {
        self.walks = walks
        for (place, walk) in walks.enumerated() { places[walk.customer, default: []].append(place) }
    }

    func walk(of customer: Int, at time: Timestamp) -> Int? {
        guard let own = places[customer] else { return nil }
        // The last one that began by then.
        var (low, high) = (0, own.count)
        while low < high {
            let middle = (low + high) / 2
            if walks[own[middle]].start <= time.milliseconds { low = middle + 1 } else { high = middle }
        }
        guard low > 0, time.milliseconds - walks[own[low - 1]].start < Int64(Track.length) else { return nil }
        return own[low - 1]
    }
}

import Bus
import Contracts
import Primitives
import Wire

/// The cases of one ask, as its contract's effect, access, limits and refusals have them.
extension Example {
    var cases: [Case] {
        var cases = [version, malformed, deadline]
        if !LimitBreach.variants(of: nobody).isEmpty { cases.append(limits) }
        if make != nil { cases.append(answered) }
        switch nobodyFinds {
        case .notAsked: break
        case .refused, .replied: cases.append(nobodys)
        }
        if Caller.all(of: nobody).contains(where: { !$0.isAllowed }) { cases.append(stranger) }
        if make != nil {
            switch A.effect {
            case .reads: cases.append(readAgain)
            case .idempotent: cases += isRationed ? [askedAgain] : [askedAgain, atOnce]
            case .keyedBy:
                cases += [again, atOnce]
                if other != nil { cases.append(reusedKey) }
            case .once: break
            }
        }
        return cases
    }

    private func name(_ kind: String) -> String { "\(A.type)/\(kind)" }

    // MARK: What they have in common

    /// What was refused is not done: all is as it was, and a keyed ask is then done for the first time.
    private func expectNothing(
        of subject: Subject, since before: Snapshot?, _ trial: Trial, after what: String
    ) async throws {
        guard let before, let after = try await snapshot(of: subject, trial) else { return }
        if let difference = after.difference(from: before) {
            throw Wrong("\(what) it was done all the same: \(difference)")
        }
        guard A.retry == .keyed else { return }
        let data = try await trial.asker.replyData(subject.ask)
        try require(data["replayed"] != true, "\(what) it was done all the same: the right ask is told replayed")
    }

    /// A repeat changes nothing, and nothing is told twice.
    private func expectSame(
        _ subject: Subject, since before: Snapshot?, _ trial: Trial, after what: String
    ) async throws {
        guard let before, let after = try await snapshot(of: subject, trial) else { return }
        if let difference = after.difference(from: before) { throw Wrong("\(what) had an effect: \(difference)") }
        for (index, fact) in after.facts.enumerated() {
            let twin = after.facts[..<index].contains { $0.type == fact.type && $0.data == fact.data }
            try require(!twin, "\(fact.type) is in the log twice")
        }
    }

    /// What one ask moves has moved once.
    private func expectMoved(_ subject: Subject, from before: Snapshot?, _ trial: Trial) async throws {
        guard let before, let effect else { return }
        let moved = zip(try await effect(subject.ask, trial.world), before.figures).map { $0 - $1 }
        try require(moved == moves, "what it changes moved by \(moved), and should have by \(moves)")
    }

    /// The outcome of a keyed ask is a fact: the log has it under the number that the reply names.
    private func expectRecorded(_ data: JSONValue, _ trial: Trial) async throws {
        guard let log = trial.log, A.retry == .keyed, let result = data["result"],
            case .integer(let sequence) = data["sequence"]
        else { return }
        let fact = try await log.fact(sequence)
        try require(
            fact.data == result, "its reply says \(result.text), and fact \(sequence) of its log \(fact.data.text)")
    }

    /// The reply repeats what was asked, and the facts repeat both.
    private func expectEcho(
        _ data: JSONValue, of subject: Subject, at moment: Timestamp, since before: Snapshot?, _ trial: Trial
    ) async throws {
        guard let asked = try? JSONValue(parsing: subject.ask.json) else { return }  // a contract writes JSON
        var echo = Echo(asked, apart: moving)
        if let difference = echo.difference(data) { throw Wrong("in its reply \(difference)") }
        echo.add(data)
        guard !A.isReading, let before, let after = try await snapshot(of: subject, trial) else { return }
        let facts = after.facts.dropFirst(before.facts.count)
        if let leadsTo, trial.log != nil {
            try require(
                facts.map(\.type) == leadsTo.map(\.name), "it led to the facts \(facts.map(\.type)), not to \(leadsTo)")
        }
        for fact in facts {
            if let difference = echo.difference(fact.data) { throw Wrong("in \(fact.type) \(difference)") }
            // An ask may say itself when it happened: then the echo has compared it.
            guard asked["time"] == nil, case .string(let text)? = fact.data["time"],
                let time = Timestamp(rfc3339: Array(text.utf8))
            else { continue }
            try require(
                (moment...trial.world.now).contains(time), "\(fact.type) has the time \(text), when nothing was asked")
        }
    }

    // MARK: Any ask

    private var answered: Case {
        Case(name("answered"), "a right ask gets the reply that its contract describes", .changing, type: A.type) {
            trial in
            let subject = try await subject(trial)
            let before = try await snapshot(of: subject, trial)
            let moment = trial.world.now
            let data = try await trial.asker.replyData(subject.ask)
            if A.retry == .keyed {
                try require(data["replayed"] == false, "the first answer is not told as replayed: false")
            }
            try await expect?(subject.ask, try trial.asker.decode(A.self, data), trial.world)
            try await expectMoved(subject, from: before, trial)
            try await expectRecorded(data, trial)
            try await expectEcho(data, of: subject, at: moment, since: before, trial)
        }
    }

    private var nobodys: Case {
        Case(
            name("nobody"), "an ask about what is not there is refused as its contract says, or finds nothing",
            A.retry == .idempotent && isHarmless ? .reading : .changing, type: A.type
        ) { trial in
            let answer = try await trial.asker.answer(nobody)
            switch (answer, nobodyFinds) {
            case (.reply(let data), .replied): _ = try trial.asker.decode(A.self, data)
            case (.fault(let fault), .refused(let code)) where fault.code == code: break
            case (_, .refused(let code)): throw Wrong("it is answered with \(answer.words), not with \(code)")
            case (_, .replied), (_, .notAsked): throw Wrong("it is answered with \(answer.words), not with a reply")
            }
        }
    }

    private var version: Case {
        Case(name("version"), "an unknown version is refused with bus.unknown_type", .reading, type: A.type) { trial in
            let type = A.type.name.split(separator: ".").dropLast().joined(separator: ".") + ".v999"
            let answer = try await trial.asker.answer(
                A.type, data: nobody.json, faults: A.faults, .init(type: type))
            guard case .fault(let fault) = answer, fault.code == .unknownType else {
                throw Wrong("\(type) is answered with \(answer.words), not with bus.unknown_type")
            }
        }
    }

    private var malformed: Case {
        Case(
            name("malformed"), "data that breaks the contract is refused with bus.malformed, and nothing is done",
            .reading, type: A.type
        ) { trial in
            let subject = try await subject(trial)
            let before = try await snapshot(of: subject, trial)
            for variant in Malformed.variants(of: subject.ask) {
                let answer = try await trial.asker.answer(
                    A.type, data: variant.data, faults: A.faults, .init(mayBeUnreadable: true))
                guard case .fault(let fault) = answer, fault.code == .malformed else {
                    throw Wrong("data \(variant.what) is answered with \(answer.words), not with bus.malformed")
                }
            }
            try await expectNothing(of: subject, since: before, trial, after: "refused as malformed,")
        }
    }

    private var limits: Case {
        Case(
            name("limits"),
            "beyond a limit that its contract declares it is refused with the limit's code and not done; at the limit "
                + "it is not refused with that code",
            .reading, type: A.type
        ) { trial in
            let subject = try await subject(trial)
            let before = try await snapshot(of: subject, trial)
            let variants = LimitBreach.variants(of: subject.ask)
            for variant in variants {
                guard let code = variant.code else { continue }
                let answer = try await trial.asker.answer(A.type, data: variant.data, faults: A.faults)
                guard case .fault(let fault) = answer, fault.code == code else {
                    throw Wrong("\(variant.what) it is answered with \(answer.words), not with \(code)")
                }
            }
            try await expectNothing(of: subject, since: before, trial, after: "refused for a limit,")
            guard A.isReading || trial.world.mayChange else { return }
            let codes = Set(variants.compactMap { $0.code?.code })
            for variant in variants where variant.code == nil && !coupled.contains(variant.field) {
                let answer = try await trial.asker.answer(A.type, data: variant.data, faults: A.faults)
                if case .fault(let fault) = answer, codes.contains(fault.code.code), !isRefusedAnyway(fault) {
                    throw Wrong("\(variant.what), which is allowed, it is answered with \(answer.words)")
                }
            }
        }
    }

    /// Whether the example is refused so for another reason than a limit.
    private func isRefusedAnyway(_ fault: Fault) -> Bool {
        if fault.code == reused { return true }
        guard case .refused(let code) = nobodyFinds else { return false }
        return fault.code == code
    }

    private var deadline: Case {
        Case(
            name("deadline"), "an ask whose expirytime has passed is refused with bus.deadline_exceeded and not done",
            .reading, type: A.type
        ) { trial in
            let subject = try await subject(trial)
            let before = try await snapshot(of: subject, trial)
            let answer = try await trial.asker.answer(subject.ask, .init(expires: trial.asker.now + .seconds(-1)))
            guard case .fault(let fault) = answer, fault.code == .deadlineExceeded else {
                throw Wrong(
                    "a second after its deadline it is answered with \(answer.words), not with bus.deadline_exceeded")
            }
            try await expectNothing(of: subject, since: before, trial, after: "refused as too late,")
        }
    }

    private var stranger: Case {
        Case(
            name("stranger"),
            "an actor to whom its contract gives no access is refused, and nothing is done; one who has access is not",
            .reading, type: A.type
        ) { trial in
            let subject = try await subject(trial)
            let before = try await snapshot(of: subject, trial)
            let callers = Caller.all(of: subject.ask)
            for caller in callers where !caller.isAllowed {
                let answer = try await trial.asker.answer(subject.ask, .init(actor: caller.actor))
                guard case .fault(let fault) = answer, fault.code == .forbidden || fault.code.hidesWhatIsThere else {
                    throw Wrong("\(caller.words) gets \(answer.words), not bus.forbidden")
                }
            }
            try await expectNothing(of: subject, since: before, trial, after: "refused to a stranger,")
            guard A.isReading || trial.world.mayChange else { return }
            for caller in callers where caller.isNamedAndAllowed {
                let answer = try await trial.asker.answer(subject.ask, .init(actor: caller.actor))
                if case .fault(let fault) = answer, fault.code == .forbidden {
                    throw Wrong("\(caller.words), who has access, is refused with bus.forbidden")
                }
            }
        }
    }

    // MARK: Repeats

    /// How often the same is read: a service that is wrong once in fifty answers is found.
    private static var readings: Int { 64 }

    private var readAgain: Case {
        Case(name("again"), "read over and over it says the same", .changing, type: A.type) { trial in
            let subject = try await subject(trial)
            let before = try await snapshot(of: subject, trial)
            let first = try await trial.asker.replyData(subject.ask)
            // In a set that serves others, these may change what is read.
            for _ in 1..<(isMoving || trial.process == nil ? 2 : Self.readings) {
                let next = try await trial.asker.replyData(subject.ask)
                guard !isMoving, trial.process != nil else { continue }
                try require(next == first, "read again it says \(next.text), and said \(first.text)")
            }
            try await expectSame(subject, since: before, trial, after: "an ask that only reads")
        }
    }

    private var askedAgain: Case {
        Case(name("again"), "asked again it is answered again: asking twice is harmless", .changing, type: A.type) {
            trial in
            let subject = try await subject(trial)
            _ = try await trial.asker.replyData(subject.ask)
            let before = try await snapshot(of: subject, trial)
            for _ in 0..<2 { _ = try await trial.asker.replyData(subject.ask) }
            try await expectSame(subject, since: before, trial, after: "the repeat")
        }
    }

    private var again: Case {
        Case(
            name("again"),
            "the same key with the same content gets the first answer as replayed, and has no second effect",
            .changing, type: A.type
        ) { trial in
            let subject = try await subject(trial)
            let first = try await trial.asker.replyData(subject.ask)
            let before = try await snapshot(of: subject, trial)
            for _ in 0..<2 {
                let second = try await trial.asker.replyData(subject.ask)
                try require(second["replayed"] == true, "the repeat is not told as replayed")
                try require(
                    essence(second) == essence(first),
                    "the repeat is answered otherwise: \(second.text) after \(first.text)")
            }
            try await expectSame(subject, since: before, trial, after: "the repeat")
        }
    }

    private var atOnce: Case {
        Case(
            name("at-once"),
            A.retry == .keyed
                ? "asked eight times at once with one key it is done once, and all get the one answer"
                : "asked eight times at once it is done once",
            .changing, type: A.type
        ) { trial in
            let subject = try await subject(trial)
            let before = try await snapshot(of: subject, trial)
            let answers = try await withThrowingTaskGroup(of: JSONValue.self) { group in
                for _ in 0..<8 { group.addTask { try await trial.asker.replyData(subject.ask) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            if A.retry == .keyed {
                try require(answers.count { $0["replayed"] == false } == 1, "not exactly one answer is the first")
                try require(Set(answers.map { essence($0).text }).count == 1, "the answers differ")
            }
            try await expectMoved(subject, from: before, trial)
            let after = try await snapshot(of: subject, trial)
            _ = try await trial.asker.replyData(subject.ask)
            try await expectSame(subject, since: after, trial, after: "another ask after the eight")
        }
    }

    private var reusedKey: Case {
        let code = reused?.code ?? ""
        return Case(
            name("reused"), "the same key with other content is refused with \(code), and nothing is done", .changing,
            type: A.type
        ) { trial in
            guard let other, let reused else { return }
            let subject = try await subject(trial)
            let first = try await trial.asker.replyData(subject.ask)
            let before = try await snapshot(of: subject, trial)
            let answer = try await trial.asker.answer(other(subject.ask))
            guard case .fault(let fault) = answer, fault.code == reused else {
                throw Wrong("other content under the same key is answered with \(answer.words), not with \(reused)")
            }
            try await expectSame(subject, since: before, trial, after: "other content under the same key")
            let again = try await trial.asker.replyData(subject.ask)
            try require(
                essence(again) == essence(first), "after that the first ask is answered otherwise")
        }
    }
}

/// Somebody on whose behalf an ask is made, and whether its contract gives them access.
struct Caller: Sendable {
    let actor: Actor
    let isAllowed: Bool
    /// Whether the contract gives access to the account in the field that this role's accounts have to be in.
    let isNamedAndAllowed: Bool
    let words: String

    /// In each role: each account that the ask names, and one that it does not.
    static func all<A: Ask>(of ask: A) -> [Caller] {
        guard let data = try? JSONValue(parsing: ask.json) else { return [] }  // a contract writes what it can read
        let named = data.identifiers.sorted().compactMap { PartyID($0) }
        let stranger: PartyID = PartyID(high: 0x5744_5744_5744_5744, low: .random(in: 1 ... .max))
        return Auth.Role.allCases.flatMap { role in
            // Any account may be one that the service itself knows to have no part in it.
            let hasField = A.actors.contains { $0.role == role && $0.field != "*" }
            return (named + [stranger]).map { party in
                let isAllowed = A.access.allows(ask, role: role, party: party)
                return Caller(
                    actor: Actor(role: role, party: party), isAllowed: isAllowed,
                    isNamedAndAllowed: isAllowed && hasField,
                    words: party == stranger
                        ? "a \(role.rawValue) whom it does not name" : "a \(role.rawValue) whom it names")
            }
        }
    }
}

extension FaultCode {
    /// A stranger may also get the answer that nothing exists.
    fileprivate var hidesWhatIsThere: Bool { code.hasSuffix("_not_found") || self == .noCard }
}

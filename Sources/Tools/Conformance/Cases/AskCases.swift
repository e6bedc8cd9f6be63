import Bus
import Contracts
import Primitives
import Sodium
import Wire

/// The cases of one ask, as its contract's class and refusals have them.
extension Example {
    var cases: [Case] {
        var cases = [version, malformed, deadline]
        if make != nil { cases.append(answered) }
        switch nobodyFinds {
        case .notAsked: break
        case .refused, .replied: cases.append(nobodys)
        }
        if whose != .anyone { cases.append(stranger) }
        if make != nil {
            switch A.retry {
            case .idempotent: cases.append(askedAgain)
            case .keyed:
                cases += [again, atOnce]
                if other != nil { cases.append(reusedKey) }
            case .once: break
            }
        }
        return cases
    }

    private func name(_ kind: String) -> String { "\(A.type)/\(kind)" }

    /// The right ask where one may be made, else the one about nothing.
    private func right(_ trial: Trial) async throws -> A {
        guard trial.world.mayChange, let make else { return nobody }
        return try await make(trial.world)
    }

    /// A keyed ask that was refused before has left nothing: now it is done, for the first time.
    private func expectFirst(_ ask: A, _ trial: Trial, after what: String) async throws {
        guard A.retry == .keyed, trial.world.mayChange, make != nil else { return }
        let data = try await trial.asker.replyData(ask)
        try require(data["replayed"] != true, "\(what) it was done all the same: the right ask is told replayed")
    }

    /// What one ask moves has moved once.
    private func expectMoved(_ ask: A, from before: [Int64]?, _ trial: Trial) async throws {
        guard let before, let effect else { return }
        let moved = zip(try await effect(ask, trial.world), before).map { $0 - $1 }
        try require(moved == moves, "what it changes moved by \(moved), and should have by \(moves)")
    }

    // MARK: Any ask

    private var answered: Case {
        Case(name("answered"), "a right ask gets the reply that its contract describes", .changing, type: A.type) {
            trial in
            let ask = try await right(trial)
            let before = try await effect?(ask, trial.world)
            let data = try await trial.asker.replyData(ask)
            if A.retry == .keyed {
                try require(data["replayed"] == false, "the first answer is not told as replayed: false")
            }
            try await expect?(ask, try trial.asker.decode(A.self, data), trial.world)
            try await expectMoved(ask, from: before, trial)
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
            .reading,
            type: A.type
        ) { trial in
            let ask = try await right(trial)
            for variant in Malformed.variants(of: ask) {
                let answer = try await trial.asker.answer(
                    A.type, data: variant.data, faults: A.faults, .init(mayBeUnreadable: true))
                guard case .fault(let fault) = answer, fault.code == .malformed else {
                    throw Wrong("data \(variant.what) is answered with \(answer.words), not with bus.malformed")
                }
            }
            try await expectFirst(ask, trial, after: "refused as malformed,")
        }
    }

    private var deadline: Case {
        Case(
            name("deadline"), "an ask whose expirytime has passed is refused with bus.deadline_exceeded and not done",
            .reading, type: A.type
        ) { trial in
            let ask = try await right(trial)
            let before = trial.world.mayChange && make != nil ? try await effect?(ask, trial.world) : nil
            let answer = try await trial.asker.answer(ask, .init(expires: trial.asker.now + .seconds(-1)))
            guard case .fault(let fault) = answer, fault.code == .deadlineExceeded else {
                throw Wrong(
                    "a second after its deadline it is answered with \(answer.words), not with bus.deadline_exceeded")
            }
            if let before, try await effect?(ask, trial.world) != before { throw Wrong("it was refused and done") }
            try await expectFirst(ask, trial, after: "refused as too late,")
        }
    }

    private var stranger: Case {
        Case(
            name("stranger"),
            whose == .operators
                ? "a customer may not ask it"
                : "for another account than the one it names it is refused, and nothing is done",
            .reading, type: A.type
        ) { trial in
            let ask = try await right(trial)
            let role: Auth.Role = whose == .operators ? .customer : ask.namedRole
            let actor = Actor(role: role, party: trial.world.id())
            let answer = try await trial.asker.answer(ask, .init(actor: actor))
            guard case .fault(let fault) = answer, fault.code == .forbidden || fault.code.hidesWhatIsThere else {
                throw Wrong("a \(role.rawValue) whom it does not name gets \(answer.words), not bus.forbidden")
            }
            try await expectFirst(ask, trial, after: "refused to a stranger,")
        }
    }

    // MARK: Repeats

    private var askedAgain: Case {
        Case(name("again"), "asked again it is answered again: asking twice is harmless", .changing, type: A.type) {
            trial in
            let ask = try await right(trial)
            _ = try await trial.asker.replyData(ask)
            _ = try await trial.asker.replyData(ask)
        }
    }

    private var again: Case {
        Case(
            name("again"),
            "the same key with the same content gets the first answer as replayed, and has no second effect",
            .changing, type: A.type
        ) { trial in
            let ask = try await right(trial)
            let first = try await trial.asker.replyData(ask)
            let effect = try await effect?(ask, trial.world)
            for _ in 0..<2 {
                let second = try await trial.asker.replyData(ask)
                try require(second["replayed"] == true, "the repeat is not told as replayed")
                try require(
                    essence(second) == essence(first),
                    "the repeat is answered otherwise: \(second.text) after \(first.text)")
            }
            if let effect, let after = try await self.effect?(ask, trial.world) {
                try require(after == effect, "the repeat had an effect: \(after) after \(effect)")
            }
        }
    }

    private var atOnce: Case {
        Case(
            name("at-once"), "asked eight times at once with one key it is done once, and all get the one answer",
            .changing,
            type: A.type
        ) { trial in
            let ask = try await right(trial)
            let before = try await effect?(ask, trial.world)
            let answers = try await withThrowingTaskGroup(of: JSONValue.self) { group in
                for _ in 0..<8 { group.addTask { try await trial.asker.replyData(ask) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try require(answers.count { $0["replayed"] == false } == 1, "not exactly one answer is the first")
            try require(Set(answers.map { essence($0).text }).count == 1, "the answers differ")
            try await expectMoved(ask, from: before, trial)
        }
    }

    private var reusedKey: Case {
        let code = reused?.code ?? ""
        return Case(
            name("reused"), "the same key with other content is refused with \(code), and nothing is done", .changing,
            type: A.type
        ) { trial in
            guard let other, let reused else { return }
            let ask = try await right(trial)
            let first = try await trial.asker.replyData(ask)
            let effect = try await effect?(ask, trial.world)
            let answer = try await trial.asker.answer(other(ask))
            guard case .fault(let fault) = answer, fault.code == reused else {
                throw Wrong("other content under the same key is answered with \(answer.words), not with \(reused)")
            }
            if let effect, let after = try await self.effect?(ask, trial.world) {
                try require(after == effect, "it was refused and had an effect: \(after) after \(effect)")
            }
            let again = try await trial.asker.replyData(ask)
            try require(
                essence(again) == essence(first), "after that the first ask is answered otherwise")
        }
    }
}

extension Ask {
    /// Whose account an ask names, by the field that does.
    fileprivate var namedRole: Auth.Role {
        guard let data = try? JSONValue(parsing: json) else { return .customer }  // a contract writes what it can read
        return data["customer"] == nil && data["merchant"] != nil ? .merchant : .customer
    }
}

extension FaultCode {
    /// A stranger may also get the answer that nothing exists.
    fileprivate var hidesWhatIsThere: Bool { code.hasSuffix("_not_found") || self == .noCard }
}

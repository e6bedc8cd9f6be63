import Bus
import Contracts
import Primitives
import Wire

/// One ask of a service as the kit asks it. From it follow the cases of its contract (`AskCases`).
protocol AskExample: Sendable {
    var type: MessageType { get }
    /// Whether a service may leave it out (docs/conformance.md, "What may be left out").
    var isOptional: Bool { get }
    var cases: [Case] { get }
    /// Asks that may be made in numbers, for the cases that stop the process; nil where this one cannot.
    var load: (@Sendable (World) async throws -> LoadedAsk)? { get }
    /// Asks it once, for the cases that stop the process; nil where nothing of it outlives the process.
    var leave: (@Sendable (Trial) async throws -> Trace)? { get }
}

/// What an ask has left in its service.
struct Trace: Sendable {
    let type: MessageType
    let look: @Sendable () async throws -> Snapshot
}

/// One ask of a load: its frame, and what is made of its answer.
struct LoadedAsk: Sendable {
    let frame: @Sendable (Asker) -> (sent: AskSent, frame: [UInt8])
    /// The answer without what may differ between a first one and a repeat.
    let essence: @Sendable (JSONValue) -> String
    let isKeyed: Bool
    /// What the contract's reads say of what it is about.
    let reads: @Sendable (World) async throws -> [String]
    /// Ids that no other ask has.
    let ids: Set<String>
}

struct Example<A: Ask>: AskExample {
    typealias Make = @Sendable (World) async throws -> A

    /// The outcome of an ask about what does not exist.
    enum Nobody: Sendable {
        case refused(FaultCode)
        case replied
        /// It would change something, or its outcome depends on the set: only its refusals are looked at.
        case notAsked
    }

    /// An ask about nothing that there is.
    let nobody: A
    var nobodyFinds = Nobody.notAsked
    /// An ask that is right now, under ids of its own. Nil where it takes more than the bus to make one.
    var make: Make?
    /// Whether the ask `nobody` changes nothing.
    var isHarmless = true
    var isOptional = false
    /// Of a keyed ask: the same key with other content, and what that is refused with.
    var other: (@Sendable (A) -> A)?
    var reused: FaultCode?
    /// Fields of the reply that report progress: a repeat may have other values.
    var moving: [String] = []
    /// What an ask changes, read back: figures that move with each act and not with its repeat.
    var effect: (@Sendable (A, World) async throws -> [Int64])?
    /// What the contract's reads say of what the ask is about: each text is a reply, or the code of a refusal. Nothing
    /// that other asks of the kit change.
    var shows: (@Sendable (A, World) async throws -> [String])?
    /// Whether what it has changed outlives the process.
    var isKept = true
    /// The facts that name an id of the ask and that one act leads to, in their order; nil where that depends.
    var leadsTo: [MessageType]?
    /// Whether the facts of one act are not one set: they follow after the answer, or each repeat has its own.
    var hasLooseFacts = false
    /// Whether the service refuses more than a few of them.
    var isRationed = false
    /// Fields whose other values need others beside them: not tried at their limits.
    var coupled: Set<String> = []
    /// Whether it reads what changes by itself.
    var isMoving = false
    /// By how much each of these figures moves with one ask.
    var moves: [Int64] = []
    /// What the reply has to say.
    var expect: (@Sendable (A, A.Reply, World) async throws -> Void)?

    var type: MessageType { A.type }

    /// A reply's data without what may differ between the first one and a repeat.
    func essence(_ data: JSONValue) -> JSONValue { moving.reduce(data.without("replayed")) { $0.without($1) } }

    var load: (@Sendable (World) async throws -> LoadedAsk)? {
        guard let make else { return nil }
        return { world in
            let ask = try await make(world)
            return LoadedAsk(
                frame: { $0.frame(ask) }, essence: { essence($0).text }, isKeyed: A.retry == .keyed,
                reads: { try await shows?(ask, $0) ?? [] }, ids: hasLooseFacts ? [] : await world.ownIDs(of: ask))
        }
    }

    var leave: (@Sendable (Trial) async throws -> Trace)? {
        guard make != nil, isKept, !A.isReading else { return nil }
        return { trial in
            let subject = try await subject(trial)
            _ = try await trial.asker.replyData(subject.ask)
            return Trace(type: A.type) { try await lasting(of: subject, trial) }
        }
    }

    // MARK: What is known of an ask

    /// An ask, and where the log ended before it was made.
    struct Subject: Sendable {
        let ask: A
        let start: Int64
    }

    /// The right ask where one may be made, else the one about nothing.
    func subject(_ trial: Trial) async throws -> Subject {
        guard trial.world.mayChange, let make else { return Subject(ask: nobody, start: 0) }
        let start = try await trial.head()
        return Subject(ask: try await make(trial.world), start: start)
    }

    /// Nil in a set where nothing may be made: there is nothing to compare.
    func snapshot(of subject: Subject, _ trial: Trial) async throws -> Snapshot? {
        guard trial.world.mayChange, make != nil else { return nil }
        let lasting = try await lasting(of: subject, trial)
        return Snapshot(
            figures: try await effect?(subject.ask, trial.world) ?? [], reads: lasting.reads, facts: lasting.facts)
    }

    /// Without the figures, which the other asks of the kit move too.
    private func lasting(of subject: Subject, _ trial: Trial) async throws -> Snapshot {
        let ids = await trial.world.ownIDs(of: subject.ask)
        let facts = ids.isEmpty || hasLooseFacts ? [] : try await trial.log?.facts(after: subject.start) ?? []
        return Snapshot(
            figures: [], reads: try await shows?(subject.ask, trial.world) ?? [],
            facts: facts.filter { $0.names(any: ids) })
    }
}

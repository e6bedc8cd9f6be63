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
}

/// One ask of a load: its frame, and what is made of its answer.
struct LoadedAsk: Sendable {
    let frame: @Sendable (Asker) -> (sent: AskSent, frame: [UInt8])
    /// The answer without what may differ between a first one and a repeat.
    let essence: @Sendable (JSONValue) -> String
    let isKeyed: Bool
}

/// Whom an ask may be made for.
enum Whose: Sendable {
    /// The account that a field names.
    case named
    /// Services and administrators.
    case operators
    /// Anybody.
    case anyone
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
    var whose = Whose.named
    /// Of a keyed ask: the same key with other content, and what that is refused with.
    var other: (@Sendable (A) -> A)?
    var reused: FaultCode?
    /// Fields of the reply that report progress: a repeat may have other values.
    var moving: [String] = []
    /// What an ask changes, read back: figures that move with each act and not with its repeat.
    var effect: (@Sendable (A, World) async throws -> [Int64])?
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
                frame: { $0.frame(ask) }, essence: { essence($0).text }, isKeyed: A.retry == .keyed)
        }
    }
}
